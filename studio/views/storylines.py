"""Storylines: facts with their windows, and who says and does what when."""

from studio.entry_pages import entries_page

entries_page("Storylines", "storylines")
