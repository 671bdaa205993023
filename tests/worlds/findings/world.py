"""The names of a made-up company, for reading fields."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from brownout.core.entities import Entities, EntityReference
from worlds.spec.findings import FieldKind, FindingSchema

__all__ = ["HERE", "field"]

PULLS = {"#51": "51", "#47": "47", "Simplify client": "51"}


def references(text: str) -> Iterator[EntityReference]:
    for name, number in PULLS.items():
        for found in re.finditer(rf"{re.escape(name)}\b", text):
            yield EntityReference(found.start(), found.end(), f"github:acme/app.pull/{number}")


HERE = Entities(
    {
        "ines": ("Inês Brandão", "ines@acme.test"),
        "viktor": ("Viktor Haas", "viktor@acme.test"),
        "svenja": ("Svenja Haas-Lind", "svenja@acme.test"),
        "daniel-k": ("Daniel Krüger", "dk@acme.test"),
        "daniel-s": ("Daniel Stein", "ds@acme.test"),
    },
    {"aws-rds/eu-west-1": ("Ireland",), "aws-rds/eu-south-1": ("Milan",), "bookings": ()},
    lambda text: list(references(text)),
    date(2026, 4, 14),
    "Europe/Berlin",
)


def field(
    kind: FieldKind, *, many: bool = False, unit: str = "", options: Mapping[str, list[str]] | None = None
) -> FindingSchema:
    """A field called `it` of that kind."""
    return FindingSchema(name="it", kind=kind, asks="Which is it", many=many, unit=unit, options=dict(options or {}))
