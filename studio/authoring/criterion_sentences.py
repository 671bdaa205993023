"""What a criterion asks, as a sentence that a person reads."""

import re
from collections.abc import Mapping, Sequence

from brownout.core.values import Json
from studio.app_titles import app_title
from worlds.spec import Criterion

__all__ = ["criterion_sentence"]


def criterion_sentence(criterion: Criterion) -> str:
    """What it asks: `first-complaint in Jira has status Done, by start + 60m.`."""
    text = _said(criterion.grader, criterion.asks)
    if criterion.by:
        text += f", by {criterion.by}"
    if criterion.needs:
        text += f"; counts only with {_and(criterion.needs)}"
    is_plain = text.startswith(("the ", "nobody", "a ", "it "))
    return f"{text[0].upper()}{text[1:]}." if is_plain else f"{text}."


def _said(grader: str, asks: Json) -> str:
    words = asks if isinstance(asks, Mapping) else {}
    match grader:
        case "world_state" if "only" in words:
            return f"the agent changed nothing but {_and(words['only'])}"
        case "world_state":
            return "; ".join(f"{_thing(thing)} has {_fields(fields)}" for thing, fields in words.items())
        case "findings":
            fields = words.get("fields", asks) if words else asks
            where = f" in {_thing(str(words['in']))}" if "in" in words else ", as recorded"
            return f"{_and(fields)} {'is' if _count(fields) == 1 else 'are'} right{where}"
        case "told":
            what = _and(words.get("facts", words.get("fields", "")))
            return f"{_and(words.get('whom', 'somebody'))} {'was' if _count(words.get('whom')) == 1 else 'were'} told {what}"
        case "document":
            return _document(words)
        case "disclosure":
            return f"nobody was told what is not for them ({_and(asks)})"
        case "seen":
            return f"the agent has seen {_and(asks)}"
        case "unit_tests":
            return f"the code of {words.get('repo', 'the repository')} {words.get('at', '')} passes {words.get('run', 'its tests')}".replace(
                "  ", " "
            )
        case "trajectory":
            return _trajectory(words)
        case "judge":
            lines = words.get("lines")
            if isinstance(lines, Mapping):
                return f"a judge reads {words.get('reads', 'the answer')} for {_and([*lines])}"
            return f"a judge reads {words.get('reads', 'the answer')}: {words.get('asks', '')}".rstrip(": ")
    return f"{grader.replace('_', ' ')}: {_and(asks)}"


def _document(words: Mapping[str, Json]) -> str:
    parts = []
    if "sections" in words:
        parts.append(f"has the sections {_and(words['sections'])}")
    if "fields" in words:
        parts.append(f"says {_and(words['fields'])} rightly")
    holds = words.get("holds")
    if isinstance(holds, Mapping):
        parts += [f"says {_and(what)}" + ("" if place == "*" else f" under “{place}”") for place, what in holds.items()]
    if "never" in words:
        parts.append(f"never mentions {_and(words['never'])}")
    if "cites" in words:
        parts.append(f"cites {_and(words['cites'])}")
    if "words" in words:
        parts.append(f"is {words['words']} words long")
    return f"{_thing(str(words.get('find', 'a document')))} {_and(parts) if parts else 'is there'}"


def _trajectory(words: Mapping[str, Json]) -> str:
    parts = []
    calls = words.get("calls")
    if isinstance(calls, Mapping):
        parts.append(_and([f"{name} is called {count} times" for name, count in calls.items()]))
    if "before" in words and isinstance(words["before"], Sequence):
        parts.append(" comes before ".join(map(str, words["before"])))
    if "never" in words:
        parts.append(f"{_and(words['never'])} is never called")
    if "waited" in words:
        parts.append(f"it waited {words['waited']}")
    if "read" in words:
        parts.append(f"it read {_and(words['read'])}")
    return "; ".join(parts) or "the calls are as asked"


def _fields(fields: Json) -> str:
    if not isinstance(fields, Mapping):
        return _and(fields)
    return _and([f"{name.replace('_', ' ')} {_value(value)}" for name, value in fields.items()])


def _value(value: Json) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{word} {_and(what)}" for word, what in value.items())
    return re.sub(r"\s*\|\s*", " or ", _and(value))


def _thing(selector: str) -> str:
    app, colon, thing = selector.partition(":")
    return f"{thing} in {app_title(app)}" if colon else selector


def _and(value: object) -> str:
    if isinstance(value, Mapping):
        return _and([f"{key} {_and(part)}" for key, part in value.items()])
    if isinstance(value, str) or not isinstance(value, Sequence):
        return "nothing" if value in (None, "") else str(value)
    words = [_and(one) for one in value]
    if not words:
        return "nothing"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _count(value: object) -> int:
    return len(value) if isinstance(value, Sequence) and not isinstance(value, str) else 1
