"""The same author's text with other seeds: what a task grades of what is drawn, and the worlds to try calls in."""

import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final

from brownout.engine.world import World
from generators.build import build_world
from worlds.spec import WorldSpec
from worlds.spec.slots import uses_in

__all__ = ["Variants"]

_SEEDS: Final = 1_000
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


class Variants:
    """The worlds of one text, each built when it is first asked for; close it, or use it as a context manager."""

    def __init__(self, spec: WorldSpec, folder: Path) -> None:
        """Take the text that the package was built of, and a folder for the others."""
        self._spec = spec
        self._folder = folder
        self._opened = ExitStack()
        self._worlds: dict[int, World] = {}

    @property
    def is_drawn(self) -> bool:
        """Whether the text has drawn slots at all."""
        return bool(self._spec.drawing.slots)

    def graded(self, task: str) -> frozenset[str]:
        """The slots that a task's rubric and findings have in their text, or in the value of a fact that they name."""
        written = self._tree(f"tasks/{task}/task.yaml")
        judged = [text for part in ("rubric", "findings") for text in _texts(written.get(part))]
        found = {use.slot for text in judged for use in uses_in(text)}
        names = {name for text in judged for name in _NAME.findall(text)}
        for line in self._spec.storylines:
            facts = self._tree(f"storylines/{line}.yaml").get("facts")
            for name, fact in facts.items() if isinstance(facts, Mapping) else ():
                if name in names and isinstance(fact, Mapping):
                    found |= {use.slot for text in _texts(fact.get("is")) for use in uses_in(text, line)}
        return frozenset(found & {*self._spec.drawing.slots})

    def differing(self, seed: int, slots: Collection[str]) -> tuple[int, tuple[str, ...]]:
        """The seed that gives most of some slots other values than `seed` does, and of the rest the fewest.

        Returns:
            That seed, and which of the slots it leaves as they are.
        """
        own = self._spec.drawing.drawn(seed)[0].values
        found = [(len(slots), 0, seed, tuple(sorted(slots)))]
        for other in range(_SEEDS):
            drawn, wrong = self._spec.drawing.drawn(other)
            alike = {slot for slot in own if drawn.values.get(slot) == own[slot]}
            same = tuple(sorted(alike.intersection(slots)))
            if not wrong:
                found.append((len(same), len(own) - len(alike), other, same))
        _, _, best, same = min(found)
        return best, same

    def world(self, seed: int) -> World:
        """The world of a seed, open.

        Raises:
            AuthoringError: the text has mistakes with that seed.
        """
        if seed not in self._worlds:
            package = build_world(self._spec, seed=seed, out=self._folder / f"seed-{seed}")
            self._worlds[seed] = self._opened.enter_context(World(package, hot=2))
        return self._worlds[seed]

    def _tree(self, name: str) -> Mapping[object, object]:
        tree = self._spec.source.tree_or_none(name) if self._spec.source else None
        return tree if isinstance(tree, Mapping) else {}

    def close(self) -> None:
        """Close the worlds."""
        self._opened.close()
        self._worlds.clear()

    def __enter__(self) -> "Variants":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _texts(value: object) -> Iterator[str]:
    """Every name and text in a value as it is written."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    else:
        yield str(value)
