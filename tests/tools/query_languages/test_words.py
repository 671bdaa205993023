from unicodedata import category

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.query_languages.ast import TextNode
from tools.query_languages.words import contains, spellings, tokens


def test_tokens_are_lower_case_runs_of_letters_and_digits() -> None:
    assert tokens("Drop-cap: RÉSUMÉ v1.2, it's ok_!") == ("drop", "cap", "resume", "v1", "2", "it", "s", "ok")
    assert tokens("Ünïcode Ψ Щ 東京 ½") == ("unicode", "ψ", "щ", "東京", "½")
    assert tokens("cafe\N{COMBINING ACUTE ACCENT}") == ("cafe",)


def test_tokens_are_those_of_fts5() -> None:
    tokenize = apsw.Connection(":memory:").fts5_tokenizer("unicode61", ["remove_diacritics", "2"])
    newer_than_its_tables = {0x1E0, 0x1E1, 0x37F, *range(0x528, 0x530)}
    for code in (*range(1, 0x58D), *range(0x1E00, 0x2000), *range(0x4E00, 0x4F00), 0x20AC, 0x1F600):
        text = f"a{chr(code)}b"
        if category(chr(code)) == "Cn":
            continue
        theirs = tokenize(
            text.encode(), apsw.FTS5_TOKENIZE_DOCUMENT, None, include_offsets=False, include_colocated=False
        )
        assert code in newer_than_its_tables or tokens(text) == tuple(theirs), hex(code)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (TextNode(("restart",)), True),
        (TextNode(("RESTART", "node")), True),
        (TextNode(("restart", "node"), phrase=True), False),
        (TextNode(("rolling", "restart"), phrase=True), True),
        (TextNode(("rolling-restart",)), True),
        (TextNode(("restart-rolling",)), False),
        (TextNode(("rest",)), False),
        (TextNode(("rest",), prefix=True), True),
        (TextNode(("rolling", "res"), phrase=True, prefix=True), True),
        (TextNode(("rol", "restart"), phrase=True, prefix=True), False),
        (TextNode(("restart", "second")), True),
        (TextNode(("node", "second"), phrase=True), False),
        (TextNode(("restart", "!!")), True),
        (TextNode(("!!",)), False),
        (TextNode(()), False),
    ],
)
def test_words_stand_anywhere_and_phrases_side_by_side_in_one_value(text: TextNode, found: bool) -> None:
    assert contains(text, ("A rolling restart of the node", "second value")) is found


@settings(max_examples=100, deadline=None)
@given(st.text())
def test_any_text_has_tokens_that_are_their_own_tokens(text: str) -> None:
    found = tokens(text)
    assert tokens(" ".join(found)) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8214", ("8214", "8,214")),
        ("8,214", ("8,214", "8214")),
        ("8.214.000 seats", ("8.214.000 seats", "8214000 seats", "8,214,000 seats")),
        ("BOX-8214", ("BOX-8214",)),
        ("2026-03-19", ("2026-03-19",)),
        ("007123", ("007123",)),
        ("214", ("214",)),
    ],
)
def test_a_number_is_spelt_with_and_without_separators(text: str, expected: tuple[str, ...]) -> None:
    assert spellings(text) == expected


@pytest.mark.parametrize("sought", ["8214", "8,214"])
@pytest.mark.parametrize("value", ["They ordered 8,214 of them.", "8214 of them", "8.214 Stück"])
def test_a_number_is_found_however_it_is_written(sought: str, value: str) -> None:
    assert contains(TextNode((sought, "them"), phrase=False), (value, "them"))
    assert not contains(TextNode((sought,)), ("8 seats, 214 rows",))
