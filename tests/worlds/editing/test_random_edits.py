"""Thousands of edits drawn by a seed, over every YAML file that is shipped: proved or refused, and taken back to the byte."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

from brownout.core.errors import EditRefused
from worlds.editing import Steps, Value, YamlText
from worlds.editing.nodes import node_tree
from worlds.spec.yaml_loading import load_yaml

ROOT: Final = Path(__file__).parents[3]
FILES: Final = sorted((ROOT / "worlds").rglob("*.yaml"))
TEXTS: Final = [
    "other",
    "two words",
    "with: colon",
    "# no comment",
    "yes",
    "10",
    "it's",
    "a\nb\n",
    "é 💥",
    "- z",
    "[x",
    "",
]
VALUES: Final[list[Value]] = [
    *TEXTS, " lead", "trail ", "\n x\n\n", "{y", '"q"', "*x", "&y", "!t", "%", "@", "`", "?", "|", ">", "a #b", "a#b", "\t",
    "2026-04-14", "2026-99-99", "a\\b", "\u2028", "\x07", "x" * 200, 1, -3, 2.5, True, False, None, 1e20, [], {}, [1, "b"],
    {"k": "v"}, {"k": ["a", "b"], "l": {"m": "n: o"}}, [{"a": 1, "b": 2}, {"a": "q\nr\n"}], [[1, 2], [3]],
    {"long": ["word word"] * 20}, {"a": {"b": {"c": [1, {"d": "e\nf\n"}]}}},
]  # fmt: skip
SHAPES: Final[dict[str, Callable[[str], str]]] = {
    "as it is": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "no last newline": lambda text: text.rstrip("\n"),
    "a document mark": lambda text: f"---\n{text}",
    "emoji before": lambda text: f"# 👩‍⚕️ é\n{text}",
}


def places(value: object, path: Steps = ()) -> Iterator[tuple[Steps, object]]:
    yield path, value
    if isinstance(value, dict):
        for key, one in value.items():
            yield from places(one, (*path, key))
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from places(one, (*path, index))


def ordered(value: object) -> object:
    """A value with the order of its keys and the kinds of its scalars."""
    if isinstance(value, dict):
        return [(ordered(key), ordered(one)) for key, one in value.items()]
    if isinstance(value, list):
        return ["list", *map(ordered, value)]
    return type(value).__name__, repr(value)


def comments(text: str) -> Counter[str]:
    """The comments that have a line of their own."""
    root = node_tree(text)
    inside = [(node.start, node.end) for node in (root.walk() if root else ()) if node.kind == "scalar"]
    found, place = Counter[str](), 0
    for line in text.splitlines(keepends=True):
        start = place + len(line) - len(line.lstrip())
        if line.lstrip().startswith("#") and not any(begin <= start < end for begin, end in inside):
            found[line.strip()] += 1
        place += len(line)
    return found


class Bench:
    """Draws edits of one text and counts what came of them."""

    def __init__(self, text: str, seed: str, counts: Counter[str]) -> None:
        self.text, self.draw, self.counts = text, random.Random(seed), counts
        self.yaml = YamlText(text)
        self.places = [*places(self.yaml.value)]

    def edit(self) -> None:
        path, value = self.draw.choice(self.places)
        kind = self.draw.choice(["set", "set a text", "rename", "insert", "remove"])
        try:
            if kind == "rename" and path and isinstance(path[-1], str):
                new = self.draw.choice(["zz-new", "# odd", "no: way", "1", "é x"])
                edited = self.yaml.rename(path, new)
                self.check(kind, edited, edited.rename((*path[:-1], new), path[-1]))
                assert edited.value != self.yaml.value
            elif kind == "insert" and isinstance(value, dict | list):
                self.insert(path, value)
            elif kind == "remove" and path:
                self.remove(path)
            elif (kind == "set" and path) or (kind == "set a text" and isinstance(value, str) and path):
                wanted = self.draw.choice(VALUES if kind == "set" else TEXTS[:2])
                edited = self.yaml.set(path, wanted)
                assert ordered(dict(places(load_yaml(edited.text.encode())))[path]) == ordered(wanted)
                self.check(kind, edited, edited.set(path, value))  # type: ignore[arg-type]
        except EditRefused as error:
            self.counts[f"{kind} refused"] += 1
            assert any(word in str(error) for word in ("alias", "anchor", "something else", "<<")), (path, error)

    def insert(self, path: Steps, value: dict[str, object] | list[object]) -> None:
        new = self.draw.choice(VALUES)
        if isinstance(value, list):
            at: str | int = self.draw.randint(0, len(value))
            edited = self.yaml.insert(path, at, new)
        else:
            at = "zz-new"
            before = self.draw.choice([None, *value])
            edited = self.yaml.insert(path, at, new, before=before)
        found = dict(places(load_yaml(edited.text.encode())))
        assert ordered(found[(*path, at)]) == ordered(new)
        self.check("insert", edited, edited.remove((*path, at)))

    def remove(self, path: Steps) -> None:
        edited = self.yaml.remove(path)
        expected = self.yaml.value
        above = dict(places(expected))[path[:-1]]
        del above[path[-1]]  # type: ignore[attr-defined]
        assert ordered(load_yaml(edited.text.encode())) == ordered(expected)
        assert comments(edited.text) <= comments(self.text)
        self.counts["remove"] += 1

    def check(self, kind: str, edited: YamlText, back: YamlText) -> None:
        assert ordered(back.value) == ordered(self.yaml.value)
        if kind in ("rename", "insert", "set a text"):
            assert comments(edited.text) >= comments(self.text)
        self.counts[kind] += 1
        self.counts[f"{kind} to the byte"] += back.text == self.text


def drawn(shape: str, each: int, files: Sequence[Path]) -> Counter[str]:
    counts = Counter[str]()
    for path in files:
        bench = Bench(SHAPES[shape](path.read_bytes().decode()), f"{shape} {path.name}", counts)
        for _ in range(each):
            bench.edit()
    return counts


def check_rates(counts: Counter[str]) -> None:
    made = {kind: counts[kind] for kind in ("set", "set a text", "rename", "insert", "remove")}
    refused = sum(count for kind, count in counts.items() if kind.endswith("refused"))
    assert all(made.values())
    assert refused <= sum(made.values()) * 0.03  # aliases, all of them
    assert counts["rename to the byte"] >= counts["rename"] * 0.99
    assert counts["insert to the byte"] >= counts["insert"] * 0.99
    assert counts["set a text to the byte"] >= counts["set a text"] * 0.95  # folded texts become one line


def test_edits_are_proved_or_refused_and_taken_back() -> None:
    small = [path for path in FILES if path.stat().st_size < 40_000]
    counts = drawn("as it is", 2, small)
    for shape in SHAPES:
        counts += drawn(shape, 1, small[::3])
    check_rates(counts)


@pytest.mark.fuzz
@pytest.mark.parametrize("shape", SHAPES)
def test_thousands_of_edits_of_every_file(shape: str) -> None:
    counts = drawn(shape, 28 if shape == "as it is" else 5, FILES)
    print(shape, dict(sorted(counts.items())))
    check_rates(counts)
