"""Slack: channels, direct messages, threads."""

from brownout.core.app_roles import HasRooms, ResolvesNames, ShowsArtefacts, WritesMany
from brownout.core.apps import App
from tools.slack import artefacts, author_text, bulk_writing, errors, intent_handlers, operations, selectors, tables

__all__ = ["app"]

app = App(
    name="slack",
    title="Slack",
    vendor="slack",
    tables=tables.metadata,
    operations=operations.operations,
    intents=intent_handlers.handlers,
    refuse=errors.refuse,
    invalid=errors.invalid_arguments,
    open_account=intent_handlers.open_account,
    prepare=intent_handlers.prepare,
    path_of=selectors.path_of,
    find=selectors.find,
    utterance=selectors.utterance,
    roles=(
        ShowsArtefacts(artefacts.artefacts),
        ResolvesNames(artefacts.names),
        HasRooms(bulk_writing.rooms, intent_handlers.make_room),
        WritesMany(bulk_writing.write_many, bulk_writing.concerns),
    ),
    verbs=frozenset({"talks"}),
    text=author_text.text,
)
