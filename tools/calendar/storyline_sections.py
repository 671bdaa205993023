"""How authors put meetings into storylines: `meetings:`, each with a time, its people and how it repeats."""

import re
from typing import cast

from pydantic import Field, field_validator

from brownout.core.apps import Intent
from brownout.core.instants import DAY, MINUTE, Duration, Instant, local, zone
from brownout.core.storyline_sections import Cause, Section, SectionEntry
from brownout.core.values import JsonObject
from tools.calendar.recurrence import InvalidRule, parse_rule
from worlds.expressions import parse_duration

__all__ = ["Meeting", "repeat_rule", "sections"]

_REPEATS = re.compile(
    r"(?:every (?P<n>\d+) )?(?P<unit>daily|weekdays|weekly|monthly|days|weeks|months)(?: on (?P<on>.+))?"
)
_DAYS = {"mon": "MO", "tue": "TU", "wed": "WE", "thu": "TH", "fri": "FR", "sat": "SA", "sun": "SU"}
_NTH = {"first": "1", "second": "2", "third": "3", "fourth": "4", "last": "-1"}
_UNITS = {"daily": "DAILY", "days": "DAILY", "weekly": "WEEKLY", "weeks": "WEEKLY", "weekdays": "WEEKLY"}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def repeat_rule(text: str) -> str:
    """The rule of `daily`, `weekdays`, `weekly on mon, thu`, `every 2 weeks`, `monthly on first mon`, `monthly on 15`.

    Raises:
        ValueError: it is none of these.
    """
    found = _REPEATS.fullmatch(" ".join(text.lower().split()))
    if found is None or (found["n"] is not None) != (found["unit"] in ("days", "weeks", "months")):
        raise ValueError(
            f"expected weekly, weekdays, every 2 weeks, weekly on mon, thu or monthly on first mon, found {text!r}"
        )
    parts = [f"FREQ={_UNITS.get(found['unit'], 'MONTHLY')}"]
    parts += [f"INTERVAL={found['n']}"] if found["n"] else []
    parts += ["BYDAY=MO,TU,WE,TH,FR"] if found["unit"] == "weekdays" else []
    if found["on"]:
        parts.append(_on([day.strip() for day in found["on"].split(",")], text))
    rule = ";".join(parts)
    try:
        parse_rule(rule, "UTC")
    except InvalidRule as error:
        raise ValueError(f"{text!r} is no way to repeat: {error}") from None
    return rule


def _on(days: list[str], text: str) -> str:
    if all(day.isdecimal() for day in days):
        return f"BYMONTHDAY={','.join(days)}"
    found = []
    for day in days:
        nth, _, name = day.rpartition(" ")
        if name not in _DAYS or (nth and nth not in _NTH):
            raise ValueError(f"{text!r}: expected days such as mon, thu or first mon, found {day!r}")
        found.append(_NTH.get(nth, "") + _DAYS[name])
    return f"BYDAY={','.join(found)}"


class Meeting(SectionEntry):
    """A meeting; `at` is when it takes place for the first time, `who` invites."""

    title: str
    guests: list[str] = Field(default=[], alias="with", description="People, or addresses outside.")
    optional: list[str] = Field(default=[])
    lasts: str = "30m"
    repeats: str = ""
    until: str = Field(default="", description="The last day of a series.")
    skips: list[str] = Field(default=[], alias="except", description="Days on which a series does not take place.")
    zone: str = Field(default="", description="In which a series keeps its time of day; the world's without it.")
    room: str = ""
    notes: str = ""
    invited: str = Field(default="7d", description="How long before it the invitation is sent.")
    private: bool = False
    away: bool = Field(default=False, description="Nobody meets: whoever it is will be out of office.")
    free: bool = Field(default=False, description="It does not make its people busy.")

    @field_validator("lasts", "invited")
    @classmethod
    def _duration(cls, value: str) -> str:
        parse_duration(value)
        return value

    @field_validator("repeats")
    @classmethod
    def _rule(cls, value: str) -> str:
        if value:
            repeat_rule(value)
        return value

    @field_validator("zone")
    @classmethod
    def _zone(cls, value: str) -> str:
        try:
            zone(value or "UTC")
        except KeyError:
            raise ValueError(f"expected a time zone such as Europe/Berlin, found {value!r}") from None
        return value

    @field_validator("until", "skips")
    @classmethod
    def _dates(cls, value: str | list[str]) -> str | list[str]:
        for text in value if isinstance(value, list) else [value] if value else []:
            if not _DATE.fullmatch(text):
                raise ValueError(f"expected a day such as 2026-03-31, found {text!r}")
        return value

    @property
    def people(self) -> tuple[str, ...]:
        """Who invites and who is invited."""
        return (self.who, *self.guests, *self.optional)

    @property
    def ahead(self) -> Duration:
        """An invitation is sent before the meeting is."""
        return parse_duration(self.invited)


def _intent(entry: SectionEntry, cause: Cause) -> Intent:
    meeting = cast(Meeting, entry)
    until = f";UNTIL={meeting.until.replace('-', '')}" if meeting.until else ""
    start, there = cause.at - cause.at % MINUTE, meeting.zone or cause.zone
    details: JsonObject = {
        "start_us": start,
        "end_us": start + parse_duration(meeting.lasts),
        "zone": there,
        "all_day": _is_whole_days(start, parse_duration(meeting.lasts), there),
        "rule": f"{repeat_rule(meeting.repeats)}{until}" if meeting.repeats else "",
        "skips": [*meeting.skips],
        "room": meeting.room,
        "optional": [*meeting.optional],
        "visibility": "private" if meeting.private else "default",
        "kind": "outOfOffice" if meeting.away else "default",
        "free": meeting.free,
    }
    return Intent(
        kind="invite",
        key=cause.key,
        who=meeting.who,
        to=tuple(meeting.guests),
        subject=meeting.title,
        text=meeting.notes,
        thing=cause.name,
        details=details,
    )


def _is_whole_days(start: Instant, lasts: Duration, zone: str) -> bool:
    there = local(start, zone)
    return lasts % DAY == 0 and (there.hour, there.minute) == (0, 0)


sections = {"meetings": Section(Meeting, _intent)}
