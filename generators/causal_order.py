"""What comes before what it hangs on: a statement before it is so, an answer before what it answers, an end before its beginning."""

from collections.abc import Iterator

from brownout.core.apps import COMPLAINT
from brownout.core.errors import Mistake
from brownout.core.instants import Instant, clock_text
from generators.timetable import Timetable
from worlds.spec import Storyline, WorldSpec

__all__ = ["order_mistakes"]

_ON_TICKETS = ("begin", "close", "comment", "assign")


def order_mistakes(spec: WorldSpec, times: Timetable) -> Iterator[Mistake]:
    """What has a time that cannot be, given those of the rest."""
    for line, story in spec.storylines.items():
        file = f"storylines/{line}.yaml"
        yield from _windows(spec, times, file, story)
        yield from _statements(spec, times, line, story)
        yield from _answers(spec, times, file, story)
    for name, end in times.ends.items():
        if end <= times.calendar[0]:
            message = f"{name}.from: expected an outage in the calendar, found one that is over before it begins"
            yield Mistake("outages.yaml", spec.line("outages.yaml", name, "from"), message)


def _windows(spec: WorldSpec, times: Timetable, file: str, story: Storyline) -> Iterator[Mistake]:
    """Facts that cease to be so before they begin."""
    for name, fact in story.facts.items():
        since, until = times.windows[name]
        if fact.since and fact.until and since is not None and until is not None and until <= since:
            message = f"{name}.until: expected a time after since, {_shown(spec, since)}, found {_shown(spec, until)}"
            yield Mistake(file, spec.line(file, "facts", name, "until"), message)
        again = times.again.get(name)
        if again is not None and (until is None or again <= until):
            ends = _shown(spec, until) if until is not None else "never"
            message = f"{name}.again: expected a time after until, {ends}, found {_shown(spec, again)}"
            yield Mistake(file, spec.line(file, "facts", name, "again"), message)


def _statements(spec: WorldSpec, times: Timetable, line: str, story: Storyline) -> Iterator[Mistake]:
    """Facts that are stated before they are so."""
    file = f"storylines/{line}.yaml"
    stating = [("beats", name, (*beat.makes, *beat.states)) for name, beat in story.beats.items()]
    stating += [("talks", name, (*talk.states,)) for name, talk in story.talks.items()]
    stating += [("mails", name, (*mail.states,)) for name, mail in story.mails.items()]
    for word, entries in spec.sections.get(line, {}).items():
        stating += [(word, name, (*entry.states,)) for name, entry in entries.items()]
    written = {name: fact for each in spec.storylines.values() for name, fact in each.facts.items()}
    waiting = {turn.fact for turn in times.turns}
    for word, name, facts in stating:
        at = times.moments.get(name)
        for fact in facts:
            since = times.windows.get(fact, (None, None))[0]
            if at is None or since is None or fact in waiting or at >= since:
                continue
            message = (
                f"{name}: states {fact} on {_shown(spec, at)}, but it is so only since {written[fact].since}, "
                f"{_shown(spec, since)}; let it come later, or leave the statement out"
            )
            yield Mistake(file, spec.line(file, word, name, "at"), message)


def _answers(spec: WorldSpec, times: Timetable, file: str, story: Storyline) -> Iterator[Mistake]:
    """Mails that answer a later one, and what is done with a ticket or a page before there is one."""
    ahead = {
        name: entry.ahead
        for entries in spec.sections.values()
        for one in entries.values()
        for name, entry in one.items()
    }
    done = [
        (name, "mails", "re", mail.re.rpartition("/")[2] if mail.re and not mail.re.startswith(COMPLAINT) else "")
        for name, mail in story.mails.items()
    ]
    for name, beat in story.beats.items():
        things = [action.thing for action in beat.does if action.kind in _ON_TICKETS and action.thing != name]
        done += [(name, "beats", "at", thing.rpartition("/")[2]) for thing in things]
    for name, word, place, thing in done:
        at, before = times.moments.get(name), times.moments.get(thing)
        if at is not None and before is not None and at < before - ahead.get(thing, 0):
            message = f"{name}: expected a time after {thing}, {_shown(spec, before)}, found {_shown(spec, at)}"
            yield Mistake(file, spec.line(file, word, name, place), message)


def _shown(spec: WorldSpec, at: Instant) -> str:
    return clock_text(at, spec.world.clock.zone)
