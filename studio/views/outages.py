"""Outages: what breaks, when, how, and for whom."""

from studio.desk import desk_page

desk_page("Outages", "outages")
