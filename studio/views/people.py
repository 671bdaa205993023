"""People: who works at the company: a table, the org chart, and everything that is written of each."""

from studio.desk import desk_page

desk_page("People", "people")
