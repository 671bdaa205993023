"""Readers: each finds out whether a text states a fact. They are found by name, as graders are."""
