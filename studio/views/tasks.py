"""Tasks: what agents are asked, and by whom."""

from studio.desk import desk_page

desk_page("Tasks", "tasks")
