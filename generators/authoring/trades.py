"""Trade packs: what a company of a trade runs, whom it works for, and in which words. Data, no code; see docs/trades.md."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from brownout.core.errors import AuthoringError, Mistake, UsageError
from brownout.core.values import JsonObject
from brownout.core.vocabulary import near
from worlds.spec.loading import BrokenText, load_yaml
from worlds.spec.marks import line_in
from worlds.spec.words import Name, Spec

__all__ = ["Codebase", "CustomerPack", "Nouns", "ServicePack", "Trade", "load_trade", "read_pack", "trade_names"]

T = TypeVar("T")

Pair = tuple[str, str]
"""A noun, singular and plural."""
Span = Annotated[str, StringConstraints(pattern=r"^\d+(\.\.\d+)?$")]
"""`1..3`, both included, or one number."""


class Nouns(Spec):
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


class Codebase(Spec):
    """Which service has a code base, and after which template."""

    service: Name = Field(description="One of `services`.")
    template: Name = Field(description="A folder of generators/codebases.")


class Trade(Spec):
    """trade.yaml of a pack."""

    title: str = Field(description="What the trade is called.")
    does: list[str] = Field(min_length=2, description="What a company of it does, one line.")
    brands: list[str] = Field(min_length=6, description="Names for companies.")
    nouns: Nouns
    squads: list[Name] = Field(min_length=2, description="Teams of engineers.")
    roles: dict[Name, list[str]] = Field(default={}, description="Job titles by team, over the usual ones.")
    codebase: Codebase
    services: dict[Name, ServicePack] = Field(min_length=4, description="The most important first.")
    outages: dict[Name, JsonObject] = Field(default={}, description="Vendors by a short name, and how they fail.")
    customers: CustomerPack
    complaints: dict[Name, list[str]] = Field(
        description="Mails of customers by service; the first line is the subject."
    )
    pages: list[JsonObject] = Field(default=[], description="Pages that such a company has: title, space, file, team.")
    content: dict[Name, dict[Name, JsonObject]] = Field(
        default={}, description="What storyline kinds take from the trade: content/*.yaml, by file and name."
    )


@cache
def _packs() -> Path:
    return Path(str(files("generators"))) / "trades"


def trade_names() -> list[str]:
    """The trades that there are packs of."""
    return sorted(path.parent.name for path in _packs().glob("*/trade.yaml"))


def load_trade(name: str, folder: Path | None = None) -> Trade:
    """A trade's pack.

    Args:
        folder: where packs are; None is where ours are.

    Raises:
        UsageError: there is none of that name.
        AuthoringError: mistakes in the pack, each with file and line.
    """
    place = (folder or _packs()) / name
    if not (place / "trade.yaml").is_file():
        known = trade_names()
        hint = near(name, known) or f"; there are: {', '.join(known)}"
        raise UsageError(f"there is no trade {name!r}{hint}")
    trade = read_pack(place / "trade.yaml", Trade)
    content = {path.stem: read_pack(path, dict[str, dict[str, Any]]) for path in sorted(place.glob("content/*.yaml"))}
    trade = trade.model_copy(update={"content": content})
    mistakes = [Mistake(f"{name}/trade.yaml", 0, problem) for problem in _problems(trade, place)]
    if mistakes:
        raise AuthoringError(mistakes)
    return trade


def read_pack(path: Path, kind: type[T]) -> T:
    """A YAML file of a pack, as what it should be.

    Raises:
        AuthoringError: mistakes, each with file and line.
    """
    shown = f"{path.parent.name}/{path.name}"
    try:
        value = load_yaml(path.read_bytes())
    except BrokenText as error:
        raise AuthoringError([Mistake(shown, error.line, str(error))]) from error
    try:
        return TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        raise AuthoringError(
            [
                Mistake(shown, line_in(value, one["loc"]), f"{'.'.join(map(str, one['loc']))}: {one['msg']}")
                for one in error.errors()
            ]
        ) from error


def _problems(trade: Trade, place: Path) -> list[str]:
    """What names something that the pack does not have."""
    found = []
    for name, service in trade.services.items():
        if service.squad not in trade.squads:
            found.append(
                f"services.{name}.squad: there is no squad {service.squad!r}{near(service.squad, trade.squads)}"
            )
        strange = set(service.logs) - {"ok"} - set(service.needs)
        found += [
            f"services.{name}: it needs no {word!r}, and so logs nothing while that is broken" for word in strange
        ]
    if trade.codebase.service not in trade.services:
        found.append(f"codebase.service: there is no service {trade.codebase.service!r}")
    found += [f"complaints: there is no service {name!r}" for name in trade.complaints if name not in trade.services]
    found += [
        f"pages: there is no file {page.get('file')!r} in documents/"
        for page in trade.pages
        if not (place / "documents" / f"{page.get('file')}.j2").is_file()
    ]
    return found
