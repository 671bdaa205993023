"""What is asked of `brownout new world`, checked before anything is drawn."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from unicodedata import category

from brownout.core.errors import UsageError
from brownout.core.instants import zone
from brownout.core.vocabulary import near_or_all

__all__ = ["FEWEST_PEOPLE", "MOST_PEOPLE", "WorldRequest"]

FEWEST_PEOPLE: Final = 6
"""Somebody for each of the roles that storylines ask for."""
MOST_PEOPLE: Final = 1_000
_FEWEST_DAYS: Final = 28
_MOST_DAYS: Final = 730
_MOST_CUSTOMERS: Final = 1_000
_MOST_TASKS: Final = 40
_COMPANY: Final = re.compile(r"[^\W_]+(?:[ &'’.-]{1,3}[^\W_]+)*\.?(?<!.{61})")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldRequest:
    """A company to be written.

    Attributes:
        name: the world's short name, the folder's. What a seed draws in its storylines hangs on it as well.
        company: what the company is called; empty takes a name of the trade's. What storylines hide is drawn by it as well, who works there is not.
        days: of the calendar, weekends included.
        zones: where people work; the first is the company's own.
        services: how many things run; None takes what suits the people.
        storylines: kinds that must be told, by name; one may stand there twice.
        outages: what breaks: vendors of the trade, products in use, services.
        tasks: storylines that end in a task for an agent.
    """

    name: str
    trade: str = "food-delivery"
    company: str = ""
    people: int = 24
    days: int = 60
    zones: tuple[str, ...] = ("Europe/Berlin",)
    customers: int = 20
    services: int | None = None
    storylines: tuple[str, ...] = ()
    outages: tuple[str, ...] = ()
    tasks: int = 3
    seed: int = 1

    def check(self, trades: Sequence[str], kinds: Sequence[str]) -> None:
        """Refuse what no company can be.

        Args:
            trades, kinds: those that there are; what has a slash is a folder of the author's own.

        Raises:
            UsageError: all that is impossible, a sentence each.
        """
        problems = [*self._numbers(), *self._names(trades, kinds)]
        if problems:
            raise UsageError("; ".join(problems))

    def _numbers(self) -> list[str]:
        bounds = {
            "people": (self.people, FEWEST_PEOPLE, MOST_PEOPLE, ": storylines need at least one for each role", ""),
            "days": (self.days, _FEWEST_DAYS, _MOST_DAYS, ": a storyline needs three weeks before its task", ""),
            "customers": (self.customers, 3, _MOST_CUSTOMERS, ": storylines need somebody who asks", ""),
            "tasks": (self.tasks, 0, _MOST_TASKS, "", ": each is a storyline of its own"),
        }
        if self.services is not None:
            bounds["services"] = (self.services, 1, 100, ": something must run", "")
        found = [
            f"expected {low} to {high} {name}, found {value}{too_few if value < low else too_many}"
            for name, (value, low, high, too_few, too_many) in bounds.items()
            if not low <= value <= high
        ]
        if self.tasks and not found and self.tasks > (self.days - 14) // 2:
            found.append(f"{self.days} days have room for {(self.days - 14) // 2} tasks, found {self.tasks}")
        return found

    def _names(self, trades: Sequence[str], kinds: Sequence[str]) -> list[str]:
        found = []
        if self.company and not _is_company(self.company):
            found.append(
                "expected a company's name of at most 60 letters, digits, spaces and & ' . - that begins with a letter"
                f" or a digit, such as Northgate Foods, found {self.company!r}"
            )
        if self.trade not in trades and "/" not in self.trade:
            found.append(f"there is no trade {self.trade!r}{near_or_all(self.trade, trades)}")
        found += [
            f"there is no storyline kind {name!r}{near_or_all(name, kinds)}"
            for name in self.storylines
            if name not in kinds and "/" not in name
        ]
        for name in self.zones:
            try:
                zone(name)
            except KeyError:
                found.append(f"there is no time zone {name!r}; it is written as in Europe/Berlin")
        if not self.zones:
            found.append("expected at least one time zone")
        return found


def _is_company(name: str) -> bool:
    """Whether a company can be called so; the marks that letters of many scripts have are part of them."""
    is_mark = [category(letter).startswith("M") for letter in name]
    plain = "".join("a" if marked else letter for letter, marked in zip(name, is_mark, strict=True))
    return not is_mark[0] and bool(_COMPANY.fullmatch(plain))
