"""Whatever is typed is read or refused, and what was read can be written and read again."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brownout.core.instants import from_datetime
from tools.query_languages import github, gmail, jql, slack
from tools.query_languages.ast import Search, SearchError
from tools.query_languages.jql import JqlField
from tools.query_languages.reference_evaluation import matches

NOW = from_datetime(datetime(2026, 3, 31, 23, 30, tzinfo=UTC))
ZONE = "Europe/Berlin"
FIELDS = {
    "status": JqlField("status", "name", has_history=True),
    "summary": JqlField("summary", "text"),
    "created": JqlField("created", "date", is_descending=True),
    "cf[10]": JqlField("points", "number"),
}


@dataclass(frozen=True)
class Language:
    """One vendor's language and the pieces that its queries are made of."""

    name: str
    parse: Callable[[str], Search]
    write: Callable[[Search], str]
    pieces: tuple[str, ...]

    def read(self, query: str) -> Search:
        return self.parse(query)


SHARED = (
    " ", " ", "a", "b c", '"x y"', '"', "(", ")", "{", "}", "-", "--", "*", ",", "é", "!!", ".", ":", "foo:", "\\", "OR",
    " OR ", " AND ", "2026-03-01", "3", "me", "@me",
)  # fmt: skip
GMAIL = Language(
    "gmail",
    lambda query: gmail.parse(query, now=NOW, zone=ZONE),
    gmail.unparse,
    (
        *SHARED, "from:", "to:", "subject:", "label:", "in:", "is:", "after:", "newer_than:", "2d", "1y", "larger:", "10M",
        "anywhere", "+",
    ),
)  # fmt: skip
SLACK = Language(
    "slack",
    lambda query: slack.parse(query, now=NOW, zone=ZONE),
    slack.unparse,
    (
        *SHARED, "from:", "in:", "#ops", "@mara", "<@U1>", "<#C1|ops>", "has:", ":eyes:", "hasmy:", "on:", "after:", "may",
        "today", "is:", "to:",
    ),
)  # fmt: skip
GITHUB = Language(
    "github",
    lambda query: github.parse(query, now=NOW, zone=ZONE),
    github.unparse,
    (
        *SHARED, "repo:", "org:", "is:", "label:", "in:", "title", "sort:", "-asc", "created:", ">=", "..", "*..",
        "comments:", "5..9", "no:", "author:", "NOT ", "app/x",
    ),
)  # fmt: skip
JQL = Language(
    "jql",
    lambda query: jql.parse(query, now=NOW, zone=ZONE, fields=FIELDS),
    jql.unparse,
    (
        " ", "(", ")", ",", "status", "summary", "created", "foo", "cf[10]", "=", "!=", "~", "!~", ">=", " in ", " not in ",
        " is ", " is not ", " was ", " changed", "EMPTY", " and ", " or ", " not ", "!", "a", '"b c"', "'x'", "-7d",
        '"4w 2d"', "2026-03-01", "startOfDay(-1d)", "currentUser()", "f(x, 1)", "5", "-3", " order by ", " desc", " by ",
        " after ", " on ", '"w* OR \\"q r\\""', "\\n", "\\u00e9", "\\", "@", '"', "\n", "select",
    ),
)  # fmt: skip
LANGUAGES = (GMAIL, SLACK, GITHUB, JQL)
IDS = [language.name for language in LANGUAGES]


@pytest.mark.parametrize("language", LANGUAGES, ids=IDS)
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_reading_writing_and_reading_again_gives_an_equal_search(language: Language, data: st.DataObject) -> None:
    query = data.draw(st.lists(st.sampled_from(language.pieces), max_size=14).map("".join))
    try:
        search = language.read(query)
    except SearchError as refused:
        assert language.name == "jql", "only JQL refuses a query"
        assert 0 <= refused.position <= len(query)
        return
    assert language.read(language.write(search)) == search
    matches(search, {"text": "a b c", "status": "b c"}, resolve=lambda _call: ["mara"])


@pytest.mark.parametrize("language", LANGUAGES, ids=IDS)
@settings(max_examples=100, deadline=None)
@given(query=st.text(max_size=40) | st.text(st.characters(max_codepoint=0x7F), max_size=40))
def test_any_text_is_read_or_refused(language: Language, query: str) -> None:
    try:
        search = language.read(query)
    except SearchError as refused:
        assert language.name == "jql", "only JQL refuses a query"
        assert refused.message.startswith(("Error in the JQL Query: ", "Error in JQL Query: "))
        return
    assert language.read(language.write(search)) == search


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_jql_made_of_sound_clauses_is_read_and_written(data: st.DataObject) -> None:
    language = JQL
    clauses = st.sampled_from(
        [
            "status = Done", 'status in (Open, "In Progress", EMPTY)', "assignee = currentUser()", "created >= -7d",
            'created < startOfWeek("+1w")', "status was not in (a, b) before -3d by bob", "cf[10] > 3",
            "status changed from a to b on 2026-02-02", 'summary !~ "x OR y*"', "created in (now(), 2026-01-01)",
        ]
    )  # fmt: skip
    query = data.draw(
        st.recursive(
            clauses,
            lambda inner: (
                st.builds("({}) AND {}".format, inner, inner)
                | st.builds("{} or ({})".format, inner, inner)
                | st.builds("NOT ({})".format, inner)
            ),
            max_leaves=8,
        )
    )
    search = language.read(f"{query} ORDER BY created, status ASC")
    assert search.condition is not None
    assert language.read(language.write(search)) == search


@pytest.mark.parametrize("language", LANGUAGES, ids=IDS)
@pytest.mark.parametrize(
    "query",
    [
        "(" * 490,
        ")" * 490,
        "-(" * 240 + "a",
        "{a (b " * 120,
        "NOT " * 490 + "a",
        "a = b AND " * 120,
        "subject:(" * 240,
        '"' * 901,
        "after:99999999999 newer_than:999999y older_than:999999d larger:999999999999G",
        "on:9999-12-31 during:0000 before:9998-12-31 after:0001-01-01 during:9999",
        "created:0001-01-01..9998-12-31 created:9999-12-31 created:>9998-12-31T23:59:59-23:59 comments:" + "9" * 2_000,
        "created >= -999999999w AND created < startOfYear(999999999y) AND created > '9998-12-31'",
        "a = " + "9" * 2_000,
        "is:\ud800 \udfff label:\ud83d",
    ],
    ids=lambda query: str(query)[:12],
)
def test_no_query_within_the_limits_is_too_long_too_deep_or_too_far_away(language: Language, query: str) -> None:
    try:
        search = language.read(query)
    except SearchError:
        assert language.name == "jql"
        return
    assert language.read(language.write(search)) == search
