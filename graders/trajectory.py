"""Judges how it was done: which calls, in which order, how long was waited, what was read before anything was written.

    trajectory: {calls: {ops_failover: 1..2}, before: ["github_merge*", ops_deploy], never: ["slack_delete*"],
      waited: "<= 30m", read: ["docs:Runbook*", "jira:first-complaint"]}

`calls` counts calls that succeeded. `before` wants each named call, and the first of it only after one of the name before
it. `never` counts attempts. `waited` is the time spent in `wait`. `read`: an answer had shown the thing before the first
call that changed something (read marks and drafts change nothing). Doing nothing meets `never` and `waited` alone: use
them in gates.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from brownout.core.apps import Thing
from brownout.core.grading import CallRecord, EndState, Grader, GradingContext, Verdict
from brownout.core.instants import Duration, Instant, duration_text
from brownout.core.values import Json, canonical
from brownout.core.wildcards import fits
from graders.criterion_asks import names_in, parse_count, unknown_words
from worlds.expressions import ExpressionError, parse_duration, parse_selector

__all__ = ["trajectory"]

_WAIT: Final = "wait"


@dataclass(frozen=True, slots=True)
class _Finding:
    """One thing that was asked about the way; `problem` is empty where it is so."""

    problem: str
    evidence: tuple[str, ...] = ()


class _Trajectory:
    name = "trajectory"
    version = 1

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict) or not asks:
            return [
                "trajectory takes {calls: {name: 1..2}, before: [a, b], never: [names], waited: '<= 30m', read: [...]}"
            ]
        wrong = unknown_words("trajectory", asks, _PARTS.keys())
        for word in _PARTS:
            if word in asks:
                wrong += [f"trajectory.{word}: {problem}" for problem in _MISTAKES[word](asks[word])]
        return wrong

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        """The verdict."""
        assert isinstance(asks, dict)
        acts = [act for act in end.acts if by is None or act.at <= by]
        findings = [finding for word, value in asks.items() for finding in _PARTS[word](end, acts, value)]
        problems = [finding.problem for finding in findings if finding.problem]
        evidence = dict.fromkeys(item for finding in findings for item in finding.evidence)
        reason = problems[0] if problems else "it was done as asked"
        return Verdict(not problems, (len(findings) - len(problems)) / len(findings), reason, tuple(evidence)[:20])


def _made(acts: Sequence[CallRecord], pattern: str) -> list[CallRecord]:
    return [act for act in acts if fits(act.call.name, pattern)]


def _done(acts: Sequence[CallRecord], pattern: str) -> list[CallRecord]:
    return [act for act in _made(acts, pattern) if not act.answer.is_error]


def _ids(acts: Sequence[CallRecord]) -> tuple[str, ...]:
    return tuple(act.call.call_id for act in acts[:5])


def _calls(end: EndState, acts: Sequence[CallRecord], value: Json) -> Iterator[_Finding]:
    assert isinstance(value, dict)
    for pattern, amount in value.items():
        allowed, found = parse_count(amount), _done(acts, pattern)
        times = "once" if len(found) == 1 else f"{len(found)} times"
        problem = f"{pattern} was called {times}, expected {allowed}"
        yield _Finding("" if len(found) in allowed else problem, _ids(found))


def _before(end: EndState, acts: Sequence[CallRecord], value: Json) -> Iterator[_Finding]:
    names = names_in(value)
    firsts = [next(iter(_done(acts, name)), None) for name in names]
    for name, found in zip(names, firsts, strict=True):
        if found is None:
            yield _Finding(f"{name} was not called")
    for first, then, earlier, later in zip(names, names[1:], firsts, firsts[1:], strict=False):
        if earlier is not None and later is not None:
            is_so = acts.index(earlier) < acts.index(later)
            yield _Finding("" if is_so else f"{then} came before {first}", _ids([earlier, later]))


def _never(end: EndState, acts: Sequence[CallRecord], value: Json) -> Iterator[_Finding]:
    for pattern in names_in(value):
        found = _made(acts, pattern)
        yield _Finding(f"{found[0].call.name} was called" if found else "", _ids(found))


def _waited(end: EndState, acts: Sequence[CallRecord], value: Json) -> Iterator[_Finding]:
    sign, span = _bound(value)
    waits = _done(acts, _WAIT)
    total: Duration = sum(act.answer.sim_time - act.at for act in waits)
    is_so = total <= span if sign == "<=" else total >= span
    problem = f"{duration_text(total)} were spent waiting, expected {sign} {duration_text(span)}"
    yield _Finding("" if is_so else problem, _ids(waits))


def _read(end: EndState, acts: Sequence[CallRecord], value: Json) -> Iterator[_Finding]:
    writing = next((at for at, act in enumerate(acts) if _changes(act)), len(acts))
    for text in names_in(value):
        selector = parse_selector(text)
        names = [_names(thing) for thing in end.find(selector.app, selector.thing)]
        shown = [act for act in acts[:writing] if act.call.name.startswith(f"{selector.app}_") and _shows(act, names)]
        problem = f"{text} was not read before the first change" if writing < len(acts) else f"{text} was not read"
        yield _Finding("" if shown else problem, _ids(shown[:1]))


def _changes(act: CallRecord) -> bool:
    return any(not effect.harmless for effect in act.answer.effects)


def _names(thing: Thing) -> list[str]:
    """What a thing is called in answers: the last part of its path, or its title."""
    last = thing.path.partition(":")[2].rpartition("/")[2]
    titles = [str(thing.fields[name]) for name in ("title", "subject") if thing.fields.get(name)]
    return [name for name in (last, *titles) if len(name) > 1 or name.isdigit()]


def _shows(act: CallRecord, things: Sequence[Sequence[str]]) -> bool:
    """Whether the answer is about one of the things: it was asked for by name, or its name is in the answer."""
    if act.answer.is_error:
        return False
    asked = canonical(act.call.arguments).decode()  # not `content`: notices come with it
    return any(_has(asked, name) or _has(act.answer.body, name) for names in things for name in names)


def _has(text: str, name: str) -> bool:
    at = text.find(name)
    while at >= 0:
        around = text[max(0, at - 1) : at] + text[at + len(name) : at + len(name) + 1]
        if not any(c.isalnum() for c in around):
            return True
        at = text.find(name, at + 1)
    return False


def _bound(value: Json) -> tuple[str, Duration]:
    """`<= 30m` as its sign and its span.

    Raises:
        ExpressionError: it is neither `<=` nor `>=` and a duration.
    """
    text = str(value).strip()
    sign = text[:2]
    if sign not in ("<=", ">="):
        raise ExpressionError(f"expected <= 30m or >= 5m, found {value!r}")
    return sign, parse_duration(text[2:])


def _calls_mistakes(value: Json) -> list[str]:
    if not isinstance(value, dict) or not value:
        return [f"expected {{name: 1..2}}, found {value!r}"]
    return [problem for amount in value.values() for problem in _problem(parse_count, amount)]


def _names_mistakes(value: Json) -> list[str]:
    is_list = isinstance(value, list) and bool(value) and all(isinstance(entry, str) for entry in value)
    return [] if is_list else [f"expected a list of call names, found {value!r}"]


def _order_mistakes(value: Json) -> list[str]:
    wrong = _names_mistakes(value)
    return wrong or ([] if len(names_in(value)) > 1 else [f"expected two names or more, found {value!r}"])


def _selectors_mistakes(value: Json) -> list[str]:
    if not isinstance(value, list) or not value:
        return [f"expected a list of selectors, found {value!r}"]
    return [problem for entry in value for problem in _problem(parse_selector, str(entry))]


def _bound_mistakes(value: Json) -> list[str]:
    return _problem(_bound, value)


def _problem(parse: Callable[..., object], value: Json) -> list[str]:
    try:
        parse(value)
    except ExpressionError as error:
        return [str(error)]
    return []


_Part = Callable[[EndState, Sequence[CallRecord], Json], Iterator[_Finding]]
_PARTS: Final[Mapping[str, _Part]] = {
    "calls": _calls, "before": _before, "never": _never, "waited": _waited, "read": _read
}  # fmt: skip
_MISTAKES: Final[Mapping[str, Callable[[Json], list[str]]]] = {
    "calls": _calls_mistakes, "before": _order_mistakes, "never": _names_mistakes, "waited": _bound_mistakes,
    "read": _selectors_mistakes,
}  # fmt: skip

trajectory: Grader = _Trajectory()
