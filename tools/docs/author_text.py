"""What an author may say of the wiki."""

from collections.abc import Mapping
from typing import Final

from brownout.core.values import JsonObject
from brownout.core.vocabulary import AppText, FieldSpec, Problem, Vocabulary, WorldNames
from tools.docs.intent_handlers import KEY, DocsSettings

__all__ = ["text"]

_FIELDS: Final[Mapping[str, FieldSpec]] = {
    name: FieldSpec()
    for name in ("title", "space", "body", "author", "editor", "created", "updated", "version", "comments")
}


def _vocabulary(settings: JsonObject, outline: WorldNames) -> Vocabulary:
    spaces = DocsSettings.model_validate(settings).spaces
    named = FieldSpec([*spaces, *(space.name for space in spaces.values())])
    problems = [
        Problem(("spaces", key), f"expected a key of letters and digits such as ENG, found {key!r}")
        for key in spaces
        if not KEY.fullmatch(key)
    ]
    if not spaces:
        problems.append(Problem(("spaces",), "expected at least one space"))
    return Vocabulary(
        problems=tuple(problems),
        details={"write": {"space": named, "message": FieldSpec(), "append": FieldSpec()}, "comment": {}},
        fields=lambda thing: {**_FIELDS, "space": FieldSpec([*spaces])},
    )


text = AppText(DocsSettings, _vocabulary)
