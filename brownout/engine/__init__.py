"""Runs a company: its clock, its schedule, its people, and the one door through which everything is asked."""
