"""The company's wiki, after Confluence: spaces, pages with their history, comments, search."""

from brownout.core.app_roles import ShowsArtefacts
from brownout.core.apps import App
from tools.docs import (
    artefacts,
    author_text,
    errors,
    intent_handlers,
    operations,
    selectors,
    tables,
    text_references,
    utterances,
)

__all__ = ["app"]

app = App(
    name="docs",
    title="Confluence",
    vendor="confluence",
    thing="page",
    tables=tables.metadata,
    operations=operations.operations,
    intents=intent_handlers.handlers,
    refuse=errors.refuse,
    invalid=errors.invalid_arguments,
    open_account=intent_handlers.open_account,
    prepare=intent_handlers.prepare,
    path_of=selectors.path_of,
    find=selectors.find,
    utterance=utterances.utterance,
    references=text_references.references,
    roles=(ShowsArtefacts(artefacts.artefacts),),
    verbs=frozenset({"writes"}),
    text=author_text.text,
)
