"""Customers: whom the company works for, and who else writes from outside."""

from studio.desk import desk_page

desk_page("Customers", "customers")
