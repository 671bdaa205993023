"""The customer register and the support inbox, after HubSpot: accounts, contacts, contracts, conversations, notes."""

from brownout.core.app_roles import HoldsCustomers, ShowsArtefacts, TakesIn
from brownout.core.apps import App
from tools.customers import (
    artefacts,
    author_text,
    errors,
    intent_handlers,
    lookups,
    mail_intake,
    operations,
    selectors,
    settings,
    storyline_sections,
    tables,
    text_references,
    utterances,
)

__all__ = ["app"]

app = App(
    name="customers",
    title="HubSpot",
    vendor="hubspot",
    thing="customer",
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
    sections=storyline_sections.sections,
    roles=(
        TakesIn(mail_intake.hears, mail_intake.heeds),
        HoldsCustomers(lookups.inboxes, lookups.conversation_called),
        ShowsArtefacts(artefacts.artefacts),
    ),
    text=author_text.text,
)
