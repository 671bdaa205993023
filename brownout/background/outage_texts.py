"""What is said of something that does not work, as packs hold it, and which outages people notice."""

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import Field

from brownout.background.packs import MailThread, Texts, TicketCase
from brownout.core.faults import Failing
from brownout.core.instants import Instant
from brownout.core.strict_model import StrictModel

__all__ = ["GONE", "OUTAGE_SLOTS", "NoticedOutage", "OutagePack", "OutageTexts"]

OUTAGE_SLOTS: Final = frozenset({"thing", "fails"})
"""What is broken, and how it fails."""

GONE: Final = "(gone)\n"
"""How a script begins that is of what does not work at all, and not of what is only slow."""


class OutageTexts(StrictModel):
    """Texts about things of a kind, each used once in a world; none knows a cause, a time or a number.

    Attributes:
        asked: while it lasts, in a room, as scripts of `A`, `B` and so on.
        private: between two.
        over: in a room, when it works again.
        mails: where the rooms themselves are what is broken.
        tickets: `R` opens one, `A` and `O` answer; `done` is said when it is over.
    """

    asked: tuple[str, ...] = Field(min_length=1, description="Said in a room while it lasts.")
    private: tuple[str, ...] = Field(default=(), description="Said between two while it lasts.")
    over: tuple[str, ...] = Field(min_length=1, description="Said in a room when it works again.")
    mails: tuple[MailThread, ...] = Field(default=(), description="Written where rooms are what is broken.")
    tickets: tuple[TicketCase, ...] = Field(default=(), description="Opened while it lasts.")


class OutagePack(StrictModel):
    """What people say of a product that they work with, and of a service that the company runs."""

    fails: Mapping[Failing, Texts] = Field(description="How it fails, behind its name: `is down`.")
    product: OutageTexts
    service: OutageTexts


class NoticedOutage(StrictModel):
    """An outage that people notice and no storyline tells of.

    Attributes:
        name: the author's.
        thing: what does not work, as people call it: a product or a service, never the vendor's part that broke.
        kind: whose texts are about it.
        fails: how.
        app: the product's name; empty for a service.
        people: who works with it.
        near: those of them whom it concerns most, in whose rooms it is talked about first; empty where it is everybody's.
    """

    name: str
    since: Instant
    until: Instant
    thing: str
    kind: Literal["product", "service"]
    fails: Failing
    app: str = ""
    people: tuple[str, ...]
    near: tuple[str, ...] = ()
