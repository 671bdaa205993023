"""How far annotators agree, where they do not, and what was decided then."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeAlias

from brownout.annotations.alpha import Metric, krippendorff_alpha
from brownout.annotations.annotation import Annotation, Kind
from brownout.core.values import JsonObject

__all__ = ["GATE", "MEASURES", "Agreement", "Disagreement", "Measure", "agreement_of", "judge_agreement", "said_by"]

Measure: TypeAlias = Literal[
    "first-error", "first-error-class", "decisive", "labels", "ratings", "preferences", "verdicts"
]
MEASURES: dict[Measure, str] = {
    "first-error": "First error: which call",
    "first-error-class": "First error: which label",
    "decisive": "Decisive step: which call",
    "labels": "Labels of runs",
    "ratings": "Good and bad steps",
    "preferences": "Preferred run of two",
    "verdicts": "Verdicts on criteria",
}
GATE = 0.67
"""Krippendorff's own bound for tentative conclusions; 0.8 is his bound for firm ones."""
NONE = "none"
_Units: TypeAlias = dict[str, dict[str, str]]
"""Value by unit and author."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Something that annotators see differently.

    Attributes:
        unit: what it is about: a run, a run and a label, a run's call, a criterion.
        values: what each says.
        decided: what it was settled as, empty where it is open; `by` whom.
    """

    measure: Measure
    unit: str
    run: str
    values: Mapping[str, str]
    decided: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far annotators agree in one respect.

    Attributes:
        alpha: Krippendorff's, None where nothing can be said: too little was annotated twice, or everything alike.
        units: things that at least two annotated.
        exact: the share of pairs of annotators who say the same.
        near: of calls, the share of pairs who are at most one call apart; None elsewhere.
    """

    measure: Measure
    alpha: float | None
    units: int
    exact: float | None
    near: float | None
    disagreements: tuple[Disagreement, ...]

    def document(self) -> JsonObject:
        """The agreement as JSON."""
        return {
            "measure": self.measure,
            "alpha": self.alpha,
            "units": self.units,
            "exact": self.exact,
            "within_one": self.near,
            "disagreements": [
                {
                    "unit": one.unit,
                    "run": one.run,
                    "values": dict(one.values),
                    "decided": one.decided,
                    "by": one.by,
                }
                for one in self.disagreements
            ],
        }


def agreement_of(records: Sequence[Annotation]) -> list[Agreement]:
    """The agreement in every respect that something was said about.

    Args:
        records: those that stand. Who has not finished a run counts for none of it.
    """
    decided = {one.about: one for one in records if one.kind == "adjudication"}
    found = []
    for measure in MEASURES:
        units = said_by(records, measure)
        if units:
            found.append(_agreement(measure, units, decided))
    return found


def said_by(records: Sequence[Annotation], measure: Measure) -> _Units:
    """What each annotator says in one respect, by unit."""
    return _SAID[measure](records)


def judge_agreement(records: Sequence[Annotation], judged: Mapping[tuple[str, str], bool]) -> Agreement | None:
    """How far annotators' verdicts agree with a judge's, None where nobody gave one.

    Args:
        judged: what the judge said, by run and criterion.
    """
    units = {
        unit: {**values, "the judge": "met" if judged[key] else "not met"}
        for unit, values in said_by(records, "verdicts").items()
        if (key := (unit.partition(" · ")[0], unit.partition(" · ")[2])) in judged
    }
    return _agreement("verdicts", units, {}) if units else None


def _agreement(measure: Measure, units: _Units, decided: Mapping[str, Annotation]) -> Agreement:
    several = {unit: values for unit, values in units.items() if len(values) > 1}
    pairs = [pair for values in several.values() for pair in combinations(values.values(), 2)]
    metric: Metric = "nominal"
    alpha = krippendorff_alpha([[*values.values()] for values in several.values()], metric)
    differing = [
        Disagreement(
            measure=measure,
            unit=unit,
            run=unit.partition(" · ")[0],
            values=dict(sorted(values.items())),
            decided=settled.value if (settled := decided.get(f"{measure}|{unit}")) else "",
            by=settled.author if settled else "",
        )
        for unit, values in several.items()
        if len(set(values.values())) > 1
    ]
    near = None
    if measure in ("first-error", "decisive") and pairs:
        near = sum(_is_near(*pair) for pair in pairs) / len(pairs)
    exact = sum(one == other for one, other in pairs) / len(pairs) if pairs else None
    return Agreement(measure, alpha, len(several), exact, near, tuple(differing))


def _is_near(one: str, other: str) -> bool:
    if NONE in (one, other):
        return one == other
    return abs(int(one) - int(other)) <= 1


# -- what was said, respect by respect ----------------------------------------------------------------------


def _readers(records: Iterable[Annotation]) -> dict[str, set[str]]:
    """Who has finished which run."""
    found: dict[str, set[str]] = {}
    for one in records:
        if one.kind == "done":
            found.setdefault(one.run, set()).add(one.author)
    return found


def _first_errors(records: Sequence[Annotation]) -> _Units:
    return _calls(records, "first_error")


def _decisive(records: Sequence[Annotation]) -> _Units:
    return _calls(records, "decisive")


def _calls(records: Sequence[Annotation], kind: Kind) -> _Units:
    """Which call each who finished a run marked so; nothing where nobody ever did."""
    units: _Units = {run: dict.fromkeys(sorted(authors), NONE) for run, authors in _readers(records).items()}
    if not any(one.kind == kind for one in records):
        return {}
    for one in records:
        if one.kind == kind and one.author in units.get(one.run, ()):
            units[one.run][one.author] = str(one.call if one.call is not None else one.step)
    return units


def _classes(records: Sequence[Annotation]) -> _Units:
    units: _Units = {run: dict.fromkeys(sorted(authors), NONE) for run, authors in _readers(records).items()}
    firsts = {(one.run, one.author): one.step for one in records if one.kind == "first_error"}
    for (run, author), step in firsts.items():
        codes = {
            one.value
            for one in records
            if one.kind == "label" and (one.run, one.author, one.step) == (run, author, step)
        }
        if author in units.get(run, ()):
            units[run][author] = " + ".join(sorted(codes)) or "without a label"
    return units if firsts else {}


def _labels(records: Sequence[Annotation]) -> _Units:
    """For each run and each label that anybody gave any run, whether each who finished the run gave it, at whichever step.

    Runs without a label count for it as well: alpha over what somebody had marked alone would have no agreement on "no" in it.
    """
    readers = _readers(records)
    given = {
        (one.run, one.author, one.value)
        for one in records
        if one.kind == "label" and one.author in readers.get(one.run, ())
    }
    codes = sorted({code for _, _, code in given})
    return {
        f"{run} · {code}": {author: "yes" if (run, author, code) in given else "no" for author in sorted(authors)}
        for run, authors in readers.items()
        for code in codes
    }


def _ratings(records: Sequence[Annotation]) -> _Units:
    units: _Units = {}
    for one in records:
        if one.kind == "rating":
            units.setdefault(f"{one.run} · call {one.call} · step {one.step}", {})[one.author] = one.value
    return units


def _preferences(records: Sequence[Annotation]) -> _Units:
    units: _Units = {}
    for one in records:
        if one.kind == "preference":
            first, second = sorted((one.run, one.other))
            winner = {"first": one.run, "second": one.other}.get(one.value, "tie")
            units.setdefault(f"{first} · {second}", {})[one.author] = winner
    return units


def _verdicts(records: Sequence[Annotation]) -> _Units:
    units: _Units = {}
    for one in records:
        if one.kind == "verdict":
            units.setdefault(f"{one.run} · {one.about}", {})[one.author] = one.value
    return units


_SAID: dict[Measure, Callable[[Sequence[Annotation]], _Units]] = {
    "first-error": _first_errors,
    "first-error-class": _classes,
    "decisive": _decisive,
    "labels": _labels,
    "ratings": _ratings,
    "preferences": _preferences,
    "verdicts": _verdicts,
}
