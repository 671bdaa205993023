"""Tasks: what agents are asked, and by whom."""

from studio.entries import entries_page

entries_page("Tasks", "tasks")
