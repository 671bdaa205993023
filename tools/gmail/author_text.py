"""What an author may say of Gmail."""

from collections.abc import Mapping
from typing import Final

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Problem, Vocabulary, WorldNames
from tools.gmail.intent_handlers import GmailSettings

__all__ = ["text"]

_FIELDS: Final[Mapping[str, FieldSpec]] = {
    name: FieldSpec()
    for name in (
        "subject", "body", "from", "to", "cc", "bcc", "sent", "labels", "read", "starred", "trashed", "thread",
        "attachments", "answered_by",
    )
}  # fmt: skip
_SAID: Final[Mapping[str, FieldSpec]] = {name: FieldSpec() for name in ("cc", "bcc", "thread")}


def _vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    groups = GmailSettings.model_validate(settings).groups
    problems = []
    for name, members in groups.items():
        if name.partition("@")[0] in outline.people and name.partition("@")[2] in ("", outline.domain):
            problems.append(Problem(("groups", name), "this address is somebody's already"))
        problems += outline.strangers(members if isinstance(members, list) else [], ("groups", name))
    return Vocabulary(
        problems=tuple(problems),
        groups=[name.partition("@")[0] for name in groups],
        details={"tell": _SAID, "ask": {"about": FieldSpec(), **_SAID}, "answer": _SAID},
        fields=lambda thing: _FIELDS,
        member_lists=[("groups", name) for name, members in groups.items() if isinstance(members, list)],
        paths=[*(f"{person}.*" for person in sorted(outline.people | outline.customers)), "group/*", "mailbox/*"],
    )


text = AppText(GmailSettings, _vocabulary)
