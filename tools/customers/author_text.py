"""What an author may say of the register: its own section, and the fields of an account or a conversation."""

from collections.abc import Mapping
from typing import Final, get_args

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Problem, Vocabulary, WorldNames
from tools.customers.operation_arguments import Priority, Status
from tools.customers.settings import DeclaredSettings

__all__ = ["text"]

_ACCOUNT: Final = (
    "name",
    "plan",
    "region",
    "sites",
    "tags",
    "renewal",
    "monthly",
    "notice_days",
    "terms",
    "contract_version",
)
_CONVERSATION: Final = ("subject", "channel", "from", "tags", "merged", "messages", "answered_by", "snoozed_until")


def _vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    attributes = DeclaredSettings.model_validate(settings).attributes
    values = {name: FieldSpec(kind if isinstance(kind, list) else None) for name, kind in attributes.items()}
    people = FieldSpec((*outline.people, ""))
    account = {
        **dict.fromkeys(_ACCOUNT, FieldSpec()),
        "owner": people,
        "health": FieldSpec(("good", "watch", "at-risk")),
        **{f"attributes.{name}": word for name, word in values.items()},
    }
    conversation = {
        **dict.fromkeys(_CONVERSATION, FieldSpec()),
        "status": FieldSpec(get_args(Status)),
        "priority": FieldSpec(get_args(Priority)),
        "assignee": people,
        "account": FieldSpec((*outline.customers, "")),
    }

    def fields(thing: str) -> Mapping[str, FieldSpec] | None:
        if thing.endswith(".attributes"):
            return values
        if thing in outline.customers:
            return account
        return conversation if thing.startswith("conversation/") else None

    empty = [name for name, kind in attributes.items() if kind == []]
    return Vocabulary(
        problems=tuple(Problem(("attributes", name), "expected at least one choice") for name in empty), fields=fields
    )


text = AppText(DeclaredSettings, _vocabulary)
