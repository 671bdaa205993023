"""Intents as entries of the schedule."""

from brownout.core.apps import Intent
from brownout.core.values import JsonObject

__all__ = ["intent_document", "intent_of"]


def intent_document(intent: Intent) -> JsonObject:
    """An intent as a schedule entry holds it."""
    return {
        "kind": intent.kind,
        "key": intent.key,
        "who": intent.who,
        "to": list(intent.to),
        "via": intent.via,
        "subject": intent.subject,
        "text": intent.text,
        "thing": intent.thing,
        "details": dict(intent.details),
        "facts": list(intent.facts),
    }


def intent_of(document: JsonObject) -> Intent:
    """The intent that a schedule entry holds."""
    return Intent(
        kind=document["kind"],  # type: ignore[arg-type]
        key=str(document["key"]),
        who=str(document["who"]),
        to=tuple(document.get("to", ())),  # type: ignore[arg-type]
        via=str(document.get("via", "")),
        subject=str(document.get("subject", "")),
        text=str(document.get("text", "")),
        thing=str(document.get("thing", "")),
        details=document.get("details", {}),  # type: ignore[arg-type]
        facts=tuple(document.get("facts", ())),  # type: ignore[arg-type]
    )
