"""What only some apps do. An app lists its roles; `app.role(RunsServices)` is that role of it, or None.

app = App(name="ops", ..., roles=(RunsServices(catalogue.services),))
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from brownout.core.artefacts import Artefact, Names
from brownout.core.call_context import Call, Utterance
from brownout.core.calls import Account
from brownout.core.instants import Instant
from brownout.core.intents import Intent
from brownout.core.rows import Rows, Value

if TYPE_CHECKING:
    from sqlalchemy import Table

__all__ = [
    "Asked",
    "Foreseen",
    "HasLists",
    "HasProjects",
    "HasRooms",
    "HoldsCustomers",
    "KeepsCalendars",
    "KeepsRepositories",
    "NeedsSandbox",
    "Place",
    "ResolvesNames",
    "Role",
    "RunsServices",
    "ServiceState",
    "ShowsArtefacts",
    "Sight",
    "TakenKeys",
    "TakesIn",
    "WritesApart",
    "WritesMany",
]


@dataclass(frozen=True, slots=True)
class ServiceState:
    """How a service is set up now; health follows from it.

    Attributes:
        needs: what serves each of its needs now (`database: aws-rds/eu-west-1`).
        flags: its feature flags.
        version: the release that runs, and the commit that it was built from (empty where there is no repository).
        lost: the needs whose data is gone, whatever serves them: the service is down until they have it again.
    """

    name: str
    needs: Mapping[str, str]
    flags: Mapping[str, bool]
    version: str
    commit: str
    lost: frozenset[str] = field(default=frozenset())


@dataclass(frozen=True, slots=True)
class RunsServices:
    """It runs the company's services: `states` says how each is set up, and its settings are completed with them."""

    states: Callable[[Rows], Mapping[str, ServiceState]]


class _FilesAt(Protocol):
    def __call__(self, rows: Rows, folder: Path, repository: str, ref: str, /) -> Mapping[str, bytes]: ...


@dataclass(frozen=True, slots=True)
class KeepsRepositories:
    """It keeps the code bases.

    Attributes:
        files: of a repository at a ref, path -> content (the app's rows, the package's folder, repository, ref). Raises
            LookupError where there is no such repository or ref.
    """

    files: _FilesAt


@dataclass(frozen=True, slots=True)
class TakesIn:
    """It takes in what is said in other apps, as whoever said it: a mail to support@ opens a conversation.

    Attributes:
        said: takes it in; what it writes is never damage.
        heeds: whether it may take in what somebody of that account says so. It knows no tables, so that most of what is said costs nothing.
    """

    said: Callable[[Call, Utterance], None]
    heeds: Callable[[Account, Utterance], bool] = lambda account, said: True


@dataclass(frozen=True, slots=True)
class HoldsCustomers:
    """It is the register of customers: its settings are completed with the world's, as `customers`.

    Attributes:
        inboxes: the addresses whose mail it takes in as conversations with customers, by name.
        conversation: how people call the conversation that the mail at a path belongs to; empty where it is of none.
    """

    inboxes: Callable[[Rows], Sequence[str]] = lambda rows: ()
    conversation: Callable[[Rows, str], str] = lambda rows, path: ""


@dataclass(frozen=True, slots=True)
class KeepsCalendars:
    """People meet by it: `invite` makes a meeting of `start_us` and `end_us`, or moves the one that `moves` names by its
    key; `acknowledge` answers an invitation, with the `response` given (accepted, declined, tentative) or by what else
    there is at that time.
    """


@dataclass(frozen=True, slots=True)
class HasLists:
    """Mail to some of its addresses goes to several people: `lists` are their short names by the address's name."""

    lists: Callable[[Rows], Mapping[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class NeedsSandbox:
    """It runs code: a task with it is not begun where the sandbox cannot run."""


@dataclass(frozen=True, slots=True)
class ShowsArtefacts:
    """Its rows are chat messages, mails, tickets, pull requests, commits or other texts of people.

    Attributes:
        artefacts: all of them (the app's rows, the package's folder), in any order.
    """

    artefacts: Callable[[Rows, Path], Iterator[Artefact]]


@dataclass(frozen=True, slots=True)
class ResolvesNames:
    """People name its things in texts, and it can tell a name that is nothing's.

    Unlike `App.references`, which finds what is there in one text, this reads the rows once for all texts and yields
    what is not there as well.

    Attributes:
        names: finds the names in texts (the app's rows, the package's folder).
    """

    names: Callable[[Rows, Path], Names]


@dataclass(frozen=True, slots=True)
class HasRooms:
    """People talk in it, in rooms: `rooms` says who reads each, with its purpose, by the name that intents address it by.

    Attributes:
        add: makes one more that everybody reads (call, name, purpose); None where that cannot be.
    """

    rooms: Callable[[Rows], Mapping[str, tuple[str, tuple[str, ...]]]]
    add: Callable[[Call, str, str], None] | None = None


@dataclass(frozen=True, slots=True)
class HasProjects:
    """Tickets are kept in it by project: `names` are those of what there is, by key, `add` makes one (call, key, name, who leads it).

    `page` is where a ticket is read in a browser, below its site and before its key: `browse/`; empty where nowhere.
    """

    names: Callable[[Rows], Mapping[str, str]]
    add: Callable[[Call, str, str, str], None]
    page: str = ""


@dataclass(frozen=True, slots=True)
class WritesMany:
    """It writes many intents of its people at once, much faster than one by one.

    Attributes:
        write: given a call for each moment, and intents with their moments, oldest first, writes exactly the rows that its
            intent handlers would, and returns the path of each; of one that its handler would refuse, an empty one. A thing
            may be called by its path, or by the key of an earlier intent of the same batch. Nobody is told; nothing
            follows. It is asked only for what fell due while no outage held. It reads and writes the tables of its own app
            alone, so that it may be asked later: before anybody looks at these.
        concerns: given an author's call, an intent and some people, whether one of these would be told of it. It may say so
            of an intent that nobody is told of, and then that is lived by itself. It asks the rows and nothing else that changes:
            what it says is kept for other sessions in which these are the same.
    """

    write: Callable[[Callable[[Instant], Call], Sequence[tuple[Instant, Intent]]], Sequence[str]]
    concerns: Callable[[Call, Intent, frozenset[str]], bool] = lambda call, intent, people: True


Place: TypeAlias = Hashable
"""Where something is seen, in an app's own words: the key of a channel, of a ticket, of its project."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What an intent will write, as it falls due.

    Attributes:
        places: what it writes is seen by those alone who look at one of these, or at a place of what it goes on with where that is
            not written yet; None where others may see it.
        takes_key: one of what it writes is a row of `TakenKeys.table`.
    """

    places: frozenset[Place] | None
    takes_key: bool = False


Asked: TypeAlias = Sequence[Value] | Mapping[str, Value] | int
"""A statement's parameters; of a table the columns of the one row that is added, or the key of the one that is read."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What is seen by a statement, or by who reads a row of a table, adds one or changes some.

    Attributes:
        places: those that are seen whatever is asked for.
        besides: the places that are seen besides where that depends on what is asked for; None of it may be any.
    """

    places: frozenset[Place] = frozenset()
    besides: Callable[[Asked], frozenset[Place] | None] | None = None


@dataclass(frozen=True, slots=True)
class TakenKeys:
    """Of the rows of a table keys are taken when the intents fall due that add them, so others may be added before these are written.

    Attributes:
        table: whose rows these are; each intent adds one.
        write: as `WritesMany.write`, with the keys that were taken, by the key of the intent.
    """

    table: "Table"
    write: Callable[
        [Callable[[Instant], Call], Sequence[tuple[Instant, Intent]], Mapping[str, int]],
        Sequence[str],
    ]


@dataclass(frozen=True, slots=True)
class WritesApart:
    """Beside `WritesMany`: what its people write in one place is not seen in another, so it may be written after somebody looked elsewhere.

    Attributes:
        foresee: given an author's call and an intent, where what it will write is seen. None where it is to be done at once: where that
            cannot be known, and where a key would be taken of somebody whom the handler might refuse. It writes nothing itself,
            and asks the rows, the call's moment, and nothing else that changes.
        sight: what is seen by a statement, or of a table by its name; None where that may be anything. Who adds a row sees every
            place where something waits without which its key would be another one; who changes rows may change what that says.
        keys: those taken beforehand; None where none are.
    """

    foresee: Callable[[Call, Intent], Foreseen | None]
    sight: Callable[[str], Sight | None]
    keys: TakenKeys | None = None


Role: TypeAlias = (
    RunsServices
    | KeepsRepositories
    | TakesIn
    | HoldsCustomers
    | HasLists
    | KeepsCalendars
    | NeedsSandbox
    | ShowsArtefacts
    | ResolvesNames
    | HasRooms
    | HasProjects
    | WritesMany
    | WritesApart
)
