"""The customer register and the support inbox, after HubSpot: accounts, contacts, contracts, conversations, notes."""

from brownout.core.apps import App
from brownout.core.roles import HoldsCustomers, ShowsArtefacts, TakesIn
from tools.customers import (
    artefacts,
    author_text,
    entries,
    errors,
    intent_handlers,
    listening,
    lookups,
    operations,
    register,
    selectors,
    tables,
    text_references,
)

__all__ = ["app"]

app = App(
    name="customers",
    title="HubSpot",
    vendor="hubspot",
    tables=tables.metadata,
    operations=operations.operations,
    intents=intent_handlers.handlers,
    refuse=errors.refuse,
    invalid=errors.invalid_arguments,
    open_account=register.open_account,
    prepare=register.prepare,
    path_of=selectors.path_of,
    find=selectors.find,
    utterance=selectors.utterance,
    references=text_references.references,
    sections=entries.sections,
    roles=(
        TakesIn(listening.hears),
        HoldsCustomers(lookups.inboxes, lookups.conversation_called),
        ShowsArtefacts(artefacts.artefacts),
    ),
    text=author_text.text,
)
