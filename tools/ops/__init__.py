"""Ops: the products a startup runs its services with, and the status pages of those it depends on."""

from brownout.core.apps import App
from brownout.core.roles import RunsServices
from tools.ops import carriers, catalogue, entries, errors, naming, operations, tables, vocabulary

__all__ = ["app"]

app = App(
    name="ops",
    title="Ops console",
    vendor="ops",
    tables=tables.metadata,
    operations=operations.operations,
    carries=carriers.carries,
    refuse=errors.refuse,
    invalid=errors.invalid_arguments,
    open_account=catalogue.open_account,
    prepare=catalogue.prepare,
    path_of=naming.path_of,
    find=naming.find,
    utterance=naming.utterance,
    sections=entries.sections,
    roles=(RunsServices(catalogue.services),),
    verbs=frozenset({"deploys"}),
    text=vocabulary.text,
)
