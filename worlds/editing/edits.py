"""Changes a YAML text as its author would: a few characters where the change is, every other one as it was.

A text is never made anew of its values, which would lose comments, order, quotes and lines. An edit replaces what stands
between two places that libyaml's parser names, and is proved: what the new text says is compared with what the old one said
and the change. Where they differ the edit is refused.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from brownout.core.errors import EditRefused
from brownout.core.vocabulary import near
from worlds.editing.file_style import Habits
from worlds.editing.lines import TextLines
from worlds.editing.nodes import Node, Step, Steps, node_tree
from worlds.editing.quotation_marks import by_choice
from worlds.editing.text_meaning import copied, key_in, meaning, parted, said
from worlds.editing.yaml_writer import Value, Writer

__all__ = ["YamlText"]

_BOM: Final = "\ufeff"


class YamlText:
    """A YAML text that can be edited; every edit gives another one and leaves this one as it is.

    A path is keys and indexes: `("hanna", "reads", 0)`. For example

        YamlText("ana: {name: Ana}   # owner").set(("ana", "role"), "owner").text

    is `ana: {name: Ana, role: owner}   # owner`.

    Attributes:
        text: what it is now, byte for byte what was read where nothing was changed.
    """

    def __init__(self, text: str) -> None:
        """A text as it was read.

        Raises:
            EditRefused: it begins with a byte order mark, or is no YAML that means something.
        """
        if text.startswith(_BOM):
            raise EditRefused("the file begins with a byte order mark; save it without one")
        self._value = said(text)
        self._root = node_tree(text)
        self.text: Final = text
        self._lines = TextLines(text)
        self._writer = Writer(Habits(self._root), self._lines.newline)

    @property
    def value(self) -> object:
        """What it says; a copy."""
        return copied(self._value)

    def has(self, path: Steps) -> bool:
        """Whether there is something at a path."""
        node = self._root
        for step in path:
            index = -1 if node is None else node.index_of(step)
            if node is None or index < 0:
                return False
            node = node.items[index]
        return node is not None

    # -- the four edits -------------------------------------------------------------------------------------

    def set(self, path: Steps, value: Value) -> "YamlText":
        """The text with another value at a path; a last key that is not there is added.

        Of a mapping or a list that stays one only the parts that differ are written.

        Raises:
            EditRefused: there is no such place, or it cannot be proved that nothing else changes.
        """
        if path and not self.has(path) and isinstance(path[-1], str):
            return self.insert(path[:-1], path[-1], value)
        self._find(path)
        old = parted(self.value, path)
        if meaning(old) == meaning(value):
            return self
        try:
            return self._set_parts(path, old, value)
        except EditRefused:
            return self._replace(path, value)

    def rename(self, path: Steps, key: str) -> "YamlText":
        """The text with another key in the place of the last one of a path; its value and its place stay.

        Raises:
            EditRefused: there is no such key, the other one is there already, or nothing can be proved.
        """
        above, _ = self._find(path)
        if above is None or above.kind != "mapping":
            raise self._refused(path, "expected a key, found an item of a list")
        index = above.index_of(path[-1])
        if above.key_value(index) == key:
            return self
        self._check_new(above, path[:-1], key)
        node = above.keys[index]
        self._check_plain(path, node)
        flow = above.style == "flow"
        written = self._writer.key(key, flow=flow, was=by_choice(node, flow=flow, is_key=True) or "")

        def change(tree: object) -> None:
            mapping = parted(tree, path[:-1])
            assert isinstance(mapping, dict)
            old = key_in(mapping, path[-1])
            pairs = [(key if one is old or one == old else one, value) for one, value in mapping.items()]
            mapping.clear()
            mapping.update(pairs)

        return self._spliced(path, node.start, node.end, written, change)

    def insert(
        self, path: Steps, at: Step, value: Value, *, comment: str = "", before: Step | None = None
    ) -> "YamlText":
        """The text with one entry more in the mapping or list at a path.

        Args:
            at: the new key of a mapping; the index that the new item of a list will have, its length to add it.
            comment: what stands above it, one or more lines without their `#`.
            before: the key that it goes before; behind all others without one.

        Raises:
            EditRefused: there is no such mapping or list, the key is there already, or nothing can be proved.
        """
        if self._root is None and not path and isinstance(at, str):
            return self._first(at, value, comment)
        _, node = self._find(path)
        if node.kind == "alias":
            raise self._refused(path, "it repeats what is written elsewhere (an alias); edit it there")
        if node.kind not in ("mapping", "list"):
            raise self._refused(path, "expected a mapping or a list to add to, found something else")
        if (node.kind == "mapping") != isinstance(at, str):
            wanted = "the new key" if node.kind == "mapping" else "an index"
            raise self._refused(path, f"expected {wanted} of a {node.kind}, found {at!r}")
        index = self._index_for(node, path, at, before)
        if not node.items:
            if comment:
                raise self._refused(path, "a comment cannot stand inside brackets; add the entry without one")
            return self._replace(path, {str(at): value} if node.kind == "mapping" else [value])
        self._check_plain(path, node, anchored=True)

        def change(tree: object) -> None:
            target = parted(tree, path)
            if isinstance(target, list):
                target.insert(index, copied(value))
            elif isinstance(target, dict):
                pairs = [*target.items()]
                pairs.insert(index, (at, copied(value)))
                target.clear()
                target.update(pairs)

        inner = (*path, at)
        if node.style == "flow":
            if comment:
                raise self._refused(path, "a comment cannot stand inside brackets; add the entry without one")
            written = self._writer.flow(value, inner)
            if isinstance(at, str):
                written = f"{self._writer.key(at, flow=True)}: {written}"
            place, new = self._lines.into_flow(node, index, written)
        else:
            if isinstance(at, str):
                written = self._writer.entry(at, value, inner, node.column)
            else:
                written = self._writer.item(value, inner, node.column)
            place, new = self._lines.into_block(node, index, written, comment)
        return self._spliced(inner, place, place, new, change)

    def remove(self, path: Steps) -> "YamlText":
        """The text without what stands at a path, nor the comments that stand right above it or behind it.

        Raises:
            EditRefused: there is no such place, or nothing can be proved.
        """
        above, node = self._find(path)
        if above is None:
            raise self._refused(path, "a file's whole document cannot be removed")
        self._check_plain(path[:-1], above, anchored=True)
        if len(above.items) == 1:
            return self._replace(path[:-1], {} if above.kind == "mapping" else [])
        index = above.index_of(path[-1])

        def change(tree: object) -> None:
            target = parted(tree, path[:-1])
            if isinstance(target, list):
                del target[index]
            elif isinstance(target, dict):
                del target[key_in(target, path[-1])]

        if above.style == "flow":
            start, end = self._lines.out_of_flow(above, index)
            if self._lines.has_comment(start, end, above.keys[index] if above.keys else node, node):
                raise self._refused(path, "a comment stands beside it inside the brackets; edit the text itself")
        else:
            start, end = self._lines.out_of_block(above, index, is_top=len(path) == 1)
        return self._spliced(path, start, end, "", change)

    # -- how they are made ----------------------------------------------------------------------------------

    def _set_parts(self, path: Steps, old: object, new: Value) -> "YamlText":
        """The change of a mapping or a list made part by part, so that comments in it stay."""
        text = self
        if isinstance(old, dict) and isinstance(new, Mapping) and old and new:
            kept = [str(key) for key in old if str(key) in new]
            if not kept or kept != [key for key in new if key in kept] or len({*map(str, old)}) < len(old):
                return self._replace(path, new)
            for key in [str(key) for key in old if str(key) not in new]:
                text = text.remove((*path, key))
            following = dict(pairwise(new))
            for key in reversed([*new]):
                if key in kept:
                    text = text.set((*path, key), new[key])
                else:
                    text = text.insert(path, key, new[key], before=following.get(key))
            return text
        if isinstance(old, list) and isinstance(new, Sequence) and not isinstance(new, str) and old and new:
            head = _alike(old, new)
            tail = min(_alike(old[::-1], [*new][::-1]), len(old) - head, len(new) - head)
            if len(old) == len(new):
                for index in range(head, len(old) - tail):
                    text = text.set((*path, index), new[index])
                return text
            if not head + tail:
                return self._replace(path, new)
            for index in reversed(range(head, len(old) - tail)):
                text = text.remove((*path, index))
            for index in range(head, len(new) - tail):
                text = text.insert(path, index, new[index])
            return text
        return self._replace(path, new)

    def _replace(self, path: Steps, value: Value) -> "YamlText":
        """The text with a value in the place of all that stands at a path."""
        above, node = self._find(path)
        self._check_plain(path, node)

        def change(tree: object) -> object:
            if not path:
                return copied(value)
            target = parted(tree, path[:-1])
            if isinstance(target, dict):
                target[key_in(target, path[-1])] = copied(value)
            elif isinstance(target, list) and isinstance(path[-1], int):
                target[path[-1]] = copied(value)
            return tree

        if above is None:
            if not node.is_block or value:
                raise self._refused(path, "a file's whole document cannot be replaced; edit its parts")
            return self._spliced(path, node.start, node.end, self._writer.flow(value, path), change)
        index = above.index_of(path[-1])
        was = by_choice(node, flow=above.style == "flow") or ""
        if above.style == "flow":
            new = self._writer.flow(value, path, was=was)
            if node.start == node.end:
                key_end = above.keys[index].end if above.keys else node.start
                new = f" {new}" if ":" in self.text[key_end : node.start] else f": {new}"
            return self._spliced(path, node.start, node.end, new, change)
        lead = self._lines.lead(above, index)
        if lead < 0:
            raise self._refused(path, "it is written with a question mark before its key; edit the text itself")
        column = above.column
        head, body = self._writer.behind(value, path, column, self._lines.column(lead), was=was)
        if not body and node.start < node.end and not node.is_block:
            return self._spliced(path, node.start, node.end, head.lstrip(" "), change)
        end, kept = self._lines.around(lead, node)
        if above.kind == "list" and body and not head and not kept:
            body = self._writer.item(value, path, column).removeprefix("-")
        return self._spliced(path, lead, end, f"{head}{kept}{body}", change)

    def _first(self, key: str, value: Value, comment: str) -> "YamlText":
        """The first entry of a text that has none: behind the comments that it may have."""
        newline = self._lines.newline
        above = "".join(f"{line}{newline}" for line in _commented(comment, 0))
        text = self.text if not self.text or self.text.endswith("\n") else self.text + newline
        written = self._writer.entry(key, value, (key,), 0)
        return self._proved((key,), f"{text}{above}{written}{newline}", {key: copied(value)})

    # -- looking and proving --------------------------------------------------------------------------------

    def _find(self, path: Steps) -> tuple[Node | None, Node]:
        """What stands at a path, and what it stands in."""
        above: Node | None = None
        node = self._root
        if node is None:
            raise EditRefused("the file says nothing yet")
        for depth, step in enumerate(path):
            if node.kind == "alias":
                raise self._refused(path[:depth], "it repeats what is written elsewhere (an alias); edit it there")
            if node.merges:
                raise self._refused(path[:depth], "a merge key (<<) takes something over into it; edit the text itself")
            index = node.index_of(step)
            if index < 0:
                names = [str(node.key_value(number)) for number in range(len(node.keys))]
                what = f"entry {step!r}{near(str(step), names)}" if node.keys else f"item {step!r}"
                raise self._refused(path[:depth], f"there is no {what}")
            above, node = node, node.items[index]
        if node.merges:
            raise self._refused(path, "a merge key (<<) takes something over into it; edit the text itself")
        return above, node

    def _index_for(self, node: Node, path: Steps, at: Step, before: Step | None) -> int:
        """Where among the parts of a node something new goes."""
        if isinstance(at, str):
            self._check_new(node, path, at)
            if before is None:
                return len(node.items)
            index = node.index_of(before)
            if index < 0:
                raise self._refused(path, f"there is no entry {before!r} to go before")
            return index
        if not 0 <= at <= len(node.items):
            raise self._refused(path, f"expected an index of 0 to {len(node.items)}, found {at}")
        return at

    def _check_new(self, node: Node, path: Steps, key: str) -> None:
        if any(str(node.key_value(index)) == key for index in range(len(node.keys))):
            raise self._refused(path, f"there is an entry {key!r} already")

    def _check_plain(self, path: Steps, node: Node, *, anchored: bool = False) -> None:
        """Refuse what would lose more than its value.

        Args:
            anchored: whether an anchor may stay, because the node itself does.
        """
        if node.is_tagged:
            raise self._refused(path, "it has a tag (!!str, say); edit the text itself")
        if node.is_anchored and not anchored:
            raise self._refused(path, "it has an anchor (&name), which others may repeat; edit the text itself")

    def _spliced(
        self, path: Steps, start: int, end: int, new: str, change: Callable[[object], object | None]
    ) -> "YamlText":
        """The text with something else between two places, proved to say what it said with that change."""
        tree = copied(self._value)
        changed = change(tree)
        expected = tree if changed is None else changed
        rest = self.text[end:]
        try:
            return self._proved(path, self.text[:start] + new + rest, expected)
        except EditRefused:
            if rest or not new:
                raise
            return self._proved(path, self.text[:start] + new + self._lines.newline, expected)

    def _proved(self, path: Steps, text: str, expected: object) -> "YamlText":
        try:
            made = YamlText(text)
        except EditRefused as error:
            raise self._refused(path, f"the text would not be YAML any more ({error}); edit the text itself") from error
        if meaning(made._value) != meaning(expected):
            raise self._refused(path, "something else would change with it; edit the text itself")
        return made

    def _refused(self, path: Steps, why: str) -> EditRefused:
        line = 0
        node = self._root
        for step in path:
            index = -1 if node is None else node.index_of(step)
            if node is None or index < 0:
                break
            line = node.keys[index].line if node.keys else node.items[index].line
            node = node.items[index]
        place = ".".join(map(str, path)) or "the file"
        return EditRefused(f"line {line}: {place}: {why}" if line else f"{place}: {why}")


def _alike(old: Sequence[object], new: Sequence[object]) -> int:
    """How many items two lists begin with in common."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if meaning(one) != meaning(other):
            break
        count += 1
    return count


def _commented(comment: str, column: int) -> list[str]:
    return [f"{' ' * column}# {line}".rstrip() for line in comment.splitlines()] if comment else []
