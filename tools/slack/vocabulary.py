"""What an author may say of Slack."""

from collections.abc import Mapping
from typing import Final

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, Outline, Vocabulary, Word
from tools.slack.intent_handlers import SlackSettings

__all__ = ["text"]

_FIELDS: Final[Mapping[str, Word]] = {name: Word() for name in ("topic", "members", "messages")}
_SAID: Final[Mapping[str, Word]] = {"thread": Word()}


def _vocabulary(settings: JsonObject, outline: Outline) -> Vocabulary:
    wanted = SlackSettings.model_validate(settings).channels
    channels = [f"#{name.removeprefix('#')}" for name in wanted]
    problems = []
    for name, channel in wanted.items():
        members = channel.members if isinstance(channel.members, list) else []
        problems += outline.strangers(members, ("channels", name, "members"))
    return Vocabulary(
        problems=tuple(problems),
        channels=channels,
        details={"tell": _SAID, "ask": {"about": Word(), **_SAID}, "answer": _SAID},
        things=channels,
        fields=lambda thing: _FIELDS,
        paths=[*channels, *(f"{channel}.*" for channel in channels), "@*", "user/*"],
    )


text = AppText(SlackSettings, _vocabulary)
