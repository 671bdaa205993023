"""What a company does more of while something is broken, and in the hour after it, than at that hour of other workdays."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from brownout.core.instants import DAY, HOUR, Instant, local
from generators.report import MeasuredCompany
from worlds.package import Outage

__all__ = ["Surge", "surges"]

_AFTER: Final = HOUR
_AROUND: Final = 14
"""Days before and after an outage with whose workdays it is compared."""


@dataclass(frozen=True, slots=True)
class Surge:
    """How many there were of something from an outage's beginning to an hour after its end, and on other workdays meanwhile, on average.

    Attributes:
        what: `messages about it` of everyday life, `messages` and `mails` of people in the company, `tickets` of theirs, `mails from outside`.
    """

    outage: str
    what: str
    then: int
    else_: float


def surges(company: MeasuredCompany, outages: Sequence[Outage]) -> list[Surge]:
    """Five figures for each outage that was over an hour before the company is looked at."""
    moments: dict[str, list[Instant]] = {
        "messages": [one.at for one in company.messages],
        "mails": [one.at for one in company.mails],
        "tickets": [one.at for one in company.tickets if one.who in company.staff],
        "mails from outside": [one.at for one in company.all_mails if one.who not in company.staff | company.machines],
    }
    found: list[Surge] = []
    for outage in outages:
        if outage.start is None or outage.start + outage.lasts + _AFTER > company.at:
            continue
        others = [
            day * DAY
            for day in range(-_AROUND, _AROUND + 1)
            if day and _is_whole_workday(company, outage.start + day * DAY, outage.lasts + _AFTER, outages)
        ]
        own = f"outage/{outage.name}/"
        about = [one for one in company.messages if company.causes.get(one.path, "").startswith(own)]
        found.append(Surge(outage.name, "messages about it", len(about), 0.0))
        for what, at in moments.items():
            then, *on_others = (
                sum(outage.start + day <= one < outage.start + day + outage.lasts + _AFTER for one in at)
                for day in (0, *others)
            )
            found.append(Surge(outage.name, what, then, fmean(on_others) if on_others else 0.0))
    return found


def _is_whole_workday(company: MeasuredCompany, since: Instant, lasts: int, outages: Sequence[Outage]) -> bool:
    """Whether a stretch of time is in the company's past, on a workday, and nothing breaks in it."""
    until = since + lasts
    return (
        company.begins <= since
        and until <= company.at
        and local(since, company.zone).weekday() < 5
        and not any(one.start is not None and since < one.start + one.lasts and one.start < until for one in outages)
    )
