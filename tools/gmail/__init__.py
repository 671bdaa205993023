"""Gmail: mailboxes, groups, threads, drafts, labels, search."""

from brownout.core.app_roles import HasLists, ShowsArtefacts, WritesMany
from brownout.core.apps import App
from tools.gmail import (
    artefacts,
    author_text,
    directory,
    errors,
    intent_batches,
    intent_handlers,
    operations,
    selectors,
    tables,
    utterances,
)

__all__ = ["app"]

app = App(
    name="gmail",
    title="Gmail",
    vendor="google",
    thing="mail",
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
    roles=(
        ShowsArtefacts(artefacts.artefacts),
        WritesMany(intent_batches.write_many, intent_batches.concerns),
        HasLists(directory.lists),
    ),
    verbs=frozenset({"mails"}),
    text=author_text.text,
)
