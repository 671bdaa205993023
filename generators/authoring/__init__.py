"""Writes an author's folder: `brownout new world`. What comes out is text that its author reads, changes and owns."""
