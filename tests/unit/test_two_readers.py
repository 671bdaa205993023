"""What YAML says is the same to libyaml with our words as to ruamel, which reads YAML 1.2: values, order, and lines."""

from collections.abc import Iterable
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import ReusedAnchorWarning

from worlds.spec.line_marks import PlacedList, PlacedMap
from worlds.spec.yaml_loading import BrokenText, load_yaml

ROOT = Path(__file__).parents[2]
SHIPPED = sorted(
    path for folder in ("worlds", "generators", "examples", "tests") for path in (ROOT / folder).rglob("*.yaml")
)
UNREADABLE = "unreadable"

pytestmark = pytest.mark.filterwarnings(f"ignore::{ReusedAnchorWarning.__module__}.{ReusedAnchorWarning.__name__}")


def seen(tree: object) -> object:
    """Kinds, values, order and lines of a tree of either reader, as what can be compared."""
    if isinstance(tree, CommentedMap):
        return [(seen(key), tree.lc.key(key)[0] + 1, seen(tree[key])) for key in tree]
    if isinstance(tree, PlacedMap):
        return [(seen(key), tree.lines[key], seen(tree[key])) for key in tree]
    if isinstance(tree, CommentedSeq):
        return ["list", *((tree.lc.item(place)[0] + 1, seen(item)) for place, item in enumerate(tree))]
    if isinstance(tree, PlacedList):
        return ["list", *((line, seen(item)) for line, item in zip(tree.lines, tree, strict=True))]
    for kind in (bool, int, float):
        if isinstance(tree, kind):
            return kind.__name__, repr(kind(tree))
    return tree if tree is None else str(tree)


def both(text: str) -> tuple[object, object]:
    try:
        ours = seen(load_yaml(text.encode()))
    except BrokenText:
        ours = UNREADABLE
    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    try:
        theirs = seen(yaml.load(StringIO(text)))
    except Exception:
        theirs = UNREADABLE
    return ours, theirs


def test_there_are_files_to_read() -> None:
    assert len(SHIPPED) > 200


@pytest.mark.parametrize("folder", ["worlds/catalog/larkspur", "worlds/catalog/tiny", ""])
def test_every_file_we_ship_says_the_same_to_both(folder: str) -> None:
    catalog = ROOT / "worlds/catalog"
    for path in SHIPPED:
        if path.is_relative_to(ROOT / folder) if folder else not path.is_relative_to(catalog):
            ours, theirs = both(path.read_text("utf-8"))
            assert ours == theirs, path


SCALARS = [
    "yes", "no", "on", "off", "y", "true", "True", "TRUE", "tRue", "false", "null", "Null", "~", "nil", "10:12", "1:2:3",
    "010", "0o17", "0o8", "0x1F", "0xg", "0b101", "08", "1_000", "_1", "+1", "-1", "+", "1.", ".5", "-.5", "1e3", "1e", "1.5e-3",
    ".inf", "-.INF", "+.inf", ".nan", ".Nan", "1_0.5", "1.2.3", "2026-04-14", "2026-4-14", "2026-04-14 10:30", "09:30",
    "2026-04-14 10:30:00", "2026-99-99", "=", "<<x", "a b", "a: b", "a:b", "a #b", "a#b", "'it''s'", '"a\\nb"', '"a\\u00e9\\x41"',
    "'10'", '"true"', "!a", "&a", "*a", "%a", "@a", "`a", "?a", "? a", "-a", "- a", "[a, b]", "{a: 1}", "{a: 1, b}", "[]", "{}",
    "[a, [b]]", "{a: [1, x: y]}", "[a: b, c]", "|\n    x\n     y\n", ">\n    x\n    y\n\n    z\n", "|-\n    x\n\n", ">+\n    x\n\n",
    "", "...", "---", "é", "日本", "💥", "a\n    b", "'a\n\n    b'", '"a\\\n    b"', "# c", "a # c", "\\", "a\\nb", "!!str 12", "!!null x",
]  # fmt: skip
DOCUMENTED = ("!", "?a", "\x85", "\u2028", "\u2029", "\ufeff", "\t", "=")
"""Tags, which we refuse, tabs we read in more places, and characters that nobody writes; see `test_where_the_two_differ`."""
INDENT = st.sampled_from(["", "  ", "    ", "- ", "  - ", "-   "])
KEY = st.sampled_from(["a: ", "b: ", "c:", "d:\n", "'e': ", "1: ", "true: ", "? f\n", "g : ", "- ", "", "# c\n"])
LINE = st.tuples(INDENT, KEY, st.one_of(st.sampled_from(SCALARS), st.text("ab01:-.,#'\"[]{}& *|>%@\n ", max_size=8)))


def joined(lines: Iterable[tuple[str, str, str]]) -> str:
    return "\n".join("".join(line) for line in lines)


@given(st.text("0123456789+-._:eExobaAfFnNiItrulTZ ", max_size=12))
@settings(max_examples=300, deadline=None)
def test_a_word_means_the_same_to_both(word: str) -> None:
    ours, theirs = both(f"a: {word}\n")

    assert ours == theirs or _is_a_time(theirs)


@given(st.lists(LINE, max_size=7).map(joined))
@settings(max_examples=300, deadline=None)
def test_a_document_says_the_same_to_both_where_both_read_it(text: str) -> None:
    if any(mark in text for mark in DOCUMENTED):
        return
    ours, theirs = both(text)

    assert ours == UNREADABLE or theirs in (ours, UNREADABLE)  # odd anchors and empty keys we refuse, with the line


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=12,
)


@given(VALUES, st.booleans())
@settings(max_examples=100, deadline=None)
def test_what_ruamel_writes_we_read_as_it_does(value: object, flows: bool) -> None:
    yaml = YAML(typ="rt", pure=True)
    yaml.default_flow_style = flows
    stream = StringIO()
    yaml.dump(value, stream)
    ours, theirs = both(stream.getvalue())

    assert ours == theirs or any(mark in stream.getvalue() for mark in DOCUMENTED)


def _is_a_time(theirs: object) -> bool:
    return (isinstance(theirs, list) and "T" in str(theirs)) or "+00:00" in str(theirs)


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("a: 2026-04-14T10:30:00Z", [("a", 1, "2026-04-14T10:30:00Z")]),  # as written; ruamel makes it a time
        ("a: &x true", [("a", 1, ("bool", "True"))]),  # ruamel's is a number
        ("a: =", [("a", 1, "=")]),  # a tagged value
    ],
)
def test_where_the_two_differ(text: str, ours: object) -> None:
    assert both(text)[0] == ours
