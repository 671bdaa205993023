"""What an app is: tables, operations an agent may call, intents a coworker may have carried, and names.

An app is one value, `App`, found by name through the registry. Its `records` module is the only writer of
its tables: operations call it during a session and intent handlers call it while a world is being built.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel

from brownout.core.calls import Account, Effect, NoticeKind
from brownout.core.entities import EntityReference
from brownout.core.faults import Fault, Refusal, RefusalKind
from brownout.core.instants import Duration, Instant
from brownout.core.roles import Role
from brownout.core.rows import Row, Rows
from brownout.core.sections import Section
from brownout.core.seeds import Stream
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

IntentKind: TypeAlias = Literal[
    "tell", "ask", "answer", "acknowledge", "page", "assign", "open", "begin", "close", "comment", "review", "approve",
    "merge", "push", "write", "deploy", "alert", "resolve", "announce", "react", "edit", "read",
    "invite", "check",
]  # fmt: skip
"""What somebody wants done, whatever product carries it."""

COMPLAINT: Final = "complaint/"
"""What stands before the customer in the name of a complaint (`complaint/corner-shop`)."""


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
class Intent:
    """Something a person wants to do or say, before it is known which product will carry it.

    Attributes:
        key: the stable path of its cause (`retries/drop-cap`); random draws and provenance use it.
        who: the person who acts.
        to: people, channels (`#infra`) or groups addressed.
        via: the app to use, empty for the first that works.
        subject: a title where the product has one.
        text: what is said or written, as it will read.
        thing: the logical name of what is acted on or made (`drop-cap`); apps bind it to their own id.
        details: what only the carrying app understands (a patch, a priority).
        facts: facts that the text states.
    """

    kind: IntentKind
    key: str
    who: str
    to: tuple[str, ...] = ()
    via: str = ""
    subject: str = ""
    text: str = ""
    thing: str = ""
    details: JsonObject = field(default_factory=dict)
    facts: tuple[str, ...] = ()


HealthState: TypeAlias = Literal["ok", "slow", "errors", "down"]


@dataclass(frozen=True, slots=True)
class Health:
    """How a service (or a vendor's part) is, from a moment on.

    Attributes:
        error_percent: share of its requests that fail.
        latency_ms: what a typical request takes.
        load_percent: of the usual load; retries and queues raise it.
        cause: what it comes from: the need or behaviour that broke it, empty where nothing did.
    """

    service: str
    since: Instant
    state: HealthState
    error_percent: int
    latency_ms: int
    load_percent: int
    cause: str = ""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a service's log."""

    at: Instant
    level: Literal["INFO", "WARNING", "ERROR"]
    text: str


class Systems(Protocol):
    """The company's services and the vendors they hang on, as the products that watch them may see them."""

    def services(self) -> list[str]:
        """The names of the company's services, sorted."""
        ...

    def health(self, service: str, at: Instant | None = None) -> Health:
        """How a service or a vendor's part is now, or was at a moment not after now.

        Raises:
            KeyError: nothing is called that.
        """
        ...

    def metric(
        self, service: str, name: str, since: Instant, until: Instant, step: Duration
    ) -> list[tuple[Instant, int]]:
        """Points of a metric: `requests` (a minute), `error_rate` (percent), `latency_p50`, `latency_p95` (ms), `cpu`
        (percent), `connections`.

        Raises:
            KeyError: no such service or metric.
        """
        ...

    def logs(self, service: str, since: Instant, until: Instant, *, limit: int, contains: str = "") -> list[LogLine]:
        """The newest log lines in a stretch of time, oldest first.

        Raises:
            KeyError: no such service.
        """
        ...


class Call(Protocol):
    """What an operation or an intent handler works with; it is the only way to the world."""

    @property
    def rows(self) -> Rows: ...
    @property
    def now(self) -> Instant: ...
    @property
    def actor(self) -> Account: ...
    @property
    def systems(self) -> Systems: ...

    def account(self, person: str) -> Account:
        """The account of a person by short name.

        Raises:
            KeyError: nobody is called that.
        """
        ...

    def stream(self, *path: str | int) -> Stream:
        """The random stream of this world and this path."""
        ...

    def reach(self, person: str, kind: NoticeKind, path: str, text: str) -> None:
        """Say that something is meant for a person: the agent gets a notice, a coworker will read it."""
        ...

    def follow(self, intent: Intent, after: Duration) -> None:
        """Have an intent carried out some time later, as a consequence of what is done now (a merge deploys)."""
        ...

    def outage(self, app: str, operation: str, *, writes: bool, key: str) -> Fault | None:
        """What the outages that hold now do to something asked of another app, by whatever way (git over ssh).

        It counts as no request. `key` makes chance repeatable.
        """
        ...

    def take(self, time: Duration) -> None:
        """Say that what is done takes so much longer."""
        ...

    def file(self, name: str) -> Path:
        """A file or folder of the world package (`repos/boxoffice.git`), to be read only."""
        ...

    def bind(self, name: str, path: str) -> None:
        """Remember that the author's logical name stands for what is at `path` (`jira:BOX.issue/BOX-41`)."""
        ...

    def bound(self, name: str) -> str | None:
        """The path that a logical name stands for, None while nothing was made for it."""
        ...


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


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something said by an effect: the text and the people it can be read by.

    Attributes:
        subject: a title, where the product has one; `text` may begin with it.
        answers: the path of the first thing of the conversation that it goes on, empty where it begins one.
    """

    path: str
    text: str
    to: frozenset[str]
    subject: str = ""
    answers: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """One simulated product.

    Attributes:
        name: prefix of its operations, tables and paths.
        vendor: what outages and status pages call it.
        tables: its SQLAlchemy tables; each name starts with `<name>_`.
        intents: what it can carry out for people, and how.
        refuse: an outage in the vendor's words.
        open_account: makes somebody's account; the world's builder calls it once for each.
        path_of: the path of a row (`slack:#ops.message/1771…`), for closed-world checks.
        find: the things a selector's pattern names; `*` matches any run of characters.
        utterance: what an effect said, None where it says nothing.
        roles: what only some apps do (`RunsServices`, `KeepsRepositories` ...).
        verbs: what authors' words come to it where they name no app: `opens`, `mails`, `talks`; see `worlds.spec.verbs`.
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
