"""Measurements, printed as JSON with the work counted. Nothing here is asserted as a time by a test."""
