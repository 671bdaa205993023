"""Systems: what runs, what it needs, and what an outage runs through."""

from studio.entry_pages import entries_page

entries_page("Systems", "systems")
