"""Storylines: facts with their windows, and who says and does what when."""

from studio.desk import desk_page

desk_page("Storylines", "storylines")
