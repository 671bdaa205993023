"""Ops: the products a startup runs its services with, and the status pages of those it depends on."""

from brownout.core.app_roles import RunsServices
from brownout.core.apps import App
from tools.ops import (
    author_text,
    catalogue,
    errors,
    intent_handlers,
    operations,
    selectors,
    storyline_sections,
    tables,
    utterances,
)

__all__ = ["app"]

app = App(
    name="ops",
    title="Ops console",
    vendor="ops",
    tables=tables.metadata,
    operations=operations.operations,
    intents=intent_handlers.handlers,
    refuse=errors.refuse,
    invalid=errors.invalid_arguments,
    open_account=catalogue.open_account,
    prepare=catalogue.prepare,
    path_of=selectors.path_of,
    find=selectors.find,
    utterance=utterances.utterance,
    sections=storyline_sections.sections,
    roles=(RunsServices(catalogue.services),),
    verbs=frozenset({"deploys"}),
    text=author_text.text,
)
