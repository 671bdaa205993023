"""A package read for a report: everybody in it, every artefact, and the conversations that its chat consists of."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Final, TypeVar

from sqlalchemy import select

from brownout.background.days import Days
from brownout.background.life_sources import read_life
from brownout.core.app_roles import ResolvesNames, ShowsArtefacts
from brownout.core.artefacts import (
    Artefact,
    ChatMessage,
    LandedCommit,
    Name,
    Names,
    PullRequest,
    SentMail,
    Ticket,
    Writing,
)
from brownout.core.instants import HOUR, Instant
from brownout.engine.simulation_setting import Profile, load_app, read_people
from brownout.store import Base, Pool, compile_query
from generators.planned_intents import talk_of
from worlds.package import Package
from worlds.package.engine_tables import binding

__all__ = ["MeasuredCompany", "SaidText", "conversations", "drawing_order", "gaps_of", "read_company"]

A = TypeVar("A", bound=Artefact)

_BINDINGS: Final = compile_query(select(binding.c.name, binding.c.path).order_by(binding.c.id))
_SILENCE: Final = 2 * HOUR
"""What ends a conversation outside threads where nothing else tells: 98 % of the gaps within real ones are shorter."""

SAMPLES: Final = (10_000, 1_000)
"""Sizes of a sample in messages: figures of texts depend on it and are compared at one size only."""


def drawing_order(one: Artefact) -> bytes:
    """Where an artefact stands in an order that has nothing to do with it."""
    return blake2b(one.path.encode(), digest_size=8).digest()


@dataclass(frozen=True, slots=True)
class SaidText:
    """A text of a person's, whatever product it stands in.

    Attributes:
        kind: what it is part of: `chat`, `mail`, `automatic answer`, `ticket`, `ticket comment`, `pull request`, `review`, `line comment`,
            `commit` or `page`.
        path: of the artefact that it is, or is part of.
    """

    kind: str
    path: str
    who: str
    at: Instant
    text: str


@dataclass(frozen=True, eq=False)
class MeasuredCompany:
    """A company at one moment.

    Attributes:
        title: of its world.
        at: the moment; everything is from before it.
        begins: the first instant of its calendar.
        zone: the company's, for who has none of their own.
        causes: the name of what an artefact came from, the author's or everyday life's, by path, where one is known.
        names: what finds the names of things in a text, one for each app that can.
    """

    title: str
    at: Instant
    begins: Instant
    zone: str
    people: Mapping[str, Profile]
    artefacts: Sequence[Artefact]
    causes: Mapping[str, str]
    names: Sequence[Names] = ()

    def of(self, kind: type[A]) -> list[A]:
        """The artefacts of a kind, oldest first."""
        return sorted((one for one in self.artefacts if isinstance(one, kind)), key=lambda one: (one.at, one.path))

    @cached_property
    def machines(self) -> frozenset[str]:
        """Accounts that are no person's."""
        return frozenset(name for name, one in self.people.items() if one.account.kind == "system")

    @cached_property
    def staff(self) -> frozenset[str]:
        """Who works in the company."""
        return frozenset(name for name, one in self.people.items() if one.account.kind in ("person", "agent"))

    @cached_property
    def all_messages(self) -> list[ChatMessage]:
        """Every chat message, machines' too."""
        return self.of(ChatMessage)

    @cached_property
    def messages(self) -> list[ChatMessage]:
        """People's chat messages."""
        return [one for one in self.all_messages if one.who not in self.machines]

    @cached_property
    def all_mails(self) -> list[SentMail]:
        """Every mail."""
        return self.of(SentMail)

    @cached_property
    def mails(self) -> list[SentMail]:
        """Mails that a person in the company wrote."""
        return [one for one in self.all_mails if one.who in self.staff and not one.automatic]

    @cached_property
    def tickets(self) -> list[Ticket]:
        return self.of(Ticket)

    @cached_property
    def pulls(self) -> list[PullRequest]:
        return self.of(PullRequest)

    @cached_property
    def commits(self) -> list[LandedCommit]:
        return self.of(LandedCommit)

    @cached_property
    def talks(self) -> list[list[ChatMessage]]:
        """People's conversations, each oldest first; see `conversations`."""
        return conversations(self.messages, self.causes)

    @cached_property
    def sample(self) -> list[ChatMessage]:
        """People's chat messages for figures that depend on how many there are, drawn by their paths: as many as the largest
        size that there are enough for, nothing where there are too few for the smallest. Oldest first.
        """
        size = next((size for size in SAMPLES if len(self.messages) >= size), 0)
        return sorted(sorted(self.messages, key=drawing_order)[:size], key=lambda one: (one.at, one.path))

    @cached_property
    def named(self) -> list[tuple[SaidText, Name]]:
        """The names in what people and machines of the company wrote; people outside number things of their own."""
        return [
            (one, name)
            for one in self.texts
            if one.who in self.staff or one.who in self.machines
            for names in self.names
            for name in names(one.text)
        ]

    @cached_property
    def by_path(self) -> dict[str, Artefact]:
        """Every artefact by its path."""
        return {one.path: one for one in self.artefacts}

    def zone_of(self, who: str) -> str:
        """Where somebody's clock is."""
        known = self.people.get(who)
        return known.account.zone if known is not None and known.account.zone else self.zone

    @cached_property
    def texts(self) -> list[SaidText]:
        """Every text, machines' too, oldest first; what stands in two products counts once."""
        found = [one for artefact in self.artefacts for one in _said(artefact) if one.text.strip()]
        return sorted(found, key=lambda one: (one.at, one.path))

    @cached_property
    def said(self) -> list[SaidText]:
        """Every text of a person's, oldest first."""
        return [one for one in self.texts if one.who not in self.machines and one.kind != "automatic answer"]


def _said(artefact: Artefact) -> Iterator[SaidText]:
    path, who, at = artefact.path, artefact.who, artefact.at
    match artefact:
        case ChatMessage():
            yield SaidText("chat", path, who, at, artefact.text)
        case SentMail():
            yield SaidText("automatic answer" if artefact.automatic else "mail", path, who, at, artefact.text)
        case Ticket():
            edited = (one.at for one in artefact.changes if one.field in ("summary", "description"))
            yield SaidText("ticket", path, who, max((at, *edited)), f"{artefact.title}\n{artefact.text}")
            yield from (SaidText("ticket comment", path, one.who, one.at, one.text) for one in artefact.remarks)
        case PullRequest():
            yield SaidText("pull request", path, who, at, f"{artefact.title}\n{artefact.text}")
            yield from (SaidText("review", path, one.who, one.at, one.text) for one in artefact.reviews)
            yield from (SaidText("line comment", path, one.who, one.at, one.text) for one in artefact.remarks)
        case LandedCommit():
            yield SaidText("commit", path, who, at, f"{artefact.subject}\n{artefact.text}")
        case Writing():
            if not artefact.copied:
                yield SaidText("page", path, who, at, artefact.text)


def conversations(messages: Iterable[ChatMessage], causes: Mapping[str, str]) -> list[list[ChatMessage]]:
    """Messages as conversations, each oldest first, in the order of their beginnings.

    A thread is one conversation; messages in one room that came of one talk of the author's are one; what is in neither goes
    on with the last that was said in its room, unless that is two hours ago.
    """
    found, last = defaultdict[str, list[ChatMessage]](list), dict[str, tuple[Instant, str]]()
    place = dict[str, str]()
    for one in sorted(messages, key=lambda each: (each.at, each.path)):
        cause = causes.get(one.path)
        if one.thread:
            key = place.get(one.thread, one.thread)
        elif cause:
            key = f"{one.room}/{cause}"
        else:
            since, before = last.get(one.room, (0, ""))
            key = before if before and one.at - since <= _SILENCE else one.path
            last[one.room] = (one.at, key)
        place[one.path] = key
        found[key].append(one)
    return list(found.values())


def gaps_of(talk: Sequence[ChatMessage]) -> list[float]:
    """Seconds between each message and the next."""
    return [(after.at - before.at) / 1_000_000 for before, after in pairwise(talk)]


def read_company(package: Package, *, task: str = "") -> MeasuredCompany:
    """A package at a task's start; at the latest start where no task is named, as most has happened by then.

    Raises:
        UnknownTask: the package has no such task.
    """
    latest = max(package.tasks.values(), key=lambda one: (one.start, one.id), default=None)
    record = package.task(task) if task else latest
    pool = Pool(Base(package.base), hot=1)
    try:
        store = pool.open(package.start(record.id) if record else None)
        rows = store.rows
        apps = [load_app(name) for name in package.manifest.apps]
        shown = [role for role in (app.role(ShowsArtefacts) for app in apps) if role is not None]
        resolved = [role for role in (app.role(ResolvesNames) for app in apps) if role is not None]
        at = record.start if record else package.manifest.start
        artefacts = [one for role in shown for one in role.artefacts(rows, package.folder)]
        causes = {row.text("path"): talk_of(row.text("name")) for row in rows.all(_BINDINGS)}
        causes |= _everyday(package, artefacts, at)
        return MeasuredCompany(
            title=package.manifest.title,
            at=at,
            begins=package.manifest.calendar[0],
            zone=package.manifest.zone,
            people=read_people(rows),
            artefacts=artefacts,
            causes=causes,
            names=[role.names(rows, package.folder) for role in resolved],
        )
    finally:
        pool.close()
        pool.base.close()


def _everyday(package: Package, artefacts: Iterable[Artefact], until: Instant) -> dict[str, str]:
    """The everyday talk that each message is part of, by path: who said something when tells what it was."""
    if not package.life:
        return {}
    life = read_life(package.life)
    said = {
        (item.intent.who, item.at): talk_of(item.intent.key)
        for item in Days(life).between(None, until)
        if item.intent.kind == "tell" and item.intent.via == life.apps.get("talks")
    }
    found = ((one.path, said.get((one.who, one.at))) for one in artefacts if isinstance(one, ChatMessage))
    return {path: talk for path, talk in found if talk is not None}
