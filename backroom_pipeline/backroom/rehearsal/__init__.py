"""A live season rehearsed: recorded payloads on a loopback server, a moving clock, the live feed, a real ledger."""
