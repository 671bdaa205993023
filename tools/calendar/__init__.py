"""The company's calendars, after Google Calendar: people's and rooms' events, series, guests, free and busy."""

from brownout.core.app_roles import KeepsCalendars
from brownout.core.apps import App
from tools.calendar import errors, intent_handlers, operations, selectors, storyline_sections, tables, utterances

__all__ = ["app"]

app = App(
    name="calendar",
    title="Google Calendar",
    vendor="google",
    thing="meeting",
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
    sections=storyline_sections.sections,
    roles=(KeepsCalendars(),),
)
