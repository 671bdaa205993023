"""Trade packs: what a company of a trade runs, whom it works for, and in which words. Data, no code; see docs/trades.md."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, StringConstraints

from brownout.core.errors import AuthoringError, Mistake, UsageError
from brownout.core.values import JsonObject
from brownout.core.vocabulary import near, near_or_all
from generators.authoring.teams import load_teams
from generators.authoring.trade_contents import CONTENTS
from generators.codebases import codebase_names
from generators.data_files import data_path, pack_folder, read_placed
from worlds.spec.field_types import Name, Spec
from worlds.spec.line_marks import line_in

__all__ = [
    "CustomerPack",
    "NeedPack",
    "NounPack",
    "PagePack",
    "ServicePack",
    "Trade",
    "TradeCodebase",
    "load_trade",
    "trade_folder",
    "trade_names",
]

Pair = tuple[str, str]
"""A noun, singular and plural."""
Span = Annotated[str, StringConstraints(pattern=r"^\d+(\.\.\d+)?$")]
"""`1..3`, both included, or one number."""

Place = tuple[str | int, ...]
Problem = tuple[Place, str]
"""Where in a file something is wrong, and what."""

_EVERYBODYS: Final = frozenset({"general", "random", "incidents", "squad"})
"""Rooms that every company has, and the word for all teams of engineers."""
_SLOT: Final = re.compile(r"\{([^{}]*)\}")
_IN_LOGS: Final = re.compile(r"ms|id|n|n:\d+\.\.\d+(/m)?")
_NOUNS: Final = "(?i:item|account|person|worker)s?"
_IN_TEXTS: Final = re.compile(rf"company|{_NOUNS}")
_IN_MAILS: Final = re.compile(rf"contact|company|{_NOUNS}")
_IN_CONTENT: Final = re.compile(rf"value|company|{_NOUNS}")
_IN_NAMES: Final = re.compile(r"family|given|city")
_IN_NOTES: Final = re.compile(r"contact|weekday|city")


class NounPack(Spec):
    """What the trade speaks of."""

    item: Pair = Field(description="What the main service keeps many of: an order, an appointment.")
    account: Pair = Field(description="What a customer of the company is: a restaurant, a clinic.")
    person: Pair = Field(description="Whom the customers serve: a guest, a patient.")
    worker: Pair = Field(description="Who does the work on the spot: a courier, a practitioner.")
    verb: str = Field(description="What people do with an item: order, book.")


class NeedPack(Spec):
    """What a service depends on."""

    on: str = Field(alias="is", description="A service of the pack or a vendor's part.")
    can_be: list[str] = Field(default=[], description="What it could be failed over to.")
    share: str | int = Field(default="100%", description="How many of its requests ask for it.")


class ServicePack(Spec):
    """Something that companies of the trade run. Further words are the log lines while that need is broken."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, list[str]] = Field(init=False)

    squad: Name = Field(description="Which of `squads` looks after it.")
    says: str = Field(description="What it is for, one line.")
    requests: int = Field(ge=1, description="Requests a second in the busiest hour.")
    needs: dict[Name, NeedPack] = Field(default={}, description="What it depends on, by a name for it.")
    ok: list[str] = Field(min_length=1, description="What it logs on a good day.")

    @property
    def logs(self) -> Mapping[str, list[str]]:
        """Log lines by what is broken, `ok` where nothing is."""
        return {"ok": self.ok, **(self.__pydantic_extra__ or {})}


class CustomerPack(Spec):
    """What customers are called and what is known of them."""

    names: list[str] = Field(min_length=6, description="Patterns with {family}, {given}, {city}.")
    contacts: list[str] = Field(min_length=2, description="What people there are.")
    desk: str = Field(description="What whoever answers their telephone is.")
    plans: dict[Name, int] = Field(min_length=1, description="Cents a month and site, by plan.")
    sites: dict[Name, Span] = Field(default={}, description="How many places they have, by plan; one without it.")
    tags: list[Name] = Field(min_length=3, description="Words they are filed under.")
    notes: list[str] = Field(min_length=4, description="What colleagues noted: {contact}, {weekday}, {city}.")


class PagePack(Spec):
    """A page that every company of the trade has, written some weeks before its calendar."""

    title: str = Field(description="Its title; {company} and {accounts} may stand in it.")
    space: Literal["HELP", "ENG", "OPS"] = Field(
        description="HELP is for customers, ENG for engineers, OPS for everybody."
    )
    file: str = Field(pattern=r"^[a-z][a-z0-9-]*\.md$", description="documents/<file>.j2 in the pack.")
    team: Name = Field(default="leadership", description="The sort of team of whoever wrote it; `squad` are engineers.")


class TradeCodebase(Spec):
    """Which service has a code base, and after which template."""

    service: Name = Field(description="One of `services`.")
    template: Name = Field(description="A folder of generators/codebases.")


class Trade(Spec):
    """trade.yaml of a pack."""

    title: str = Field(description="What the trade is called.")
    does: list[str] = Field(min_length=2, description="What a company of it does, one line.")
    brands: list[str] = Field(min_length=6, description="Names for companies.")
    nouns: NounPack
    own_words: list[str] = Field(
        default=[],
        description="Words, in all forms, by which shared texts are known to be of this trade: patient, patients.",
    )
    squads: list[Name] = Field(min_length=2, description="Teams of engineers.")
    roles: dict[Name, list[str]] = Field(default={}, description="Job titles by team, over the usual ones.")
    codebase: TradeCodebase
    services: dict[Name, ServicePack] = Field(min_length=4, description="The most important first.")
    outages: dict[Name, JsonObject] = Field(default={}, description="Vendors by a short name, and how they fail.")
    customers: CustomerPack
    complaints: dict[Name, list[str]] = Field(
        description="Mails of customers by service; the first line is the subject."
    )
    pages: list[PagePack] = Field(default=[], description="Pages that such a company has.")
    content: dict[Name, dict[Name, JsonObject]] = Field(
        default={}, description="What storyline kinds take from the trade: content/*.yaml, by file and name."
    )


def trade_folder(name: str) -> Path:
    """Where a trade's pack is: trade.yaml, content/, documents/; `./laundry` is a folder of one's own."""
    return pack_folder("trades", name)


def trade_names() -> list[str]:
    """The trades that there are packs of."""
    return sorted(path.parent.name for path in data_path("trades").glob("*/trade.yaml"))


def load_trade(name: str) -> Trade:
    """A trade's pack.

    Args:
        name: one of ours; `./laundry` is a folder of one's own.

    Raises:
        UsageError: there is none of that name.
        AuthoringError: mistakes in the pack, each with file and line.
    """
    place = trade_folder(name)
    if not (place / "trade.yaml").is_file():
        if "/" in name:
            found = "no trade.yaml in it" if place.is_dir() else "no such folder"
            raise UsageError(f"expected the pack of a trade in {name}, found {found}; see docs/trades.md")
        raise UsageError(f"there is no trade {name!r}{near_or_all(name, trade_names())}")
    trade, tree = read_placed(place / "trade.yaml", Trade)
    mistakes = _placed(place / "trade.yaml", tree, _problems(trade, place))
    content: dict[str, dict[str, JsonObject]] = {}
    for path in sorted(place.glob("content/*.yaml")):
        try:
            content[path.stem], tree = _entries(path)
        except AuthoringError as error:
            mistakes += error.mistakes
            continue
        mistakes += _placed(path, tree, _strange_in_content(content[path.stem]))
    if mistakes:
        raise AuthoringError(mistakes)
    return trade.model_copy(update={"content": content})


def _entries(path: Path) -> tuple[dict[str, JsonObject], object]:
    """What a file of content/ has, by name, and as it stands there."""
    kind = CONTENTS.get(path.stem)
    if kind is None:
        return read_placed(path, dict[str, dict[str, Any]], shown=_shown(path))
    entries, tree = read_placed(path, kind, shown=_shown(path))
    return {name: entry.model_dump() for name, entry in entries.items()}, tree


def _shown(path: Path) -> str:
    """A pack's file as messages call it: `food-delivery/content/policies.yaml`."""
    pack = path.parent.parent if path.parent.name == "content" else path.parent
    return path.relative_to(pack.parent).as_posix()


def _placed(path: Path, tree: object, problems: Iterable[Problem]) -> list[Mistake]:
    """Problems as mistakes, each with its line."""
    return [
        Mistake(_shown(path), line_in(tree, where), f"{'.'.join(map(str, where))}: {what}") for where, what in problems
    ]


def _problems(trade: Trade, place: Path) -> Iterator[Problem]:
    """What names something that the pack does not have, and where it stands."""
    for number, squad in enumerate(trade.squads):
        if squad in trade.squads[:number]:
            yield ("squads", number), f"{squad!r} stands twice; every squad has people, a room and tickets of its own"
        if squad in load_teams().then or squad in _EVERYBODYS:
            yield ("squads", number), f"every company has a team or a room called {squad!r}; name the squad otherwise"
    parts = {need.on for service in trade.services.values() for need in service.needs.values() if "/" in need.on}
    for name, service in trade.services.items():
        if service.squad not in trade.squads:
            why = f"there is no squad {service.squad!r}{near(service.squad, trade.squads)}"
            yield ("services", name, "squad"), why
        for need, what in service.needs.items():
            if "/" not in what.on and what.on not in trade.services:
                why = f"there is no service {what.on!r}{near(what.on, trade.services)}; a vendor's part has a /"
                yield ("services", name, "needs", need), why
        for word in service.logs:
            if word not in ("ok", *service.needs):
                yield ("services", name, word), f"the service needs no {word!r}, and logs nothing while that is broken"
    if trade.codebase.service not in trade.services:
        near_it = near(trade.codebase.service, trade.services)
        yield ("codebase", "service"), f"there is no service {trade.codebase.service!r}{near_it}"
    template = trade.codebase.template
    if template not in codebase_names():
        yield ("codebase", "template"), f"there is no code base {template!r}{near(template, codebase_names())}"
    for name in trade.complaints:
        if name not in trade.services:
            yield ("complaints", name), f"there is no service {name!r}{near(name, trade.services)}"
    for name, outage in trade.outages.items():
        target = str(outage.get("on"))
        if target not in (*parts, *trade.services):
            yield ("outages", name), f"no service needs {target!r}{near(target, parts)}"
    for number, page in enumerate(trade.pages):
        if not (place / "documents" / f"{page.file}.j2").is_file():
            yield ("pages", number), f"there is no file {page.file!r} in documents/"
    yield from _strange(trade)


def _strange(trade: Trade) -> Iterator[Problem]:
    """What stands in braces and means nothing there."""
    for name, service in trade.services.items():
        for word, lines in service.logs.items():
            yield from _unknown(("services", name, word), lines, _IN_LOGS)
    for name, mails in trade.complaints.items():
        yield from _unknown(("complaints", name), mails, _IN_MAILS)
    yield from _unknown(("customers", "names"), trade.customers.names, _IN_NAMES)
    yield from _unknown(("customers", "notes"), trade.customers.notes, _IN_NOTES)
    yield from _unknown(("pages",), [page.title for page in trade.pages], _IN_TEXTS)


def _strange_in_content(entries: Mapping[str, JsonObject]) -> Iterator[Problem]:
    for name, entry in entries.items():
        for word, text in entry.items():
            if isinstance(text, str):
                yield from (((name, word), why) for _, why in _unknown((), [text], _IN_CONTENT))


def _unknown(where: Place, texts: Iterable[str], known: re.Pattern[str]) -> Iterator[Problem]:
    for number, text in enumerate(texts):
        for found in _SLOT.finditer(text):
            if not known.fullmatch(found[1]):
                yield (*where, number), f"nothing is filled in for {found[0]}"
