"""What an author may say of the wiki."""

from collections.abc import Mapping
from typing import Final

from brownout.core.values import JsonObject
from brownout.core.vocabulary import Outline, Section, Vocabulary, Word
from tools.docs.carriers import Settings

__all__ = ["section"]

_FIELDS: Final[Mapping[str, Word]] = {
    name: Word() for name in ("title", "space", "body", "author", "editor", "created", "updated", "version", "comments")
}


def _vocabulary(settings: JsonObject, outline: Outline) -> Vocabulary:
    spaces = Settings.model_validate(settings).spaces
    named = Word([*spaces, *(space.name for space in spaces.values())])
    return Vocabulary(
        details={"write": {"space": named, "message": Word(), "append": Word()}, "comment": {}},
        fields=lambda thing: {**_FIELDS, "space": Word([*spaces])},
    )


section = Section(Settings, _vocabulary)
