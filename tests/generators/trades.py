"""Nouns of six trades and a small team, for tests of code bases."""

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from generators.codebases import Author, Noun, Nouns

TRADES: Final = {
    "clinics": Nouns(
        Noun("appointment", "appointments"),
        Noun("clinic", "clinics"),
        Noun("patient", "patients"),
        Noun("practitioner", "practitioners"),
        "book",
    ),
    "food-delivery": Nouns(
        Noun("order", "orders"),
        Noun("restaurant", "restaurants"),
        Noun("guest", "guests"),
        Noun("courier", "couriers"),
        "order",
    ),
    "invoicing": Nouns(
        Noun("invoice", "invoices"),
        Noun("business", "businesses"),
        Noun("payer", "payers"),
        Noun("bookkeeper", "bookkeepers"),
        "issue",
    ),
    "logistics": Nouns(
        Noun("shipment", "shipments"),
        Noun("shipper", "shippers"),
        Noun("recipient", "recipients"),
        Noun("driver", "drivers"),
        "ship",
    ),
    "shops": Nouns(
        Noun("basket", "baskets"),
        Noun("shop", "shops"),
        Noun("shopper", "shoppers"),
        Noun("packer", "packers"),
        "buy",
    ),
    "learning": Nouns(
        Noun("lesson", "lessons"),
        Noun("school", "schools"),
        Noun("learner", "learners"),
        Noun("tutor", "tutors"),
        "take",
    ),
}
ODD: Final = Nouns(
    Noun("home visit", "home visits"),
    Noun("university", "universities"),
    Noun("applicant", "applicants"),
    Noun("on-call nurse", "on-call nurses"),
    "ask for",
)
"""Two words, a hyphen, a plural in -ies, a vowel that takes `a`."""

ZONE: Final = ZoneInfo("Europe/Lisbon")
FIRST: Final = datetime(2026, 1, 5, 9, tzinfo=ZONE)
UNTIL: Final = datetime(2026, 4, 10, 18, tzinfo=ZONE)
AUTHORS: Final = {
    "lead": Author("tomas", "Tomás", "Europe/Lisbon"),
    "engineer": Author("ida", "Ida", "Europe/Berlin"),
    "junior": Author("owen", "Owen", "America/New_York"),
    "product": Author("yuki", "Yuki", "Europe/Lisbon"),
}
