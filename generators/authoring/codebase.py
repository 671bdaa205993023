"""The code base of a written company: one of the templates, by people of the company, with one bug on main."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from brownout.core.seeds import Stream
from generators.authoring.company import CastMember, Company
from generators.authoring.storyline_kinds import Story
from generators.codebases import Author, Codebase, Nouns, codebase_bugs, render_codebase

__all__ = ["code_of"]

_BEGUN_BEFORE = timedelta(days=210)
"""How long before the calendar a code base was begun."""
_DAYS_BEFORE_TASK = (4, 12)
"""Fewest and most working days between the change that brings the bug and the task that finds it."""


def code_of(company: Company, stories: Sequence[Story]) -> tuple[str, Codebase] | None:
    """The repository's name and what is in it; None where too few people of the company could have written it."""
    service = next((one for one in company.services if one.name == company.trade.codebase.service), None)
    if service is None or not company.programmers:
        return None
    roles = dict(zip(("lead", "engineer", "junior"), company.programmers, strict=False))
    authors = {role: _author(one) for role, one in {**roles, "product": company.of_kind("product")[0]}.items()}
    story = next((one for one in stories if one.kind.codebase), None)
    template = company.trade.codebase.template
    stream = Stream(company.seed, "code", company.name, service.name)
    bug = stream.child("bug").choice(codebase_bugs(template))
    zone = ZoneInfo(company.zone)
    first = datetime.combine(company.first - _BEGUN_BEFORE, time(9), zone)
    until = datetime.combine(company.until - timedelta(days=1), time(18), zone)
    lands = None
    if story is not None:
        days = company.workdays
        moment = stream.child("lands")
        day = days[days.index(story.start.date()) - moment.between(*_DAYS_BEFORE_TASK)]
        lands = datetime.combine(day, time(moment.between(10, 15), moment.below(60)), zone)
        until = datetime.combine(story.start.date() - timedelta(days=1), time(18), zone)
    found = render_codebase(
        template,
        Nouns.of(company.trade.nouns.model_dump()),
        service.name,
        authors,
        first,
        until,
        stream.bits(),
        bug=bug,
        beat=f"{story.name}-change" if story else "",
        lands=lands,
    )
    return service.name, found


def _author(one: CastMember) -> Author:
    since, _, until = one.hours.partition("-")
    hours = (time.fromisoformat(since), time.fromisoformat(until))
    return Author(one.short, one.first, one.zone, hours, one.away, one.joins)
