"""The report itself: every statistic with its value, what is usual, and a verdict in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from brownout.core.instants import Instant, clock_text
from brownout.core.values import Json, JsonObject
from generators.report import chat, integrity, mail, text_variety, work
from generators.report.list_statistics import log_distance
from generators.report.measured_company import MeasuredCompany, read_company
from generators.report.statistic import STATISTICS, Band, ExampleArtefact, Measured, bands
from worlds.package import Package

__all__ = ["ROOMS", "Report", "ReportFinding", "Verdict", "make_report", "measure_company"]

Verdict: TypeAlias = Literal["usual", "near", "unusual", "holds", "broken", "too few", "no band", "nothing"]
"""How a value stands to its band. `near` is outside by a quarter of the edge at most; `holds` and `broken` are said of what
must be; `nothing` where the company has nothing of the kind; `no band` where nobody's figures make one."""

ROOMS: Final = (chat, mail, work, text_variety, integrity)
"""The modules that statistics are defined in, in the order of the report."""
_NEAR: Final = 0.223
"""ln 1.25"""
_LISTED: Final = 50
"""Artefacts that a document names for a statistic."""


@dataclass(frozen=True, slots=True)
class ReportFinding:
    """One statistic of a company.

    Attributes:
        usual: the band that was compared with, None where there is none for so many.
        distance: how far the value is outside, as a natural logarithm; 0 inside.
    """

    name: str
    band: Band
    measured: Measured
    usual: tuple[float, float] | None
    distance: float
    verdict: Verdict

    @property
    def value(self) -> float | None:
        return self.measured.value

    @property
    def examples(self) -> Sequence[ExampleArtefact]:
        return self.measured.examples


@dataclass(frozen=True, slots=True)
class Report:
    """How real a company is.

    Attributes:
        at: the moment that it was read at.
    """

    title: str
    at: Instant
    zone: str
    counts: dict[str, int]
    findings: tuple[ReportFinding, ...]

    def count(self, *verdicts: Verdict) -> int:
        """How many statistics have one of these verdicts."""
        return sum(one.verdict in verdicts for one in self.findings)

    @property
    def holds(self) -> bool:
        """Whether nothing that must be is broken."""
        return not self.count("broken")

    def document(self) -> JsonObject:
        """The report as one JSON document."""
        counts: dict[str, Json] = {**self.counts}
        return {
            "title": self.title,
            "at": self.at,
            "clock": clock_text(self.at, self.zone),
            "counts": counts,
            "holds": self.holds,
            "statistics": [_listed(one) for one in self.findings],
        }


def _listed(one: ReportFinding) -> Json:
    peers: dict[str, Json] = {**one.band.peers}
    examples: list[Json] = [
        {"path": each.path, "at": each.at, "who": each.who, "says": each.says} for each in one.examples[:_LISTED]
    ]
    return {
        "name": one.name,
        "family": one.band.family,
        "title": one.band.title,
        "unit": one.band.unit,
        "value": one.value,
        "of": one.measured.of,
        "band": list(one.usual) if one.usual else None,
        "distance": round(one.distance, 3),
        "verdict": one.verdict,
        "source": one.band.source,
        "mark": one.band.mark,
        "peers": peers,
        "note": one.measured.note,
        "offending": len(one.examples),
        "examples": examples,
    }


def make_report(package: Package, *, task: str = "") -> Report:
    """The report on a package at a task's start; at the latest where no task is named.

    Raises:
        UnknownTask: the package has no such task.
    """
    return measure_company(read_company(package, task=task))


def measure_company(company: MeasuredCompany) -> Report:
    """The report on a company that was read."""
    found = [judge(name, bands()[name], statistic.measure(company)) for name, statistic in STATISTICS.items()]
    counts = {
        "people": sum(one.account.kind == "person" for one in company.people.values()),
        "chat messages": len(company.all_messages),
        "conversations": len(company.talks),
        "mails": len(company.all_mails),
        "tickets": len(company.tickets),
        "pull requests": len(company.pulls),
        "commits": len(company.commits),
    }
    return Report(company.title, company.at, company.zone, counts, tuple(found))


def judge(name: str, band: Band, measured: Measured) -> ReportFinding:
    """A value beside what is usual."""
    usual = band.bands.get(measured.of) if band.bands else band.band
    if measured.value is None:
        return ReportFinding(name, band, measured, usual, 0.0, "too few" if measured.of else "nothing")
    distance = log_distance(measured.value, *usual) if usual else 0.0
    return ReportFinding(name, band, measured, usual, distance, _verdict(band, measured, usual, distance))


def _verdict(band: Band, measured: Measured, usual: tuple[float, float] | None, distance: float) -> Verdict:
    if band.must:
        return "broken" if distance else "holds"
    if measured.of < band.needs:
        return "too few"
    if usual is None:
        return "no band"
    if not distance:
        return "usual"
    return "near" if distance <= _NEAR else "unusual"
