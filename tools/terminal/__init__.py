"""The terminal: a machine of one's own with a shell, real git, and the company's repositories."""

from brownout.core.app_roles import NeedsSandbox
from brownout.core.apps import App, Call
from brownout.core.calls import Account, Effect
from brownout.core.rows import Rows
from brownout.core.values import JsonObject
from tools.terminal import author_text, errors, operations, records, selectors, tables

__all__ = ["app"]


def _open_account(call: Call, account: Account) -> None:
    """A machine for everybody but outsiders and systems."""
    if account.kind not in ("outsider", "system"):
        records.add_home(call, account)


def _prepare(call: Call, settings: JsonObject) -> None:
    """Nothing to set up: machines are set up when they are first used."""


def _utterance(rows: Rows, effect: Effect) -> None:
    """Nobody hears what is written to a file."""


app = App(
    name="terminal",
    title="Terminal",
    vendor="terminal",
    tables=tables.metadata,
    operations=operations.operations,
    intents={},
    refuse=errors.refuse,
    invalid=errors.invalid_arguments,
    open_account=_open_account,
    prepare=_prepare,
    path_of=selectors.path_of,
    find=selectors.find,
    utterance=_utterance,
    roles=(NeedsSandbox(),),
    text=author_text.text,
)
