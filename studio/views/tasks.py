"""Tasks: what agents are asked, and by whom."""

from studio.entry_pages import entries_page

entries_page("Tasks", "tasks")
