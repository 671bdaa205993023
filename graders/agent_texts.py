"""The texts that an agent wrote and a grader reads: pages, mails, the answer."""

from dataclasses import dataclass

from brownout.core.apps import Thing
from brownout.core.errors import BrokenRubric
from brownout.core.grading import EndState
from brownout.core.instants import Instant
from brownout.core.rows import Row
from worlds.expressions import ExpressionError, parse_selector
from worlds.facts import visible

__all__ = ["ANSWER", "AgentText", "find_mistake", "texts_found"]

ANSWER = "answer"
_TITLES = ("title", "subject", "summary", "name")
_BODIES = ("body", "text", "content", "description")


@dataclass(frozen=True, slots=True)
class AgentText:
    """Something the agent wrote.

    Attributes:
        body: as its reader sees it.
        at: when it was last changed.
        source: as it is written, with what its reader does not see.
        original: its source before the agent first changed it; empty where the agent made it.
    """

    path: str
    title: str
    body: str
    at: Instant
    source: str = ""
    original: str = ""


def find_mistake(find: object) -> str:
    """What is wrong with a `find`, empty where nothing is."""
    if not isinstance(find, str) or not find.strip():
        return 'find takes "answer" or app:pattern, such as docs:Postmortem*'
    if find == ANSWER:
        return ""
    try:
        parse_selector(find)
    except ExpressionError as error:
        return f"find: {error}"
    return ""


def texts_found(end: EndState, find: str, *, is_optional: bool = False) -> list[AgentText]:
    """The texts that fit and that the agent wrote or changed, the one changed last first.

    Args:
        is_optional: what fits may be no text itself (a ticket whose comments are meant), and is left out then.

    Raises:
        BrokenRubric: the world has no such app, or what fits is no text.
    """
    if find == ANSWER:
        said = next((each.at for each in reversed(end.said) if each.path == ANSWER), end.end)
        return [AgentText(ANSWER, "", visible(end.answer), said, end.answer)] if end.answer.strip() else []
    app, _, pattern = find.partition(":")
    found = []
    for thing in end.find(app, pattern):
        at = end.changed_at(thing)
        if is_optional and not any(name in thing.fields for name in _BODIES):
            continue
        if at is not None and thing.fields.get("from", end.actor.person) == end.actor.person:
            body = _body(thing)
            row = end.before(thing) or Row()
            original = next((str(row[name]) for name in _BODIES if row.get(name)), "")
            found.append(AgentText(thing.path, _first(thing, _TITLES), visible(body), at, body, original))
    return sorted(found, key=lambda text: (-text.at, text.path))


def _body(thing: Thing) -> str:
    if not any(name in thing.fields for name in _BODIES):
        raise BrokenRubric(f"{thing.path} has no text that could be read; it has {', '.join(sorted(thing.fields))}")
    return _first(thing, _BODIES)


def _first(thing: Thing, names: tuple[str, ...]) -> str:
    return next((str(thing.fields[name]) for name in names if thing.fields.get(name)), "")
