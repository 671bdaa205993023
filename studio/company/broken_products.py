"""What an outage does to whoever asks a product now: the very answers, in the vendor's words, as dispatch would give them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import orjson

from brownout.core.apps import App, Operation, Refusal
from brownout.core.faults import Fault
from brownout.core.instants import SECOND, Instant, duration_text
from brownout.engine.outages import words_of
from studio.company.company_view import Viewing
from worlds.package import Outage

__all__ = ["BrokenAnswer", "BrokenProduct", "FaultFor", "answers_of", "breaks", "broken_products"]

FaultFor: TypeAlias = Callable[[Operation, int, int], Fault | None]
"""What becomes of a request for an operation, by a number that chance is drawn with and the requests in this minute."""
_DRAWS = 200
"""Requests that are tried, so that a share of them can be told to about one in twenty."""
_BUSY = 1_000
"""More requests in a minute than any limit lets through."""


@dataclass(frozen=True, slots=True)
class BrokenAnswer:
    """What becomes of some requests.

    Attributes:
        who: which: `every request`, `about 30% of those that write`.
        what: what becomes of them, in a line: `503 service unavailable: Slack is experiencing an outage.`
        body: the whole answer as JSON, empty where it is an ordinary one.
    """

    who: str
    what: str
    body: str = ""


@dataclass(frozen=True, slots=True)
class BrokenProduct:
    """An outage as one product's users feel it.

    Attributes:
        product: the title of the product.
        label: `Gmail is down`.
        answers: what somebody gets who asks it now; none where it does not meet them.
        scope: whom and what it meets, empty where that is everyone and everything.
    """

    product: str
    outage: str
    label: str
    since: Instant
    until: Instant
    answers: tuple[BrokenAnswer, ...]
    scope: str = ""


def breaks(outage: Outage, app: App) -> bool:
    """Whether an outage is one of this product, or of all that its vendor runs."""
    return outage.target in (app.name, app.vendor)


def broken_products(viewing: Viewing, person: str) -> tuple[BrokenProduct, ...]:
    """The products that an outage holds at the moment shown, each with what that person's agent would get."""
    planned = {outage.name: outage for outage in viewing.package.outages}
    found = []
    for name, since in viewing.active_outages().items():
        outage = planned[name]
        for app in viewing.setting.apps.values():
            if breaks(outage, app):
                found.append(
                    BrokenProduct(
                        app.title,
                        name,
                        f"{app.title} {words_of(outage.mode).said}",
                        since,
                        since + outage.lasts,
                        tuple(answers_of(app, viewing.now, _fault_of(viewing, person, name))),
                        _scope(outage),
                    )
                )
    return tuple(found)


def _fault_of(viewing: Viewing, person: str, outage: str) -> FaultFor:
    """What one outage, and no other, does to a request of somebody's now."""

    def fault_for(operation: Operation, draw: int, in_minute: int) -> Fault | None:
        fault = viewing.fault_for(operation.name, person, draw, in_minute)
        return fault if fault is not None and fault.outage == outage else None

    return fault_for


def _scope(outage: Outage) -> str:
    people = f"for {', '.join(outage.people)} only" if outage.people else ""
    calls = f"only {', '.join(outage.operations)}" if outage.operations else ""
    return ", ".join(filter(None, (people, calls)))


def answers_of(app: App, now: Instant, fault_for: FaultFor) -> Iterator[BrokenAnswer]:
    """What becomes of requests to an app: one answer for all of them, or one for those that read and one for those that write.

    Args:
        fault_for: what an outage does to a request.
    """
    reads = _met([one for one in app.operations.values() if not one.writes], fault_for)
    writes = _met([one for one in app.operations.values() if one.writes], fault_for)
    if reads and writes and _told(app, reads[0], now) == _told(app, writes[0], now):
        yield _answer(app, reads, now, "requests")
        return
    if reads:
        yield _answer(app, reads, now, "requests that read")
    if writes:
        yield _answer(app, writes, now, "requests that write")


def _met(operations: Sequence[Operation], fault_for: FaultFor) -> list[Fault]:
    """What becomes of each of many requests that the outage hits; of the first operation that it hits at all."""
    for operation in operations:
        for in_minute in (0, _BUSY):
            faults = (fault_for(operation, draw, in_minute) for draw in range(_DRAWS))
            hit = [fault for fault in faults if fault is not None]
            if hit:
                return hit
    return []


def _answer(app: App, faults: Sequence[Fault], at: Instant, which: str) -> BrokenAnswer:
    share = 100 * len(faults) // _DRAWS
    who = f"all {which}" if share == 100 else f"about {max(share, 1)}% of {which}"
    delays = sorted(fault.delay for fault in faults)
    if faults[0].refusal is not None and faults[0].refusal.kind == "rate_limited":
        who = f"{which} beyond the limit of a minute"
    told, body = _told(app, faults[0], at)
    if faults[0].refusal is None and delays[-1]:
        told = f"answered {delays[0] // SECOND} to {delays[-1] // SECOND} s late"
    return BrokenAnswer(who, told, body)


def _told(app: App, fault: Fault, at: Instant) -> tuple[str, str]:
    """What becomes of a request in a line, and the error's body where it is told one."""
    if fault.refusal is not None or fault.loses_answer:
        error = app.refuse(fault.refusal or Refusal("timeout"))
        line = f"{error.status} {error.line}"
        body = orjson.dumps(error.content, option=orjson.OPT_INDENT_2).decode()
        return (f"done, and told all the same: {line}" if fault.loses_answer else line), body
    if fault.stale_as_of is not None:
        return "answered from how things were when it began", ""
    if fault.held_until is not None:
        return f"done; others hear of it {duration_text(fault.held_until - at)} later", ""
    return "answered late", ""
