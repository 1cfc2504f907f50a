"""Where facts and results come from: one protocol, and the feeds that speak it."""
