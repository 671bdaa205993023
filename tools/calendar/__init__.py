"""The company's calendars, after Google Calendar: people's and rooms' events, series, guests, free and busy."""

from brownout.core.apps import App
from tools.calendar import carriers, errors, meetings, naming, operations, tables

__all__ = ["app"]

app = App(
    name="calendar",
    title="Google Calendar",
    vendor="google",
    tables=tables.metadata,
    operations=operations.operations,
    carries=carriers.carries,
    refuse=errors.refuse,
    invalid=errors.invalid_arguments,
    open_account=carriers.open_account,
    prepare=carriers.prepare,
    path_of=naming.path_of,
    find=naming.find,
    utterance=naming.utterance,
    sections=meetings.sections,
)
