"""Outages: what breaks, when, how, and for whom."""

from studio.authoring.desk import desk_page

desk_page("Outages", "outages")
