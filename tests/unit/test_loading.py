"""YAML that is small and comes to something huge, deep or broken: a mistake with its file and line."""

from pathlib import Path

import pytest

from worlds.spec.reader import read_draft
from worlds.spec.yaml_loading import BrokenText, load_yaml, utf8

LAUGHS = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
MERGES = "a0: &a0 {x: 1, y: 2}\n" + "".join(
    f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}], z{n}: *a{n - 1}}}\n" for n in range(1, 40)
)
BROKEN = {
    "an alias bomb": (LAUGHS, 6, "stand for more than"),
    "an alias bomb of merges": (MERGES, 0, "stand for more than"),
    "a long text repeated": (f"a: &a '{'x' * 100_000}'\nb: [{', '.join(['*a'] * 1000)}]\n", 2, "stand for more than"),
    "what repeats itself": ("a: 1\nb: &b\n  c: [*b]\n", 3, "stands in what it repeats"),
    "brackets": ("a: 1\nb: " + "[" * 20_000 + "]" * 20_000, 2, "nested deeper"),
    "open brackets": ("a: 1\nb: " + "[" * 20_000, 2, "nested deeper"),
    "braces": ("a: 1\n\nb: " + "{x: " * 20_000, 3, "nested deeper"),
    "dashes": ("a: 1\nb:\n" + "  " + "- " * 20_000 + "x\n", 3, "nested deeper"),
    "keys in keys": ("? " * 20_000 + "x\n", 1, "nested deeper"),
    "an unknown alias": ("a: 1\nb: *nobody\n", 2, "undefined alias"),
    "a month of 99": ("a: 1\nb: 2026-99-99\n", 2, "month"),
    "a number of 5,000 digits": ("a: 1\nb: " + "9" * 5000 + "\n", 2, "4300"),
    "a control character": ("a: 1\nb: \x07\n", 2, "not allowed"),
    "two documents": ("a: 1\n---\nb: 1\n", 2, "another document"),
    "a key twice": ("a: 1\nb: {x: 1}\na: 2\n", 3, "duplicate key 'a', which is in line 1"),
    "a merge twice": ("a: &a {x: 1}\nb:\n  <<: *a\n  <<: *a\n", 4, "duplicate key <<"),
    "a merge of a text": ("a:\n  <<: b\n", 2, "expected a mapping or a list of mappings"),
    "a list for a name": ("a: 1\n[b, c]: 1\n", 2, "expected a name"),
    "a time of 25": ("a: 1\nb: 2026-01-01 25:00:00\n", 2, "hour must be"),
    "a tag": ("a: 1\nb: !!set {x, y}\n", 2, "expected no tag, found !!set"),
    "a tag of nobody's": ("a: 1\nb: !thing x\n", 2, "expected no tag, found !thing"),
    "the old YAML": ("%YAML 1.1\n---\na: yes\n", 1, "expected YAML 1.2, found %YAML 1.1"),
    "a tab": ("a:\n\tb: 1\n", 2, "cannot start any token"),
}


@pytest.mark.parametrize(("text", "line", "message"), BROKEN.values(), ids=list(BROKEN))
def test_what_cannot_be_read_is_a_mistake_with_its_line(text: str, line: int, message: str) -> None:
    with pytest.raises(BrokenText, match=message) as found:
        load_yaml(text.encode())

    assert found.value.line == line or (line == 0 and found.value.line > 1)


def test_aliases_and_merges_of_an_ordinary_size_are_read() -> None:
    text = b"base: &base {a: 1, b: [x, y]}\none: {<<: *base, c: 2}\ntwo: [*base, *base]\n"

    assert load_yaml(text) == {
        "base": {"a": 1, "b": ["x", "y"]},
        "one": {"a": 1, "b": ["x", "y"], "c": 2},
        "two": [{"a": 1, "b": ["x", "y"]}] * 2,
    }


def test_bytes_that_are_no_utf8_are_a_mistake_with_their_line() -> None:
    with pytest.raises(BrokenText, match="0xe9") as found:
        utf8("a: 1\nb: caf\xe9\n".encode("latin-1"))

    assert found.value.line == 2


@pytest.mark.parametrize("name", ["world.yaml", "people.yaml", "storylines/everyday.yaml", "documents/help.md"])
@pytest.mark.parametrize(
    "data", [LAUGHS.encode(), b"a: 1\nb: " + b"[" * 20_000, b"a: 1\nb: \xff\n"], ids=["bomb", "deep", "bytes"]
)
def test_an_authors_file_that_cannot_be_read_is_named_with_its_line(spec_folder: Path, name: str, data: bytes) -> None:
    (spec_folder / name).write_bytes(data)
    mistakes = [mistake for mistake in read_draft(spec_folder).mistakes if mistake.file == name and mistake.line > 1]

    assert bool(mistakes) == (not name.endswith(".md") or b"\xff" in data)
