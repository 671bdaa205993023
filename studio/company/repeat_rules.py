"""How a series of meetings repeats, in words: from the lines that calendars exchange (RRULE)."""

from datetime import datetime
from typing import Final

__all__ = ["repeats_text"]

_DAYS: Final = {
    "MO": "Monday", "TU": "Tuesday", "WE": "Wednesday", "TH": "Thursday", "FR": "Friday", "SA": "Saturday", "SU": "Sunday"
}  # fmt: skip
_ORDINALS: Final = {"1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last"}
_UNITS: Final = {"DAILY": "day", "WEEKLY": "week", "MONTHLY": "month"}
_WEEKDAYS: Final = ["MO", "TU", "WE", "TH", "FR"]


def repeats_text(lines: list[str]) -> str:
    """`Every 2 weeks on Monday, until 31 Mar 2026`; empty for what happens once."""
    rule = next((line.removeprefix("RRULE:") for line in lines if line.startswith("RRULE:")), "")
    if not rule:
        return ""
    parts = dict(part.partition("=")[::2] for part in rule.split(";"))
    days = [day for day in parts.get("BYDAY", "").split(",") if day]
    unit, interval = _UNITS.get(parts.get("FREQ", ""), "time"), int(parts.get("INTERVAL", "1"))
    if days == _WEEKDAYS and interval == 1:
        words = "Every weekday"
    else:
        words = f"Every {unit}" if interval == 1 else f"Every {interval} {unit}s"
        words += f" on {_list([_day(day) for day in days])}" if days else ""
        words += f" on day {parts['BYMONTHDAY'].replace(',', ', ')}" if "BYMONTHDAY" in parts else ""
    if "COUNT" in parts:
        words += f", {parts['COUNT']} times"
    return words + (f", until {_date(parts['UNTIL'])}" if "UNTIL" in parts else "")


def _day(text: str) -> str:
    name = _DAYS.get(text[-2:], text)
    ordinal = text[:-2].lstrip("+")
    return f"the {_ORDINALS.get(ordinal, ordinal)} {name}" if ordinal else name


def _date(text: str) -> str:
    day = datetime.strptime(text[:8], "%Y%m%d")  # noqa: DTZ007 (a day, of which only the date is used)
    return f"{day.day} {day:%b %Y}"


def _list(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
