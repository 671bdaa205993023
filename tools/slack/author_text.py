"""What an author may say of Slack."""

from collections.abc import Mapping
from typing import Final

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Vocabulary, WorldNames
from tools.slack.intent_handlers import SlackSettings

__all__ = ["text"]

_FIELDS: Final[Mapping[str, FieldSpec]] = {name: FieldSpec() for name in ("topic", "members", "messages")}
_SAID: Final[Mapping[str, FieldSpec]] = {"thread": FieldSpec()}


def _vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    wanted = SlackSettings.model_validate(settings).channels
    channels = [f"#{name.removeprefix('#')}" for name in wanted]
    lists = {
        ("channels", name, "members"): one.members for name, one in wanted.items() if isinstance(one.members, list)
    }
    problems = [problem for place, members in lists.items() for problem in outline.strangers(members, place)]
    return Vocabulary(
        problems=tuple(problems),
        channels=channels,
        details={"tell": _SAID, "ask": {"about": FieldSpec(), **_SAID}, "answer": _SAID, "page": {}},
        things=channels,
        fields=lambda thing: _FIELDS,
        paths=[*channels, *(f"{channel}.*" for channel in channels), "@*", "user/*"],
        member_lists=[*lists],
    )


text = AppText(SlackSettings, _vocabulary)
