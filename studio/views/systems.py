"""Systems: what runs, what it needs, and what an outage runs through."""

from studio.desk import desk_page

desk_page("Systems", "systems")
