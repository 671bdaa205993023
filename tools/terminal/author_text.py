"""What an author may say of terminals: nothing in world.yaml, and files in rubrics."""

from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel, ConfigDict

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Vocabulary, WorldNames

__all__ = ["text"]

_FIELDS: Final[Mapping[str, FieldSpec]] = {name: FieldSpec() for name in ("path", "mode", "size", "sha", "content")} | {
    "kind": FieldSpec(("directory", "link", "file"))
}


class NoSettings(BaseModel):
    """The world's `apps: terminal:` section."""

    model_config = ConfigDict(extra="forbid")


def _vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    people = sorted(outline.people)
    return Vocabulary(fields=lambda thing: _FIELDS, paths=[*people, *(f"{person}.*" for person in people), "blob/*"])


text = AppText(NoSettings, _vocabulary)
