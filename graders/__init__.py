"""Judges of an episode: each reads the end state and returns a verdict; the rubric makes a reward of them."""
