"""Ops: the products a startup runs its services with, and the status pages of those it depends on."""

from brownout.core.apps import App
from brownout.core.roles import RunsServices
from tools.ops import author_text, catalogue, entries, errors, intent_handlers, operations, selectors, tables

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
    utterance=selectors.utterance,
    sections=entries.sections,
    roles=(RunsServices(catalogue.services),),
    verbs=frozenset({"deploys"}),
    text=author_text.text,
)
