"""The company's wiki, after Confluence: spaces, pages with their history, comments, search."""

from brownout.core.apps import App
from tools.docs import carriers, errors, naming, operations, tables, text_references, vocabulary

__all__ = ["app"]

app = App(
    name="docs",
    title="Confluence",
    vendor="confluence",
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
    references=text_references.references,
    verbs=frozenset({"writes"}),
    text=vocabulary.text,
)
