"""What an operation or an intent handler works with, and what came of it for others to read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from brownout.core.calls import Account, NoticeKind
from brownout.core.faults import Fault
from brownout.core.instants import Duration, Instant
from brownout.core.intents import Intent
from brownout.core.rows import Rows
from brownout.core.seeds import Stream
from brownout.core.systems import Systems

__all__ = ["Call", "Utterance"]


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
