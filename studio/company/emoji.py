"""Emoji as Slack's clients show them: `:tada:` is what the API says, 🎉 is what people see."""

import re
from collections.abc import Mapping
from typing import Final

__all__ = ["with_emoji"]

_SHORTCODE = re.compile(r":([a-z0-9_+-]+):")
_EMOJI: Final[Mapping[str, str]] = {
    "+1": "👍", "-1": "👎", "birthday": "🎂", "bug": "🐛", "clap": "👏", "coffee": "☕", "cry": "😢", "dog": "🐶",
    "exploding_head": "🤯", "eyes": "👀", "fire": "🔥", "heart": "❤️", "information_source": "ℹ️", "joy": "😂",
    "package": "📦", "pizza": "🍕", "pray": "🙏", "raised_hands": "🙌", "rocket": "🚀", "rotating_light": "🚨",
    "sheep": "🐑", "smile": "😄", "soccer": "⚽", "tada": "🎉", "thinking_face": "🤔", "thumbsup": "👍",
    "warning": "⚠️", "wave": "👋", "white_check_mark": "✅", "x": "❌", "zipper_mouth_face": "🤐",
}  # fmt: skip
"""What the engine and the shipped worlds use, and what is most common; any other keeps its name, as in Slack."""


def with_emoji(said: str) -> str:
    """The text with each known `:name:` as its emoji."""
    return _SHORTCODE.sub(lambda found: _EMOJI.get(found[1], found[0]), said)
