"""Slack: channels, direct messages, threads."""

from brownout.core.app_roles import HasRooms, ResolvesNames, ShowsArtefacts, TakenKeys, WritesApart, WritesMany
from brownout.core.apps import App
from tools.slack import (
    artefacts,
    author_text,
    errors,
    intent_batches,
    intent_handlers,
    operations,
    places,
    selectors,
    tables,
    utterances,
)

__all__ = ["app"]

app = App(
    name="slack",
    title="Slack",
    vendor="slack",
    thing="message",
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
        ResolvesNames(artefacts.names),
        HasRooms(intent_batches.rooms, intent_handlers.make_room),
        WritesMany(intent_batches.write_many, intent_batches.concerns),
        WritesApart(places.foresee, places.sight, TakenKeys(tables.message, intent_batches.write_apart)),
    ),
    verbs=frozenset({"talks"}),
    text=author_text.text,
)
