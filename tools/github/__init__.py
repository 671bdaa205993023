"""GitHub: repositories in real git, pull requests, reviews, and checks that really run."""

from brownout.core.app_roles import KeepsRepositories, ResolvesNames, ShowsArtefacts
from brownout.core.apps import App
from tools.github import (
    artefacts,
    author_text,
    errors,
    intent_handlers,
    operations,
    selectors,
    settings,
    tables,
    text_references,
    utterances,
)
from tools.github.repositories import tree_of, trees
from tools.intent_batches import writes_many

__all__ = ["app", "tree_of"]

app = App(
    name="github",
    title="GitHub",
    vendor="github",
    thing="change",
    tables=tables.metadata,
    operations=operations.operations,
    intents=intent_handlers.handlers,
    refuse=errors.refuse,
    invalid=errors.invalid_arguments,
    open_account=settings.open_account,
    prepare=settings.prepare,
    path_of=selectors.path_of,
    find=selectors.find,
    utterance=utterances.utterance,
    references=text_references.references,
    roles=(
        KeepsRepositories(trees),
        ShowsArtefacts(artefacts.artefacts),
        ResolvesNames(artefacts.names),
        writes_many(intent_handlers.handlers, intent_handlers.concerns),
    ),
    verbs=frozenset({"merges"}),
    text=author_text.text,
)
