"""People: who works at the company: a table, the org chart, and everything that is written of each."""

from studio.entries import entries_page

entries_page("People", "people")
