"""Queries of any size, in whatever language: what is too large is refused before it is looked for."""

import pytest

from brownout.core.errors import BeyondLimits
from brownout.engine.world import World
from tools.query_languages import jql_tokens
from tools.query_languages.limits import MOST
from tools.query_languages.terms import Grammar, read

GRAMMAR = Grammar(names=frozenset({"from"}), brackets="(){}", joints=frozenset({"OR"}))
LARGE = {
    "words": "word " * 3000,
    "or": "a OR " * 3000,
    "not": "-a " * 3000,
    "brackets": "(" * 3000,
    "groups": "(a) " * 3000,
    "phrases": '"a b" ' * 3000,
    "operators": "from:a " * 3000,
}


@pytest.mark.parametrize("query", LARGE.values(), ids=list(LARGE))
def test_a_query_of_too_many_words_and_signs_is_refused(query: str) -> None:
    with pytest.raises(BeyondLimits, match=str(MOST)):
        read(query, GRAMMAR)


def test_a_query_at_the_limit_is_read() -> None:
    assert len(read("word " * MOST, GRAMMAR)) == MOST
    assert len(jql_tokens.read("word " * MOST)) == MOST + 1


@pytest.mark.parametrize("clause", ["summary ~ a AND ", "key = BOX-1 OR ", "NOT ", "(", "a,"])
def test_jql_of_too_many_clauses_is_refused(clause: str) -> None:
    with pytest.raises(BeyondLimits, match=str(MOST)):
        jql_tokens.read(clause * 1500)


SEARCHES = {
    "gmail_search": "q",
    "slack_search_messages": "query",
    "github_search_pulls": "query",
    "github_search_code": "query",
    "jira_search_issues": "jql",
    "docs_search": "query",
    "ops_search_logs": "contains",
}


@pytest.mark.parametrize(
    "query", ["word " * 490, "a OR " * 240, '"a b" ' * 490, "x" * 60_000, "-a " * 490, "é" * 900], ids=str.__len__
)
@pytest.mark.parametrize(("name", "argument"), SEARCHES.items())
def test_every_search_answers_or_refuses_what_is_large(tiny: World, name: str, argument: str, query: str) -> None:
    with tiny.open_session("mend-the-help-page") as session:
        session.task = session.task.model_copy(update={"apps": list(session.setting.apps)})
        properties = session.setting.operations[name].schema["properties"]
        assert isinstance(properties, dict)
        assert argument in properties
        session.call(name, {argument: query})

        assert session.simulation.defects == []
