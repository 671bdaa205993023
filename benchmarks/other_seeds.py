"""How much of what a company says another seed of the same world says as well, word for word, outside what its author wrote."""

import tempfile
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path

import brownout
from generators.report import MeasuredCompany, read_company
from generators.report.chat import words_in
from worlds.spec import BackgroundSpec

__all__ = ["SharedTexts", "shared_by_seeds", "shared_texts"]

_LONG = 6
"""Words of a text that counts: of shorter ones everybody says the same."""


@dataclass(frozen=True, slots=True)
class SharedTexts:
    """Of `texts` different ones of a kind the other company says `shared` too; `kind` is empty for all of them."""

    kind: str
    texts: int
    shared: int

    @property
    def share(self) -> float:
        """Of all of them, 0 where there are none."""
        return self.shared / self.texts if self.texts else 0.0


def shared_by_seeds(world: str, background: BackgroundSpec, *, seed: int) -> list[SharedTexts]:
    """What a world with its own seed and with another one both say; what it says without everyday life is its author's."""
    silent = BackgroundSpec(machines=0, work=0, people=0)

    def built(volumes: BackgroundSpec, other: int | None) -> MeasuredCompany:
        with tempfile.TemporaryDirectory() as name:
            return read_company(brownout.build(world, seed=other, background=volumes, out=Path(name) / "package"))

    authored = frozenset[str]().union(*(_spoken(built(silent, one)).keys() for one in (None, seed)))
    return shared_texts(built(background, None), built(background, seed), authored)


def shared_texts(one: MeasuredCompany, other: MeasuredCompany, authored: Set[str]) -> list[SharedTexts]:
    """The different texts of six words and more that people of one company wrote and those that the other has too: all, then by kind.

    Args:
        authored: texts that do not count, in lower case with single spaces.
    """
    said, again = _spoken(one), _spoken(other)
    kinds: dict[str, list[bool]] = {"": []}
    for text, kind in said.items():
        if text not in authored:
            kinds[""].append(text in again)
            kinds.setdefault(kind, []).append(text in again)
    return [SharedTexts(kind, len(found), sum(found)) for kind, found in kinds.items()]


def _spoken(company: MeasuredCompany) -> dict[str, str]:
    """The kind of each different text, by the text in lower case with single spaces."""
    return {
        " ".join(one.text.lower().split()): one.kind
        for one in company.said
        if words_in(one.text) >= _LONG and one.who in company.staff
    }
