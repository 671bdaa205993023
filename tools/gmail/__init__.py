"""Gmail: mailboxes, groups, threads, drafts, labels, search."""

from brownout.core.apps import App
from tools.gmail import carriers, errors, naming, operations, tables, vocabulary

__all__ = ["app"]

app = App(
    name="gmail",
    title="Gmail",
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
    verbs=frozenset({"mails"}),
    text=vocabulary.text,
)
