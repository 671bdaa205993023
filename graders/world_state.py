"""Judges what the world has become, and whether anything else was touched.

    world_state: {"jira:phantom-seats": {status: Done, assignee: tomas}, "ops:boxoffice.version": "1.8.2"}
    world_state: {only: [harmless, own messages, "jira:BOX.issue*"]}                       as a gate

A value is equal, one of `a | b`, or for lists contains all that is listed; `{exactly: [a, b]}` is a list of these and no
others, in any order, `{exactly: []}` of none, and `{lacks: [a, b]}` has neither. `only` is closed-world over the effects of the
agent's own calls: what was made and undone counts too. It names paths, or things: an author's name is that very thing, a title
whatever is called so.
"""

import re
from typing import Final, TypeGuard

from brownout.core.calls import Effect
from brownout.core.grading import EndState, Grader, Means, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json, JsonObject
from brownout.core.wildcards import fits
from worlds.expressions import ExpressionError, parse_selector

__all__ = ["world_state"]

_ALTERNATIVES: Final = re.compile(r"^(.*)\(([^()]*)\)(.*)$")
_OWN_MESSAGE: Final = re.compile(r"^(?!github:|docs:)[\w-]+:[^/]*\.message/|^ops:@[\w-]+\.page/")
"""A mail, a post, a page that somebody was sent; no page of a wiki and no branch, whatever it is called."""


class _WorldState:
    name = "world_state"
    version = 3

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict) or not asks:
            return ["world_state takes a mapping of selectors to values, or {only: [patterns]}"]
        if "only" in asks:
            return [] if isinstance(asks["only"], list) else ["only takes a list of patterns"]
        wrong = []
        for selector, expected in asks.items():
            try:
                field = parse_selector(selector).field
            except ExpressionError as error:
                wrong.append(str(error))
            else:
                wrong += _mistakes_of(selector, expected, is_field=bool(field))
        return wrong

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: Means) -> Verdict:
        """The verdict."""
        assert isinstance(asks, dict)
        only = asks.get("only")
        return _untouched(end, only) if isinstance(only, list) else _holds(end, asks, by)


def _mistakes_of(selector: str, expected: Json, *, is_field: bool) -> list[str]:
    values = [expected] if is_field or not isinstance(expected, dict) else [*expected.values()]
    return [
        f"{selector}: expected a value, {{exactly: [...]}} or {{lacks: [...]}}, found {value!r}"
        for value in values
        if isinstance(value, dict)
        and not (len(value) == 1 and isinstance(value.get("exactly", value.get("lacks")), list))
    ]


def _holds(end: EndState, asks: JsonObject, by: Instant | None) -> Verdict:
    wrong: list[str] = []
    evidence: list[str] = []
    count = 0
    for text, expected in asks.items():
        selector = parse_selector(text)
        wanted = expected if isinstance(expected, dict) and not selector.field else {selector.field: expected}
        things = end.find(selector.app, selector.thing)
        count += len(wanted)
        if not things:
            wrong.extend(f"{text}: there is no such thing" for _ in wanted)
        for thing in things[:1] if "*" not in selector.thing else things:
            evidence.append(thing.path)
            for field, value in wanted.items():
                found, changed = thing.fields.get(field), end.changed_at(thing, field)
                if not _fits(found, value):
                    wrong.append(f"{thing.path}: {field} is {found!r}, expected {value!r}")
                elif by is not None and changed is not None and changed > by:
                    wrong.append(f"{thing.path}: {field} came to be so too late")
    share = max(0.0, (count - len(wrong)) / count)
    reason = wrong[0] if wrong else "the world is as asked"
    return Verdict(not wrong, share, reason, tuple(dict.fromkeys(evidence)))


def _fits(found: Json, expected: Json) -> bool:
    if isinstance(expected, dict):
        [(word, wanted)] = expected.items()
        has = [] if found is None else found
        if not isinstance(has, list) or not isinstance(wanted, list):
            return False
        if word == "lacks":
            return not any(item in has for item in wanted)
        return len(has) == len(wanted) and all(item in has for item in wanted)
    if isinstance(expected, list):
        return isinstance(found, list) and all(item in found for item in expected)
    if isinstance(expected, str) and " | " in expected:
        return found in expected.split(" | ")
    if isinstance(expected, str) and isinstance(found, list):
        return expected in found
    return type(found) is type(expected) and found == expected


def _untouched(end: EndState, only: list[Json]) -> Verdict:
    entries = [entry for entry in only if _is_text(entry)]
    allowed = [option for entry in entries for option in _options(entry)]
    others = [
        (path, f"{act.call.call_id}: {effect.kind} {path}")
        for act in end.acts
        for effect in act.answer.effects
        if not _is_allowed(path := end.path_of(effect), effect, allowed)
    ]
    things = [path for entry in entries for path in _paths(end, entry)] if others else []
    outside = [touched for path, touched in others if not any(_is_below(path, thing) for thing in things)]
    reason = f"touched {outside[0]}" if outside else "nothing else was touched"
    return Verdict(not outside, 0.0 if outside else 1.0, reason, tuple(outside[:10]))


def _is_text(value: Json) -> TypeGuard[str]:
    return isinstance(value, str)


def _paths(end: EndState, entry: str) -> list[str]:
    """The paths of the things that an entry names: the one that the author's name is bound to, else those so called."""
    app, colon, name = entry.partition(":")
    is_path = "*" in name and (any(mark in name for mark in "/.:") or not name.strip("*"))
    if not colon or is_path or "|" in name:
        return []
    bound = end.bound(app, name)
    return [bound] if bound else [thing.path for thing in end.find(app, name)]


def _is_below(path: str, thing: str) -> bool:
    return path == thing or path.startswith((f"{thing}.", f"{thing}/"))


def _options(pattern: str) -> list[str]:
    """`a.(b|c)` as `a.b` and `a.c`."""
    found = _ALTERNATIVES.match(pattern)
    if found is None:
        return [pattern]
    before, either, after = found.groups()
    return [option for part in either.split("|") for option in _options(f"{before}{part}{after}")]


def _is_allowed(path: str, effect: Effect, allowed: list[str]) -> bool:
    for pattern in allowed:
        if pattern == "harmless":
            if effect.harmless:
                return True
        elif pattern == "own messages":
            if effect.kind == "insert" and _OWN_MESSAGE.search(path):
                return True
        elif any(fits(path, f"{pattern}{rest}") for rest in ("", ".*", "/*")):
            return True
    return False


world_state: Grader = _WorldState()
