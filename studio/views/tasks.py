"""Tasks: what agents are asked, and by whom."""

from studio.authoring.desk import desk_page

desk_page("Tasks", "tasks")
