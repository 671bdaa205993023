"""People: who works at the company: a table, the org chart, and everything that is written of each."""

from studio.entry_pages import entries_page

entries_page("People", "people")
