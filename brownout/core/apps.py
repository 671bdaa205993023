"""What an app is: tables, operations an agent may call, intents a coworker may have carried, and names.

An app is one value, `App`, found by name through the registry. Its `records` module is the only writer of
its tables: operations call it during a session and intent handlers call it while a world is being built.
Whoever writes an app finds here also what operations and handlers work with (`Call`, `Intent`, `Systems`).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pydantic import BaseModel

from brownout.core.app_roles import Role
from brownout.core.call_context import Call, Utterance
from brownout.core.calls import Account, Effect
from brownout.core.entities import EntityReference
from brownout.core.faults import Refusal, RefusalKind
from brownout.core.instants import Duration
from brownout.core.intents import COMPLAINT, Intent, IntentKind
from brownout.core.rows import Row, Rows
from brownout.core.storyline_sections import Section
from brownout.core.systems import Health, HealthState, LogLine, Systems
from brownout.core.values import Json, JsonObject
from brownout.core.vocabulary import AppText

if TYPE_CHECKING:
    from sqlalchemy import MetaData

__all__ = [
    "COMPLAINT",
    "App",
    "Call",
    "Cell",
    "EntityReference",
    "Health",
    "HealthState",
    "Intent",
    "IntentHandler",
    "IntentKind",
    "LogLine",
    "Operation",
    "OutsideWork",
    "Refusal",
    "RefusalKind",
    "Systems",
    "Thing",
    "Utterance",
    "VendorError",
    "app_problem",
]

R = TypeVar("R")


class VendorError(Exception):
    """An error the vendor itself would answer with; dispatch turns it into an observation.

    Args:
        code: the vendor's machine-readable word (`channel_not_found`).
        content: the body in the vendor's shape.
        status: the HTTP status the vendor sends it with.
    """

    def __init__(
        self, code: str, content: JsonObject, *, status: int, headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(code)
        self.code = code
        self.content = content
        self.status = status
        self.headers = dict(headers or {})

    @property
    def line(self) -> str:
        """The error in a line: Slack says `error`, Atlassian `errorMessages`, Google and GitHub `message` and `errors`."""
        messages = self.content.get("errorMessages")
        if isinstance(messages, list) and messages:
            return " ".join(str(message) for message in messages)
        inner = self.content.get("error")
        body = inner if isinstance(inner, dict) else self.content
        if isinstance(inner, dict):
            said = str(inner.get("message", self.code))
        else:
            said = str(self.content.get("message") or inner or "").replace("_", " ")
        errors = body.get("errors")
        details = [
            text for text in map(_detail, errors if isinstance(errors, list) else ()) if text and text not in said
        ]
        return ": ".join(part for part in (said, "; ".join(details)) if part) or self.code.replace("_", " ")


def _detail(error: Json) -> str:
    """One of several errors in words: a text, or what GitHub says of a field."""
    if not isinstance(error, dict):
        return str(error)
    return str(
        error.get("message")
        or error.get("title")
        or " ".join(str(error[name]) for name in ("field", "code") if name in error)
    )


@dataclass(frozen=True, slots=True)
class OutsideWork:
    """Work that happens outside the store (a sandbox), returned by an operation or an intent handler in place of its answer.

    What it wrote so far stands. `work` is run with no transaction of the session's open, off any event
    loop, and must not touch the session; `finish` is then given what it returned and makes the answer.
    """

    work: Callable[[], object]
    finish: "Callable[[Call, object], Json]"


IntentHandler: TypeAlias = Callable[[Call, Intent], str | OutsideWork]
"""Carries one intent and returns the path of what it made or changed, or the work that leads to it."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing an account may ask of an app.

    Attributes:
        name: with the app's (`slack_send_message`).
        arguments: the pydantic model of its arguments; its JSON schema is the tool's.
        writes: it changes the product. Reads and writes fail differently in an outage.
        harmless: what it writes is never damage, and nobody sees it (read marks, drafts).
        addition: what it writes is the actor's own and takes nothing from anybody (a comment, a ticket); see `Effect`.
        final: others feel at once what it does, and taking it back does not undo that (a deploy, a payment).
        cost: world time that it takes.
    """

    name: str
    app: str
    summary: str
    description: str
    arguments: type[BaseModel]
    run: Callable[..., Json | OutsideWork]
    writes: bool
    harmless: bool
    addition: bool
    final: bool
    cost: Duration
    schema: JsonObject


Cell: TypeAlias = tuple[str, int] | tuple[str, int, str]
"""A row by (table, key), or one column of it by (table, key, column)."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something in an app that a rubric can name, with its fields as a person would call them."""

    path: str
    fields: JsonObject
    rows: tuple[tuple[str, int], ...] = ()
    """The (table, key) pairs it consists of, so that its last change can be dated."""
    parts: "Mapping[str, tuple[Cell, ...]]" = field(default_factory=dict)
    """The rows, or the columns of a row, that a field is made of, so that a change of one does not date another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """One simulated product.

    Attributes:
        name: prefix of its operations, tables and paths.
        vendor: what outages and status pages call it.
        thing: what people call one of the things that its texts refer to: `ticket`, so that one can be asked for.
        tables: its SQLAlchemy tables; each name starts with `<name>_`.
        intents: what it can carry out for people, and how.
        refuse: an outage in the vendor's words.
        open_account: makes somebody's account; the world's builder calls it once for each.
        path_of: the path of a row (`slack:#ops.message/1771…`), for closed-world checks.
        find: the things a selector's pattern names; `*` matches any run of characters.
        utterance: what an effect said, None where it says nothing.
        roles: what only some apps do (`RunsServices`, `KeepsRepositories` ...).
        verbs: what authors' words come to it where they name no app: `opens`, `mails`, `talks`; see `worlds.spec.short_forms`.
        references: what a text refers to of the app's things, in the ways people write it (a key, a number, a link, a
            title); None where nothing of it is ever referred to.
        text: how what an author writes about it is checked; without it, it is not.
        sections: words that authors may use in storylines of a world with this app, each with what its entries come to.
    """

    name: str
    title: str
    vendor: str
    tables: "MetaData"
    operations: Mapping[str, Operation]
    intents: Mapping[IntentKind, IntentHandler]
    refuse: Callable[[Refusal], VendorError]
    invalid: Callable[[str], VendorError]
    open_account: Callable[[Call, Account], None]
    prepare: Callable[[Call, JsonObject], None]
    path_of: Callable[[Rows, str, Row], str]
    find: Callable[[Rows, str], list[Thing]]
    utterance: Callable[[Rows, Effect], Utterance | None]
    roles: tuple[Role, ...] = ()
    verbs: frozenset[str] = frozenset()
    sections: Mapping[str, Section] = field(default_factory=dict)
    references: Callable[[Rows, str], Iterable[EntityReference]] | None = None
    text: AppText | None = None
    thing: str = ""

    def role(self, kind: type[R]) -> R | None:
        """The app's role of that kind, None where it has none."""
        return next((role for role in self.roles if isinstance(role, kind)), None)


_STORED = "engine_git_"
"""Tables of git's objects that `brownout.store.git` keeps for whichever app has repositories."""


def app_problem(name: str, found: object) -> str:
    """What keeps something from being the app of a name; empty where nothing does."""
    if not isinstance(found, App):
        return f"expected an App, found {type(found).__name__}"
    if found.name != name:
        return f"its entry point is called {name!r} and its App.name is {found.name!r}; they must be the same"
    for table in found.tables.tables:
        if not str(table).startswith((f"{name}_", _STORED)):
            return f"the name of its table {str(table)!r} must begin with '{name}_'"
    for operation in found.operations:
        if not operation.startswith(f"{name}_"):
            return f"its operation {operation!r} must begin with '{name}_': make them with Operations({name!r})"
    return ""
