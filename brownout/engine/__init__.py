"""Runs a company: its clock, its schedule, its people, and the one entry point for every request."""
