"""Writes an author's folder: `brownout new world`. What comes out is text that its author reads, changes and owns.

Nothing is imported here: a build reads trades, and needs neither the kinds of storylines nor a generator of names.
"""
