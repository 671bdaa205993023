"""Slack's search: its modifiers over messages that the searcher can read."""

from collections.abc import Iterator

import pytest

import brownout
from brownout.engine.session import Session


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with brownout.open_session("tiny", task="mend-the-help-page") as opened:
        yield opened


def texts(session: Session, query: str, limit: int = 50) -> list[str]:
    answer = session.fork().call("slack_search_messages", {"query": query, "limit": limit}).structured
    assert isinstance(answer, dict), answer
    found = answer["messages"]
    assert isinstance(found, dict)
    matches = found["matches"]
    assert isinstance(matches, list)
    return [str(match["text"]) for match in matches if isinstance(match, dict)]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"Simplify hold store"', "deployed boxoffice"),
        ("holds in:#product from:@yuki", "Decided with Priya"),
        ("from:tomas after:2026-03-18 before:2026-03-20 deployed", "deployed boxoffice"),
        ("decid* in:product", "Decided with Priya"),
    ],
)
def test_a_query_finds_what_it_names(session: Session, query: str, expected: str) -> None:
    assert any(expected in text for text in texts(session, query)), texts(session, query)


def test_a_modifier_that_does_not_fit_finds_nothing(session: Session) -> None:
    assert texts(session, '"Simplify hold store" from:@yuki') == []
    assert texts(session, '"Simplify hold store" before:2026-03-01') == []
    assert texts(session, '"Simplify hold store" -deployed -live') == []


def test_private_conversations_of_others_are_not_found(session: Session) -> None:
    assert all("@" not in text for text in texts(session, "is:dm"))
    assert texts(session, "is:dm") == []


def test_pages_go_on_where_they_ended(session: Session) -> None:
    twin = session.fork()
    first = twin.call("slack_search_messages", {"query": "the", "limit": 5}).structured
    assert isinstance(first, dict)
    meta = first["response_metadata"]
    assert isinstance(meta, dict)
    second = twin.call("slack_search_messages", {"query": "the", "limit": 5, "cursor": meta["next_cursor"]}).structured
    assert isinstance(second, dict)
    assert first["messages"] != second["messages"]
    assert twin.call("slack_search_messages", {"query": "the", "cursor": "x"}).is_error
