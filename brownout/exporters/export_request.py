"""What is asked of an export: which tasks, with which seeds, in which splits; and the rows that come of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from pydantic import BaseModel, ConfigDict

from brownout.core.errors import ExportError, UsageError
from brownout.core.values import digest_of
from worlds.package import Package

__all__ = ["ExportRequest", "ExportRow", "parse_seeds", "parse_split", "placed"]

_MOST_SEEDS = 100_000


class ExportRow(BaseModel):
    """One piece of work that a framework offers: a line of an export's rows.jsonl.

    Attributes:
        task: the task's id.
        seed: of the session.
        split: which of the framework's sets it belongs to: `train`.
        prompt: what the agent is told at the start.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    task: str
    seed: int
    split: str
    prompt: str

    @property
    def id(self) -> str:
        """A name for it: `find-the-change@7`."""
        return f"{self.task}@{self.seed}"


@dataclass(frozen=True, slots=True)
class ExportRequest:
    """What an export is to offer.

    Attributes:
        tasks: ids, in this order; none means every one of the world's.
        seeds: of the sessions; each task is offered with each.
        split: name -> share of the tasks; the shares add up to 1. A task is in one split with all its seeds.
    """

    tasks: Sequence[str] = ()
    seeds: Sequence[int] = (0,)
    split: Mapping[str, Fraction] = field(default_factory=lambda: {"train": Fraction(1)})

    def chosen(self, package: Package) -> list[str]:
        """The ids of the tasks.

        Raises:
            UnknownTask: the world has no such task.
            ExportError: it has none at all.
        """
        chosen = [package.task(name).id for name in self.tasks] or list(package.tasks)
        if not chosen:
            raise ExportError(f"{package.manifest.world} has no tasks, so there is nothing to export")
        return list(dict.fromkeys(chosen))


def placed(tasks: Sequence[str], split: Mapping[str, Fraction]) -> dict[str, str]:
    """Which split each task is in. The order is drawn by the tasks' names, so one task more moves few others.

    Raises:
        UsageError: there are fewer tasks than splits.
    """
    if len(tasks) < len(split):
        raise UsageError(
            f"expected at least {len(split)} tasks, one for each of {', '.join(split)}, found {len(tasks)}; a task is in one "
            "split with all its seeds"
        )
    drawn = sorted(tasks, key=lambda name: digest_of("split", name))
    found: dict[str, str] = {}
    begin, reached = 0, Fraction(0)
    for number, (name, share) in enumerate(split.items()):
        reached += share
        left = len(split) - number - 1
        end = min(max(round(reached * len(drawn)), begin + 1), len(drawn) - left)
        found |= dict.fromkeys(drawn[begin:end], name)
        begin = end
    return found


def parse_seeds(text: str) -> list[int]:
    """`0-9,42` as numbers.

    Raises:
        UsageError: it is something else.
    """
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise UsageError(f"expected seeds such as 0-9,42, found {text!r}")
        found += range(int(first), min(int(last or first), int(first) + _MOST_SEEDS) + 1)
    if not found or len(found) > _MOST_SEEDS:
        raise UsageError(f"expected up to {_MOST_SEEDS} seeds, from the lower to the higher, found {text!r}")
    return list(dict.fromkeys(found))


def parse_split(text: str) -> dict[str, Fraction]:
    """`train=0.8,test=0.2` as shares.

    Raises:
        UsageError: it is something else, or the shares do not add up to 1.
    """
    advice = f"expected shares that add up to 1, such as train=0.8,test=0.2, found {text!r}"
    found: dict[str, Fraction] = {}
    for part in text.split(","):
        name, _, share = (word.strip() for word in part.partition("="))
        try:
            found[name] = Fraction(share)
        except (ValueError, ZeroDivisionError) as error:
            raise UsageError(advice) from error
        if not name.isidentifier() or found[name] <= 0:
            raise UsageError(advice)
    if sum(found.values()) != 1:
        raise UsageError(advice)
    return found
