"""Company: world.yaml part by part: what the company is, its calendar, its products, how much life there is."""

from studio.desk import desk_page

desk_page("Company", "company")
