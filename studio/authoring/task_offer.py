"""What "Add task" offers: the questions of a world with their answers, and what goes on at the moment at which the agent comes in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brownout.core.instants import DAY, HOUR, MINUTE, Instant, local
from brownout.engine.outages import words_of
from generators.authoring.fact_questions import question_of, questions_of, suggested_start
from studio.app_titles import title_of_target
from studio.authoring.world_times import WorldTimes, calendar_of, moment_of
from worlds.spec import FactSpec, WorldSpec

__all__ = ["OfferedAnswer", "OfferedQuestion", "TaskOffer", "fact_text", "task_offer"]

_LONG = 4 * HOUR
"""How long a task lasts that is begun from the scaffold."""


@dataclass(frozen=True, slots=True)
class OfferedAnswer:
    """A value that answers a question.

    Attributes:
        fact: its name.
        text: the value and when it is so: `26 hours since 3 Mar`.
        holds: it is so when the agent comes in.
        is_ever: it is so at some time; others are only said.
    """

    fact: str
    text: str
    says: str
    holds: bool
    is_ever: bool


@dataclass(frozen=True, slots=True)
class OfferedQuestion:
    """A question, with its answers in the order of their time."""

    slot: str
    asks: str
    storyline: str
    about: str
    answers: tuple[OfferedAnswer, ...]


@dataclass(frozen=True, slots=True)
class TaskOffer:
    """What a task can ask for, and its start.

    Attributes:
        suggested: the start that suits what is asked for.
        start: the start that all this is told of, as it was given; the suggested one where none was.
        at: its moment, None where it is no time.
        notes: what goes on then, a sentence each: `Slack is down from 11:01, 30 minutes later.`
        wrong: what is wrong with the start, empty where nothing is.
        moved: why the start is another than the one that was given, empty where it is that one.
    """

    questions: tuple[OfferedQuestion, ...]
    suggested: str
    start: str
    at: Instant | None
    notes: tuple[str, ...]
    wrong: str
    moved: str = ""


def task_offer(
    spec: WorldSpec, asks: Sequence[str], start: str, *, may_move: bool = False, minutes: Sequence[float] = ()
) -> TaskOffer:
    """What a task can ask for, told of a start.

    Args:
        asks: the facts that are chosen so far, by name; who is not there is passed over.
        start: `2026-04-14 10:30`; the suggested one where it is empty.
        may_move: nobody has typed the start. It is kept while what is asked for has an answer then, else the suggested one is taken.
        minutes: of the world's clock that reference solutions took in runs of this world, as far as there were any.
    """
    times = calendar_of(spec)
    facts = {name: fact for story in spec.storylines.values() for name, fact in story.facts.items()}
    chosen = [name for name in asks if name in facts]
    suggested = suggested_start(spec, chosen)
    given, moved = start.strip() or suggested, ""
    at = moment_of(given, times.zone, times.moments)
    if may_move and given != suggested and (unknown := _unanswered(spec, times, chosen, at)):
        moved = f"The start was moved from {given}, when nothing answers “{unknown}”."
        given, at = suggested, moment_of(suggested, times.zone, times.moments)
    questions = tuple(
        OfferedQuestion(one.slot, one.asks, one.storyline, spec.storylines[one.storyline].says, answers)
        for one in questions_of(spec)
        if (answers := tuple(_answers(spec, times, one.facts, facts, at)))
    )
    wrong = ""
    if at is None:
        wrong = f"expected a time such as {suggested}, or after something else such as slack-out + 30m"
    elif not times.first <= at < times.last:
        wrong = f"the calendar goes from {_day(times.first, times.zone)} to {_day(times.last, times.zone)}"
    notes = (*_notes(spec, times, at), *_lasting(minutes)) if at is not None and not wrong else ()
    return TaskOffer(questions, suggested, given, at, notes, wrong, moved)


def _unanswered(spec: WorldSpec, times: WorldTimes, asks: Sequence[str], at: Instant | None) -> str:
    """The first question of these facts that none of its own answers at a moment; empty where each has an answer."""
    windows = times.times.windows if times.times else {}
    for question in questions_of(spec):
        spans = [windows.get(name) or (None, None) for name in question.facts]
        is_answered = at is not None and any(
            (since is None or since <= at) and (until is None or at < until) for since, until in spans
        )
        if not is_answered and any(name in question.facts for name in asks):
            return question.asks
    return ""


def _lasting(minutes: Sequence[float]) -> Iterator[str]:
    """How long tasks of this world take whoever knows the way: what breaks later is not noticed in such a run."""
    if minutes:
        shortest, longest = round(min(minutes)), round(max(minutes))
        span = f"{shortest} to {longest}" if shortest != longest else f"{longest}"
        yield f"Reference solutions here were done {span} minutes after their start."


def fact_text(spec: WorldSpec, fact: FactSpec) -> str:
    """A fact as a question and its answer: `How long is a seat kept? 10 minutes`."""
    asks = question_of(spec, fact.slot)
    return f"{asks}{'' if asks.endswith('?') else ':'} {_value(spec, fact)}"


def _answers(
    spec: WorldSpec, times: WorldTimes, names: Sequence[str], facts: dict[str, FactSpec], at: Instant | None
) -> Iterator[OfferedAnswer]:
    windows = times.times.windows if times.times else {}
    edges = {name: windows.get(name) or (None, None) for name in names}
    for name in sorted(names, key=lambda name: edges[name][0] or 0):
        since, until = edges[name]
        is_ever = since is None or since < times.last
        holds = at is not None and (since is None or since <= at) and (until is None or at < until)
        value = _value(spec, facts[name])
        when = _window(since, until, times.zone) if is_ever else "(never so, only said)"
        if facts[name].kind == "date" and when and is_ever:
            when = f"(so {when})"
        text = when if value == "since" else " ".join(filter(None, (value, when)))
        yield OfferedAnswer(name, text, facts[name].says[0] if facts[name].says else "", holds, is_ever)


def _value(spec: WorldSpec, fact: FactSpec) -> str:
    if fact.kind != "person":
        return fact.value
    somebody = spec.people.get(fact.value) or spec.customers.get(fact.value) or spec.outsiders.get(fact.value)
    return somebody.name if somebody else fact.value


def _window(since: Instant | None, until: Instant | None, zone: str) -> str:
    if since is not None and until is not None:
        return f"from {_day(since, zone)} to {_day(until, zone)}"
    return (
        f"since {_day(since, zone)}" if since is not None else f"until {_day(until, zone)}" if until is not None else ""
    )


def _notes(spec: WorldSpec, times: WorldTimes, at: Instant) -> Iterator[str]:
    """The weekday, then each outage that goes on or begins while the task lasts; else the nearest one."""
    moment = local(at, times.zone)
    yield f"A {moment:%A}, {moment:%H:%M} in {times.zone}."
    spans = sorted(
        (
            times.moments[name],
            times.moments[name] + one.lasts,
            f"{title_of_target(one.on, spec)} {words_of(one.mode).said}",
        )
        for name, one in spec.outages.items()
        if name in times.moments
    )
    near = [one for one in spans if one[0] < at + _LONG and at < one[1]]
    for begin, end, what in near:
        if begin <= at:
            yield f"{what} already, until {_clock(end, at, times.zone)}."
        else:
            yield f"{what} from {_clock(begin, at, times.zone)}, {_span(begin - at)} later."
    if not near and spans:
        begin, _, what = min(spans, key=lambda one: abs(one[0] - at))
        yield (
            f"Nothing breaks in the four hours from then on; nearest: {what} on {_clock(begin, None, times.zone)}, "
            f"{_span(abs(begin - at))} {'later' if begin > at else 'before'}."
        )
    if not spans:
        yield "Nothing breaks in this world."


def _clock(at: Instant, beside: Instant | None, zone: str) -> str:
    """An hour where the day is known, else day and hour."""
    moment = local(at, zone)
    if beside is not None and local(beside, zone).date() == moment.date():
        return f"{moment:%H:%M}"
    return f"{moment.day} {moment:%b %H:%M}"


def _day(at: Instant, zone: str) -> str:
    moment = local(at, zone)
    return f"{moment.day} {moment:%b}"


def _span(span: int) -> str:
    for unit, word in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if span >= unit:
            count = round(span / unit)
            return f"{count} {word}" + ("s" if count > 1 else "")
    return "a moment"
