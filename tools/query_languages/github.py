"""GitHub's search language for issues, pull requests, code and repositories.

Sources, all on docs.github.com: "Searching issues and pull requests", "Searching code" and "Searching for
repositories" for the qualifiers; "Understanding the search syntax" for ranges, dates, `NOT` and `-`; "Filtering and
searching issues and pull requests" for `AND`, `OR`, brackets, commas in `label:` and the rule that several `repo:`,
`org:` and `user:` side by side widen the search; "Sorting search results" for `sort:`. Reading never fails (`problems` names what makes no sense, and our apps refuse it): the docs list no
error for an unknown qualifier, and it is looked for as words here, as is a date or number that is none. (One report of
2026, objectstack-ai/objectui#7185, measured that such a word finds nothing on github.com.) `AND` binds tighter than
`OR`; only capitals join.

Fields: `repository`, `owner`, `state`, `type`, `author`, `assignee`, `mention`, `commenter`, `involved`, `label`,
`milestone` and others in `_NAMES` (`=`, `in`, `is`/`is not` with `EMPTY`); `created`, `updated`, `closed`, `merged`,
`pushed` (a `Span`); `comments` and other counts (a `Number` or a `Range`); `is` for what else can follow it. `path` and
`head` are compared as a whole like all names: a builder, or a record, knows that a folder holds what is below it.
"""

import re
from datetime import datetime

from brownout.core.calendar_days import EARLIEST, LATEST, Stretch, wall
from brownout.core.instants import SECOND, Instant, from_datetime
from tools.query_languages.ast import (
    EMPTY,
    ME,
    And,
    Condition,
    Empty,
    Field,
    Function,
    Not,
    NumberValue,
    Op,
    Or,
    Order,
    Range,
    Search,
    TextNode,
    TimeSpan,
    Values,
    Word,
    all_of,
    any_of,
    conditions,
)
from tools.query_languages.mistakes import DAY as A_DAY
from tools.query_languages.mistakes import mistakes_in
from tools.query_languages.numeric_dates import read_day
from tools.query_languages.terms import Grammar, Joint, Term, quoted, read, tree
from tools.query_languages.words import phrase, word

__all__ = ["parse", "problems", "unparse"]

_NAMES = {
    "repo": "repository", "org": "owner", "user": "owner", "is": "is", "type": "type", "state": "state",
    "label": "label", "milestone": "milestone", "project": "project", "status": "status", "head": "head",
    "base": "base", "language": "language", "draft": "draft", "review": "review", "archived": "archived",
    "reason": "reason", "linked": "linked", "team": "team", "team-review-requested": "requested_team",
    "filename": "filename", "path": "path", "extension": "extension", "license": "license", "topic": "topic",
    "fork": "fork", "sha": "sha",
}  # fmt: skip
_PEOPLE = {
    "author": "author", "assignee": "assignee", "mentions": "mention", "commenter": "commenter",
    "involves": "involved", "reviewed-by": "reviewer", "review-requested": "requested_reviewer",
    "user-review-requested": "requested_reviewer",
}  # fmt: skip
_MISSING = {ours: written for written, ours in {**_NAMES, **_PEOPLE}.items()}
_DATES = frozenset({"created", "updated", "closed", "merged", "pushed"})
_COUNTS = frozenset({"comments", "interactions", "reactions", "size", "stars", "forks", "followers"})
_STATES = frozenset({"open", "closed"})
_TYPES = {"issue": "issue", "pr": "pr", "pull-request": "pr"}
_OWNERS = frozenset({"repository", "owner"})
_PLACES = frozenset({"title", "body", "comments", "file", "path", "name", "description", "readme", "topics"})

_GRAMMAR = Grammar(
    names=frozenset({*_NAMES, *_PEOPLE, *_DATES, *_COUNTS, "no", "in", "sort"}),
    lists=frozenset({"label", "in"}),
    brackets="()",
    joints=frozenset({"AND", "OR", "NOT"}),
)
_COMPARED = re.compile(r"(>=|<=|>|<)?(.+)")
_SORT = re.compile(r"[A-Za-z0-9+_-]+")
_COUNT = re.compile(r"[0-9]{1,15}")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(Z|[+-][0-9]{2}:?[0-9]{2})?")
_OPS: dict[str | None, Op] = {None: "=", ">=": ">=", "<=": "<=", ">": ">", "<": "<"}


def parse(text: str, *, now: Instant, zone: str) -> Search:
    """What a query asks for; never fails.

    Args:
        text: the query, qualifiers and `sort:` included.
        now: not used; no date of this language is relative.
        zone: where a date without offset begins at midnight; GitHub's own is `UTC`.
    """
    tokens = read(text, _GRAMMAR)
    terms = [token for token in tokens if isinstance(token, Term) and not token.is_negated]
    order = tuple(_order(term) for term in terms if _is_sort(term))
    within = tuple(dict.fromkeys(part.lower() for term in terms if _is_place(term) for part in term.parts))
    return Search(tree(tokens, lambda term: _leaf(term, zone, within), _join), order)


def problems(text: str, *, zone: str) -> list[str]:
    """What a query says that makes no sense, which `parse` takes for words."""
    expected = {
        **dict.fromkeys(_DATES, f"{A_DAY}, >={A_DAY[-10:]} or a range of two with .. between"),
        **dict.fromkeys(_COUNTS, "a number, >=10 or 10..20"),
        "in": "title, body or comments",
    }

    def is_understood(term: Term) -> bool:
        return _is_sort(term) or _is_place(term) or _field(term, zone) is not None

    return [*mistakes_in(text, _GRAMMAR, is_understood, expected)]


def _is_place(term: Term) -> bool:
    return term.name == "in" and all(part.lower() in _PLACES for part in term.parts)


def _is_sort(term: Term) -> bool:
    return term.name == "sort" and _SORT.fullmatch(term.text) is not None


def _order(term: Term) -> Order:
    """`sort:updated-asc`; the largest or latest come first unless it says otherwise."""
    text = term.text.lower()
    is_ascending = text.endswith("-asc")
    key = text.removesuffix("-asc").removesuffix("-desc")
    return Order(key, not is_ascending, key)


def _join(elements: list[Condition | Joint], _is_braced: bool) -> Condition | None:
    choices: list[list[list[Condition]]] = [[[]]]
    for element in elements:
        if not isinstance(element, str):
            choices[-1][-1].append(element)
        elif element == "OR":
            choices.append([[]])
        else:
            choices[-1].append([])
    found = [all_of([part for run in runs for part in _widened(run)]) for runs in choices]
    return any_of([choice for choice in found if choice])


def _is_owner(part: Condition) -> bool:
    return isinstance(part, Field) and part.name in _OWNERS


def _widened(run: list[Condition]) -> list[Condition]:
    """Terms side by side; those that name repositories or their owners become one choice where the first stood."""
    owners = any_of([part for part in run if _is_owner(part)])
    if owners is None:
        return run
    first = next(place for place, part in enumerate(run) if _is_owner(part))
    return [*run[:first], owners, *(part for part in run[first:] if not _is_owner(part))]


def _leaf(term: Term, zone: str, within: tuple[str, ...]) -> Condition | None:
    if not term.is_negated and (_is_sort(term) or _is_place(term)):
        return None
    found = _field(term, zone) if term.name else None
    if found:
        return found
    text = term.as_text() if term.name else (phrase if term.is_quoted else word)(term.text)
    return TextNode(text.words, text.phrase, text.prefix, within) if text else None


def _field(term: Term, zone: str) -> Field | None:
    """The condition of a qualifier, None if its value makes no sense."""
    name, text = term.name, term.text.strip()
    if name == "no":
        missing = {**_NAMES, **_PEOPLE}.get(text.lower())
        return Field(missing, "is", EMPTY, name) if missing else None
    if name in _PEOPLE:
        return _person(name, text)
    if name in _NAMES:
        return _named(name, term.parts)
    if name not in _DATES and name not in _COUNTS:
        return None
    low, dots, high = text.partition("..")
    found = _COMPARED.fullmatch(text)
    if name in _DATES:
        if dots:
            between = _between(low, high, zone)
            return Field(name, "=", TimeSpan(*between, text), name) if between else None
        day = _moment(found[2], zone) if found else None
        return Field(name, _OPS[found[1]], TimeSpan(day.start, day.end, found[2]), name) if found and day else None
    if dots and all(side == "*" or _COUNT.fullmatch(side) for side in (low, high)) and low + high != "**":
        return Field(name, "=", Range(*(None if side == "*" else int(side) for side in (low, high))), name)
    is_count = found and _COUNT.fullmatch(found[2])
    return Field(name, _OPS[found[1]], NumberValue(int(found[2])), name) if found and is_count else None


def _person(name: str, text: str) -> Field | None:
    if text == "*":
        return Field(_PEOPLE[name], "is not", EMPTY, name)
    login = text.removeprefix("@")
    return Field(_PEOPLE[name], "=", ME if text.lower() == "@me" else Word(login), name) if login else None


def _named(name: str, parts: tuple[str, ...]) -> Field:
    if len(parts) > 1:
        return Field(_NAMES[name], "in", Values(tuple(map(Word, parts))), name)
    text = parts[0]
    if text == "*":
        return Field(_NAMES[name], "is not", EMPTY, name)
    plain = text.lower()
    if name in ("is", "type") and plain in _TYPES:
        return Field("type", "=", Word(_TYPES[plain]), name)
    if name == "is" and plain in _STATES:
        return Field("state", "=", Word(plain), name)
    return Field(_NAMES[name], "=", Word(text), name)


def _moment(text: str, zone: str) -> Stretch | None:
    """The day or, with a time, the second that is meant."""
    if not _TIME.fullmatch(text):
        return read_day(text, zone) if re.match(r"[0-9]{4}-", text) else None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    at = wall(moment, zone) if moment.tzinfo is None else from_datetime(moment)
    return Stretch(at, at + SECOND) if EARLIEST < at < LATEST else None


def _between(low: str, high: str, zone: str) -> tuple[Instant | None, Instant | None] | None:
    first, last = _moment(low, zone), _moment(high, zone)
    if not (first or low == "*") or not (last or high == "*") or not (first or last):
        return None
    return first.start if first else None, last.end if last else None


def unparse(search: Search) -> str:
    """A query that asks for the same; reading it again gives an equal search."""
    parts = [] if search.condition is None else [_written(search.condition)]
    texts = [leaf for leaf in conditions(search.condition) if isinstance(leaf, TextNode)]
    if texts and texts[0].within:
        parts.append(f"in:{','.join(texts[0].within)}")
    parts += [f"sort:{order.written}-{'desc' if order.descending else 'asc'}" for order in search.order]
    return " ".join(parts)


def _written(condition: Condition) -> str:
    match condition:
        case And(parts):
            return _side_by_side(parts)
        case Or(parts):
            return " OR ".join(_written(part) for part in parts)
        case Not(part):
            return "-" + (f"({_written(part)})" if isinstance(part, And | Or) else _written(part))
        case TextNode(words, phrase=is_phrase):
            return f'"{" ".join(words)}"' if is_phrase else " ".join(words)
        case Field():
            return _qualified(condition)


def _side_by_side(parts: tuple[Condition, ...]) -> str:
    """Parts with spaces between; `AND` keeps apart those that would otherwise widen each other."""
    written: list[str] = []
    has_owner = False
    for part in parts:
        choice = part.parts if isinstance(part, Or) else (part,)
        is_owner = all(map(_is_owner, choice))
        if is_owner and has_owner:
            written.append("AND")
        has_owner = has_owner or is_owner
        text = " ".join(map(_written, choice)) if is_owner else _written(part)
        written.append(f"({text})" if isinstance(part, Or) and not is_owner else text)
    return " ".join(written)


def _qualified(field: Field) -> str:
    name = field.written
    match field.value:
        case Empty():
            text = "*" if field.op == "is not" else _MISSING[field.name]
        case Function():
            text = "@me"
        case Values(items):
            text = ",".join(quoted(item.text, "(),") for item in items if isinstance(item, Word))
        case Range(low, high):
            text = f"{'*' if low is None else low}..{'*' if high is None else high}"
        case NumberValue(number):
            text = f"{number}"
        case TimeSpan(source=str(source)):
            text = source
        case Word(source):
            text = quoted(source, "(),")
        case _:
            text = ""
    return f"{name}:{'' if field.op in ('=', 'is', 'is not', 'in') else field.op}{text}"
