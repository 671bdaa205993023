"""Recorded runs: which there are, what happened in one step by step, and what it was worth."""
