"""What authors say about services, taken apart: when a behaviour acts, what trouble shows as.

while: database.slow                     a need in a state, or worse
multiplies: load 6x | errors 30%
until: deployed passes hidden/test_x.py | flag instant-holds off | version 1.8.3
alert: error_rate > 5% for 3m -> page on_call
customers: down 6m -> 3..8 customers mail support
"""

import re
from dataclasses import dataclass
from typing import Literal

from brownout.core.apps import HealthState
from brownout.core.instants import Duration
from worlds.expressions import ExpressionError, Span, parse_duration, parse_span, parse_whole

__all__ = [
    "AlertRule",
    "Complaint",
    "LoadEffect",
    "NeedState",
    "Until",
    "is_as_bad",
    "parse_alert",
    "parse_complaint",
    "parse_effect",
    "parse_need_state",
    "parse_until",
]

_ORDER: dict[str, int] = {"ok": 0, "slow": 1, "errors": 2, "down": 3}
_STATES: dict[str, HealthState] = {"ok": "ok", "slow": "slow", "errors": "errors", "down": "down"}
_ALERT = re.compile(r"(error_rate|latency)\s*>\s*(\d+)\s*(%|ms|s)\s+for\s+(\S+)\s*->\s*page\s+([\w-]+)")
_COMPLAINT = re.compile(r"(slow|errors|down)\s+(\S+)\s*->\s*(\S+)\s+customers\s+mail\s+([\w.@-]+)")


@dataclass(frozen=True, slots=True)
class NeedState:
    """A need being in a state, or in a worse one."""

    need: str
    state: HealthState


@dataclass(frozen=True, slots=True)
class LoadEffect:
    """What a behaviour adds: a multiple of the load, or a share of errors."""

    kind: Literal["load", "errors"]
    amount: int


@dataclass(frozen=True, slots=True)
class Until:
    """What ends a behaviour."""

    kind: Literal["passes", "flag", "version", "never"]
    name: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class AlertRule:
    """When somebody is paged. The threshold is in percent or milliseconds."""

    metric: Literal["error_rate", "latency"]
    above: int
    lasting: Duration
    whom: str
    text: str


@dataclass(frozen=True, slots=True)
class Complaint:
    """When customers write, how many of them and to whom."""

    state: HealthState
    lasting: Duration
    count: Span
    to: str


def is_as_bad(state: str, wanted: str) -> bool:
    """Whether a state is the wanted one or a worse one."""
    return _ORDER[state] >= _ORDER[wanted]


def parse_need_state(text: str) -> NeedState:
    """`database.slow`.

    Raises:
        ExpressionError: not a need and a state.
    """
    need, dot, state = text.strip().rpartition(".")
    if not dot or state not in _STATES:
        raise ExpressionError(f"expected a need and its state such as database.slow, found {text!r}")
    return NeedState(need, _STATES[state])


def parse_effect(text: str) -> LoadEffect:
    """`load 6x` or `errors 30%`.

    Raises:
        ExpressionError: neither.
    """
    load = re.fullmatch(r"load\s+(\d+)x", text.strip())
    if load:
        return LoadEffect("load", parse_whole(load.group(1)) * 100)
    errors = re.fullmatch(r"errors\s+(\d+)%", text.strip())
    if errors and int(errors.group(1)) <= 100:
        return LoadEffect("errors", int(errors.group(1)))
    raise ExpressionError(f"expected load 6x or errors 30%, found {text!r}")


def parse_until(text: str) -> Until:
    """What ends a behaviour.

    Raises:
        ExpressionError: none of the three forms.
    """
    words = text.split()
    match words:
        case []:
            return Until("never")
        case ["deployed", "passes", test]:
            return Until("passes", test)
        case ["flag", name, ("on" | "off") as value]:
            return Until("flag", name, value)
        case ["version", value]:
            return Until("version", value=value)
    raise ExpressionError(
        f"expected `deployed passes hidden/test_x.py`, `flag name off` or `version 1.2.3`, found {text!r}"
    )


def parse_alert(text: str) -> AlertRule:
    """`error_rate > 5% for 3m -> page on_call`.

    Raises:
        ExpressionError: not in that form.
    """
    found = _ALERT.fullmatch(text.strip())
    if found is None:
        raise ExpressionError(f"expected error_rate > 5% for 3m -> page on_call, found {text!r}")
    metric, number, unit, lasting, whom = found.groups()
    above = parse_whole(number) * (1000 if unit == "s" else 1)
    kind: Literal["error_rate", "latency"] = "error_rate" if metric == "error_rate" else "latency"
    return AlertRule(kind, above, parse_duration(lasting), whom, text.partition("->")[0].strip())


def parse_complaint(text: str) -> Complaint:
    """`down 6m -> 3..8 customers mail support`.

    Raises:
        ExpressionError: not in that form.
    """
    found = _COMPLAINT.fullmatch(text.strip())
    if found is None:
        raise ExpressionError(f"expected down 6m -> 3..8 customers mail support, found {text!r}")
    state, lasting, count, to = found.groups()
    span = parse_span(count) if ".." in count else Span(*[parse_whole(count)] * 2)
    return Complaint(_STATES[state], parse_duration(lasting), span, to)
