"""Storylines: facts with their windows, and who says and does what when."""

from studio.entries import entries_page

entries_page("Storylines", "storylines")
