"""What people and products want done, before it is known which product will carry it."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from brownout.core.values import JsonObject

__all__ = ["COMPLAINT", "Intent", "IntentKind"]

IntentKind: TypeAlias = Literal[
    "tell", "ask", "answer", "acknowledge", "page", "assign", "open", "begin", "close", "comment", "review", "approve",
    "merge", "push", "write", "deploy", "alert", "resolve", "announce", "react", "edit", "read",
    "invite", "check",
]  # fmt: skip
"""What somebody wants done, whatever product carries it."""

COMPLAINT: Final = "complaint/"
"""What stands before the customer in the name of a complaint (`complaint/corner-shop`)."""


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
