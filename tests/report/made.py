"""Small companies made by hand, whose figures are known."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal

from brownout.core.artefacts import Artefact, ChatMessage, Names, PullRequest, Review, Ticket
from brownout.core.calls import Account
from brownout.core.instants import DAY, MINUTE, SECOND, Instant, from_datetime
from brownout.engine.simulation_setting import Profile
from generators.report import MeasuredCompany

MONDAY: Instant = from_datetime(datetime(2026, 3, 2, 10, 0, tzinfo=UTC))


def person(
    name: str,
    *,
    away: Sequence[tuple[Instant, Instant]] = (),
    joins: Instant | None = None,
    kind: Literal["person", "outsider", "agent", "system"] = "person",
) -> Profile:
    account = Account(
        person=name, name=name.title(), email=f"{name}@acme.test", kind=kind, role="", zone="UTC"
    )  # fmt: skip
    return Profile(account, (540, 1080), (), "plain", "", "", {}, joins, None, tuple(away))


def company(
    *artefacts: Artefact,
    people: Sequence[Profile] = (),
    causes: Mapping[str, str] | None = None,
    names: Sequence[Names] = (),
) -> MeasuredCompany:
    known = {one.account.person: one for one in people}
    for name in ("ann", "bob", "cat"):
        known.setdefault(name, person(name))
    known.setdefault("bot", person("bot", kind="system"))
    return MeasuredCompany("Acme", MONDAY + 30 * DAY, MONDAY, "UTC", known, artefacts, causes or {}, names)


def said(
    who: str, minutes: float, text: str = "well", *, room: str = "#all", thread: ChatMessage | None = None
) -> ChatMessage:
    at = MONDAY + round(minutes * MINUTE)
    return ChatMessage(
        f"chat:{room}/{at}/{who}", who, at, text, room, room.startswith("@"), thread.path if thread else ""
    )


def ticket(key: str, *, days: float = 0, closed: float | None = None, **more: object) -> Ticket:
    at = MONDAY + round(days * DAY)
    values: dict[str, object] = {
        "path": f"tracker:{key}", "key": key, "who": "ann", "at": at, "title": f"Title of {key}", "text": "", "status": "Open",
        "assignee": "", "priority": "Medium", "labels": (), "closed": None if closed is None else at + round(closed * DAY),
        "ended": frozenset({"Done"}),
    }  # fmt: skip
    return Ticket(**(values | more))  # type: ignore[arg-type]


def pull(
    number: int, *verdicts: Literal["approved", "changes", "commented"], hours: float | None = None
) -> PullRequest:
    merged = None if hours is None else MONDAY + round(hours * 3_600) * SECOND
    reviews = tuple(Review("bob", MONDAY + place * MINUTE, verdict, "") for place, verdict in enumerate(verdicts, 1))
    return PullRequest(f"forge:{number}", "shop", "ann", MONDAY, f"Change {number}", "", merged, merged, reviews)
