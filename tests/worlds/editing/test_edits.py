"""An edit changes what it is to change, in the style of the text around it, and nothing else; or it is refused."""

import pytest

from brownout.core.errors import EditRefused
from worlds.editing import Steps, Value, YamlText

PEOPLE = """\
# Who works here.

ana:
  name: Ana Reis  # the owner
  role: owner
  # first choice first
  reads: [slack, gmail]
  story: "Opened it."

# from May on
ben:
  name: 'Ben: Ode'
  reads: [slack]
  notes: |
    one
    two
# that is all
"""


def test_a_value_is_set_where_it_stands() -> None:
    text = YamlText("ana: {name: Ana}   # owner\n").set(("ana", "role"), "owner").set(("ana", "name"), "Ana: Reis")

    assert text.text == 'ana: {name: "Ana: Reis", role: owner}   # owner\n'


def test_setting_what_is_so_changes_no_byte() -> None:
    text = "a:   0x10   # odd\n"

    assert YamlText(text).set(("a",), 16).text == text


def test_a_new_entry_looks_like_its_siblings() -> None:
    entry: Value = {"name": "Cleo", "reads": ["slack"], "story": "Short.", "notes": "three\nfour\n"}
    added = YamlText(PEOPLE).insert((), "cleo", entry, comment="new\nand young").text

    assert added == PEOPLE.replace(
        "# that is all\n",
        "\n# new\n# and young\ncleo:\n  name: Cleo\n  reads: [slack]\n  story: \"Short.\"\n  notes: |\n    three\n    four\n"
        "# that is all\n",
    )  # fmt: skip


def test_what_fits_no_line_is_written_over_several() -> None:
    long: Value = {"name": "word " * 15, "role": "word " * 15}
    added = YamlText("ana: {name: Ana, role: owner}\n").insert((), "bea", long).text

    assert added.splitlines()[1:] == ["bea:", f'  name: "{"word " * 15}"', f'  role: "{"word " * 15}"']


def test_an_entry_goes_before_another_and_above_its_comments() -> None:
    added = YamlText(PEOPLE).insert((), "cleo", {"name": "Cleo"}, before="ben").text

    assert added == PEOPLE.replace("\n# from May on", "\ncleo:\n  name: Cleo\n\n# from May on")


def test_a_removed_entry_takes_its_comments_with_it_and_no_others() -> None:
    text = YamlText(PEOPLE)

    assert "from May" not in text.remove(("ben",)).text
    assert "that is all" in text.remove(("ben",)).text
    assert text.remove(("ana",)).text.startswith("# Who works here.\n\n# from May on\nben:")
    assert text.remove(("ana", "reads")).text == PEOPLE.replace("  # first choice first\n  reads: [slack, gmail]\n", "")


def test_of_a_mapping_only_the_parts_that_differ_are_written() -> None:
    value: Value = {"name": "Ana R.", "team": "shop", "reads": ["slack", "docs", "gmail"], "story": "Opened it."}
    text = YamlText(PEOPLE).set(("ana",), value).text

    assert "name: Ana R.  # the owner\n  team: shop\n  # first choice first\n  reads: [slack, docs, gmail]\n" in text


def test_a_key_is_renamed_in_its_place_and_keeps_its_marks_where_they_are_needed() -> None:
    text = YamlText("# c\na: 1 # d\n'b': 2\n")

    assert text.rename(("a",), "yes: no").text == "# c\n'yes: no': 1 # d\n'b': 2\n"
    assert text.rename(("b",), "c").text == "# c\na: 1 # d\n'c': 2\n"
    assert text.rename(("a",), "1").text.splitlines()[1] == "'1': 1 # d"


@pytest.mark.parametrize(
    ("before", "path", "value", "after"),
    [
        ("a:\nb: 1\n", ("a",), "x", "a: x\nb: 1\n"),
        ("a: # why\nb: 1\n", ("a",), "x", "a: x # why\nb: 1\n"),
        ("a: 1 # why\n", ("a",), {"b": {"c": [1, {"d": 2}]}}, "a: # why\n  b:\n    c: [1, {d: 2}]\n"),
        ("a:\n  # in\n  b: 1\n# after\n", ("a",), 3, "a: 3\n# after\n"),
        ("{a, b: 1}\n", ("a",), "x", "{a: x, b: 1}\n"),
        ("a: |\n  one\n  two\nb: 1\n", ("a",), "three\n\nfour\n", "a: |\n  three\n\n  four\nb: 1\n"),
        ("a: >\n  one\n  two\nb: 1\n", ("a",), "x", "a: x\nb: 1\n"),
        ("a: 'a: b'\n", ("a",), "he's", "a: he's\n"),
        ("a: 'x'\n", ("a",), "he's", "a: 'he''s'\n"),
        ("a: 'x'\n", ("a",), "tab\there", 'a: "tab\\there"\n'),
        ("a: x\n", ("a",), "on", "a: on\n"),
        ("a: x\n", ("a",), "true", 'a: "true"\n'),
        ("a: x\n", ("a",), True, "a: true\n"),
        ("a: x\n", ("a",), None, "a: null\n"),
        ("a: x\n", ("a",), 1e20, "a: 1e+20\n"),
        ("a: x\n", ("a",), "2026-05-04", "a: 2026-05-04\n"),
        ("a: x\n", ("a",), "2026-99-99", 'a: "2026-99-99"\n'),
        ("a: x", ("a",), "line\n", 'a: "line\\n"'),
        ("- a: 1\n  b: 2\n-   c\n", (0,), "x", "- x\n-   c\n"),
        ("- a\n- b\n", (0,), {"c": 1, "d": "x\ny\n"}, "- c: 1\n  d: |\n    x\n    y\n- b\n"),
        ("---\na: 💥 # é\r\n", ("a",), "🙏", "---\na: 🙏 # é\r\n"),
    ],
)
def test_values_of_every_kind_are_set(before: str, path: Steps, value: Value, after: str) -> None:
    assert YamlText(before).set(path, value).text == after


@pytest.mark.parametrize(
    ("before", "path", "after"),
    [
        ("{a: 1, b: 2, c: 3}", ("b",), "{a: 1, c: 3}"),
        ("[1, 2, 3]", (2,), "[1, 2]"),
        ("a: {b: 1}\n", ("a", "b"), "a: {}\n"),
        ("a:\n  - 1\n", ("a", 0), "a: []\n"),
        ("- a: 1 # x\n  # about b\n  b: 2\n", (0, "a"), "- # about b\n  b: 2\n"),
        ("a: 1\nb: 2", ("b",), "a: 1"),
        ("a: |+\n  x\n\nb: 2\n", ("a",), "b: 2\n"),
        ("a: 1\r\n# b\r\nb: 2\r\nc: 3\r\n", ("b",), "a: 1\r\nc: 3\r\n"),
    ],
)
def test_entries_of_every_kind_are_removed(before: str, path: Steps, after: str) -> None:
    assert YamlText(before).remove(path).text == after


@pytest.mark.parametrize(
    ("before", "path", "at", "after"),
    [
        ("", (), "a", "a: new\n"),
        ("# only this\n", (), "a", "# only this\na: new\n"),
        ("[1, 2]", (), 0, "[new, 1, 2]"),
        ("[\n  1,\n  2,\n]", (), 2, "[\n  1,\n  2,\n  new,\n]"),
        ("a: {}\n", ("a",), "b", "a: {b: new}\n"),
        ("a: []\n", ("a",), 0, "a: [new]\n"),
        ("- 1\n- 2", (), 2, "- 1\n- 2\n- new"),
        ("-   - x\n    - y\n", (0,), 0, "-   - new\n    - x\n    - y\n"),
        ("a: 1\r\nc: 1\r\n", (), "b", "a: 1\r\nc: 1\r\nb: new\r\n"),
    ],
)
def test_entries_go_in_everywhere(before: str, path: Steps, at: str | int, after: str) -> None:
    assert YamlText(before).insert(path, at, "new").text == after


ALIASES = "a: &x {k: 1}\nb: *x\nc: {<<: *x, z: 1}\nd: !!str 1\n"


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (("a", "k"), "line 1: a.k: something else would change with it"),
        (("a",), "line 1: a: it has an anchor"),
        (("b", "k"), "line 2: b: it repeats what is written elsewhere"),
        (("c", "z"), "line 3: c: a merge key"),
        (("d",), "line 4: d: it has a tag"),
        (("e", "f"), "the file: there is no entry 'e'"),
    ],
)
def test_what_cannot_be_proved_is_refused_by_place(path: Steps, why: str) -> None:
    with pytest.raises(EditRefused, match=why):
        YamlText(ALIASES).set(path, 2)


def test_an_anchor_that_somebody_needs_is_not_removed() -> None:
    with pytest.raises(EditRefused, match="undefined alias 'x'"):
        YamlText(ALIASES).remove(("a",))


def test_an_alias_itself_may_go() -> None:
    assert "b: 2\n" in YamlText(ALIASES).set(("b",), 2).text


@pytest.mark.parametrize("text", ["\ufeffa: 1\n", "a: [1\n", "a: 1\na: 2\n", "a: 1\n---\nb: 2\n", "a: \ud800\n"])
def test_a_text_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(EditRefused):
        YamlText(text)


def test_names_that_are_taken_and_places_that_are_not_there_are_refused() -> None:
    text = YamlText(PEOPLE)

    with pytest.raises(EditRefused, match="there is an entry 'ben' already"):
        text.rename(("ana",), "ben")
    with pytest.raises(EditRefused, match="there is an entry 'ben' already"):
        text.insert((), "ben", 1)
    with pytest.raises(EditRefused, match="did you mean 'reads'"):
        text.remove(("ana", "read"))
    with pytest.raises(EditRefused, match="index of 0 to 2"):
        text.insert(("ana", "reads"), 3, "jira")
    with pytest.raises(EditRefused, match="expected a mapping or a list"):
        text.insert(("ana", "name"), "x", 1)
