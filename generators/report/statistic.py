"""What a statistic is: a name in `bands.yaml`, and a function from a company to one value with those who offend."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final, Literal, Protocol, TypeAlias

import yaml
from pydantic import Field, model_validator

from brownout.core.instants import Instant
from brownout.core.strict_model import StrictModel
from generators.report.measured_company import MeasuredCompany

__all__ = [
    "STATISTICS",
    "Band",
    "ExampleArtefact",
    "Family",
    "Measured",
    "Patterns",
    "Statistic",
    "bands",
    "counted",
    "measures",
    "patterns",
]

Family: TypeAlias = Literal[
    "activity", "timing", "structure", "graph", "lifecycle", "text", "coherence", "integrity"
]  # fmt: skip


class Band(StrictModel):
    """What is usual for a statistic, and who says so.

    Attributes:
        unit: `share` (0 to 1), `words`, `s`, `min`, `h`, `days`, `count`, or empty for a plain number.
        band: lowest and highest usual value; None where nobody's figures make one.
        bands: the same by size of sample, for what depends on it; the size that was measured chooses.
        needs: how many observations a verdict takes.
        mark: M measured on real data, P published, U unsourced: a working value.
        peers: the same of other generators and of real corpora, by name.
        must: it is a matter of right and wrong: outside the band is broken, however little.
    """

    family: Family
    title: str
    unit: str = ""
    band: tuple[float, float] | None = None
    bands: dict[int, tuple[float, float]] = Field(default={})
    needs: int = Field(default=30, ge=1)
    source: str
    mark: Literal["M", "P", "U"]
    peers: dict[str, float] = Field(default={})
    must: bool = False
    why: str = ""

    @model_validator(mode="after")
    def _ordered(self) -> "Band":
        for low, high in filter(None, (self.band, *self.bands.values())):
            if low > high:
                raise ValueError(f"the band {low}..{high} ends before it begins")
        return self


class Patterns(StrictModel):
    """Regular expressions that statistics count texts by, by name."""

    found_in: dict[str, str]


@dataclass(frozen=True, slots=True)
class ExampleArtefact:
    """An artefact that stands for what is wrong, and what is wrong with it."""

    path: str
    at: Instant
    who: str
    says: str


@dataclass(frozen=True, slots=True)
class Measured:
    """What a statistic found.

    Attributes:
        value: None where there is nothing to measure.
        of: how many observations it rests on.
        examples: artefacts that are to blame, the worst first.
        note: what a reader should know of it.
    """

    value: float | None
    of: int
    examples: Sequence[ExampleArtefact] = ()
    note: str = ""


class Measure(Protocol):
    """A function from a company to what it found."""

    def __call__(self, company: MeasuredCompany, /) -> Measured: ...


@dataclass(frozen=True, slots=True)
class Statistic:
    """A name in `bands.yaml` (`chat.words.p50`) and how it is measured."""

    name: str
    measure: Measure


STATISTICS: Final[dict[str, Statistic]] = {}
"""Every statistic by name, in the order they are defined."""


def measures(name: str) -> Callable[[Measure], Measure]:
    """A decorator that makes a function the measure of a statistic."""

    def register(function: Measure) -> Measure:
        STATISTICS[name] = Statistic(name, function)
        return function

    return register


@cache
def bands() -> Mapping[str, Band]:
    """What is usual for every statistic, by name."""
    tree = yaml.safe_load(files("generators.report").joinpath("bands.yaml").read_text("utf-8"))
    return {name: Band.model_validate(entry) for name, entry in tree["statistics"].items()}


@cache
def patterns() -> Mapping[str, str]:
    """The expressions that texts are counted by, by name."""
    tree = yaml.safe_load(files("generators.report").joinpath("bands.yaml").read_text("utf-8"))
    return Patterns.model_validate({"found_in": tree["patterns"]}).found_in


def counted(
    values: Sequence[float], of: Callable[[Sequence[float]], float], examples: Iterable[ExampleArtefact] = ()
) -> Measured:
    """A figure of many values; None where there are none."""
    return Measured(of(values) if values else None, len(values), [*examples])
