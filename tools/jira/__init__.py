"""Jira: projects, issues, comments, links, JQL."""

from brownout.core.app_roles import HasProjects, ResolvesNames, ShowsArtefacts, WritesApart, WritesMany
from brownout.core.apps import App
from tools.jira import (
    artefacts,
    author_text,
    errors,
    intent_batches,
    intent_handlers,
    operations,
    places,
    selectors,
    tables,
    text_references,
    utterances,
)

__all__ = ["app"]

app = App(
    name="jira",
    title="Jira",
    vendor="atlassian",
    thing="ticket",
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
    references=text_references.references,
    roles=(
        ShowsArtefacts(artefacts.artefacts),
        ResolvesNames(artefacts.names),
        HasProjects(intent_handlers.project_names, intent_handlers.make_project, page="browse/"),
        WritesMany(intent_batches.write_many, intent_batches.concerns),
        WritesApart(places.foresee, places.sight),
    ),
    verbs=frozenset({"opens", "begins", "closes", "comments", "assigns"}),
    text=author_text.text,
)
