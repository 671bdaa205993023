"""Customers' names in a text: as the register has them, and as people write them."""

from typing import cast

import pytest

from brownout.core.rows import Query, Row, Rows
from tools.customers.text_references import references


class Register:
    """A register without conversations."""

    def all(self, query: Query) -> list[Row]:
        accounts = {"st-marys": "St Mary's Outpatients", "clinica-luz": "Clínica Luz"}
        rows = [Row(id=number, short=short, name=name) for number, (short, name) in enumerate(accounts.items())]
        return rows if "customers_account" in str(query) else []


def named(text: str) -> list[str]:
    return [each.path for each in references(cast(Rows, Register()), text)]


@pytest.mark.parametrize(
    "text",
    ["St Mary's", "St Mary’s wards", "St. Mary's Outpatients", "St. Marys", "st mary's", "St  Mary's", "st-marys"],
)
def test_a_name_is_found_with_other_apostrophes_and_stops(text: str) -> None:
    assert named(f"today {text}, and Mary") == ["customers:st-marys"]


@pytest.mark.parametrize("text", ["Clínica Luz", "clinica luz", "CLÍNICA LUZ"])
def test_a_name_is_found_without_its_accents(text: str) -> None:
    assert named(text) == ["customers:clinica-luz"]


@pytest.mark.parametrize("text", ["Mary's", "St Maryse", "Luzia", "a street, Mary's"])
def test_a_part_of_a_name_is_none(text: str) -> None:
    assert named(text) == []
