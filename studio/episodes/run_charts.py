"""Pictures of runs: where a reward came from, which criteria which run met, what a score cost, where runs first went wrong."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import altair as alt

from brownout.annotations import Annotation
from brownout.core.values import Json, JsonObject
from studio.episodes.run_list import Run

__all__ = [
    "cost_chart",
    "cost_points",
    "criteria_cells",
    "criteria_chart",
    "first_error_chart",
    "first_errors",
    "judge_cells",
    "judge_chart",
    "waterfall_bars",
    "waterfall_chart",
]

_GREEN, _RED, _ORANGE, _GREY, _BLUE = "#0E9F6E", "#D6454F", "#C77700", "#8A93A3", "#3B5BDB"
_STATES = {"met": _GREEN, "partly": _ORANGE, "not met": _RED, "left out": _GREY}
_SIGNS = {"met": "✓", "partly": "◐", "not met": "✗", "left out": "–"}
_FEWEST_CALLS, _MOST_BARS = 12, 24
"""Of a histogram over calls."""
_Row = dict[str, object]


def _number(value: Json | None) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


# -- where a reward came from -------------------------------------------------------------------------------


def waterfall_bars(ledger: Sequence[JsonObject]) -> list[_Row]:
    """Each criterion's points as a step from where the ones before it ended; what was not earned comes after all that was.

    The last row is the whole: what counts, of what was possible.
    """
    worth = [one for one in ledger if _number(one.get("worth")) or _number(one.get("counted"))]
    earned = sorted((one for one in worth if _number(one["counted"]) > 0), key=lambda one: -_number(one["counted"]))
    taken = [one for one in worth if _number(one["counted"]) < 0]
    lost = [one for one in worth if _number(one["counted"]) == 0 and not one.get("penalty")]
    bars: list[_Row] = []
    at = 0.0
    for one in [*earned, *taken]:
        points = _number(one["counted"])
        bars.append(_bar(one, at, at + points, "earned" if points > 0 else "penalty"))
        at += points
    ends = max(at, 0.0)
    for one in sorted(lost, key=lambda one: -_number(one["worth"])):
        bars.append(_bar(one, at, at + _number(one["worth"]), "lost"))
        at += _number(one["worth"])
    if bars:
        possible = sum(_number(one["worth"]) for one in ledger if not one.get("gate") and not one.get("penalty"))
        bars.append(
            {"criterion": "counted", "from": 0.0, "to": ends, "kind": "total", "points": f"{ends:g}/{possible:g}", "why": ""}
        )  # fmt: skip
    return [{**bar, "order": number} for number, bar in enumerate(bars)]


def _bar(one: JsonObject, start: float, end: float, kind: str) -> _Row:
    points = f"{_number(one['counted']):g}/{_number(one['worth']):g}"
    return {
        "criterion": str(one["criterion"]), "from": start, "to": end, "kind": kind, "points": points,
        "why": str(one.get("reason") or ""),
    }  # fmt: skip


def waterfall_chart(bars: Sequence[_Row]) -> alt.LayerChart | alt.FacetChart:
    """The steps as bars, from the top down."""
    base = alt.Chart({"values": [*bars]}).encode(
        y=alt.Y("criterion:N", sort=alt.SortField("order"), title=None, axis=_names_axis(220)),
        tooltip=["criterion:N", "points:N", "kind:N", "why:N"],
    )
    names = ["earned", "lost", "penalty", "total"]
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=names, range=[_GREEN, _GREY, _RED, _BLUE]),
        legend=alt.Legend(orient="top", title=None),
    )
    steps = base.mark_bar(cornerRadius=3, height={"band": 0.62}).encode(
        x=alt.X("from:Q", title="Points", axis=alt.Axis(grid=True)), x2="to:Q", color=colour,
        opacity=alt.condition("datum.kind == 'lost'", alt.value(0.45), alt.value(0.95)),
    )  # fmt: skip
    words = base.mark_text(align="left", dx=5, fontSize=11, color=_GREY).encode(x=alt.X("right:Q"), text="points:N")
    words = words.transform_calculate(right="max(datum.from, datum.to)")
    return alt.layer(steps, words).properties(height=24 * len(bars) + 30)


# -- criteria and runs --------------------------------------------------------------------------------------


def criteria_cells(runs: Iterable[Run]) -> list[_Row]:
    """What became of each criterion in each run of a task, by what it earned there."""
    cells: list[_Row] = []
    for run in runs:
        if run.result is None or run.reward is None:
            continue
        for line in run.result.ledger:
            if line.get("grader") == "rubric":
                continue
            cells.append(_cell(run, str(line["criterion"]), _state(line), str(line.get("reason") or "")))
        cells += [
            _cell(run, str(one["criterion"]), "left out", str(one.get("why") or "")) for one in run.result.left_out
        ]
    return cells


def _state(line: JsonObject) -> str:
    """What became of a criterion, by what it earned: a gate and a penalty earn nothing, but hold or do not."""
    counted, worth = _number(line.get("counted")), _number(line.get("worth"))
    if line.get("gate") or line.get("penalty") or not worth:
        return "met" if bool(line.get("passed")) is not bool(line.get("penalty")) else "not met"
    return "met" if counted >= worth else "partly" if counted > 0 else "not met"


def _cell(run: Run, criterion: str, state: str, why: str) -> _Row:
    return {"run": run.id, "criterion": criterion, "state": state, "sign": _SIGNS[state], "why": why}


def criteria_chart(cells: Sequence[_Row]) -> alt.LayerChart | alt.FacetChart:
    """A row for each run and a column for each criterion; a sign says what its colour does."""
    runs = [*dict.fromkeys(str(cell["run"]) for cell in cells)]
    criteria = [*dict.fromkeys(str(cell["criterion"]) for cell in cells)]
    base = alt.Chart({"values": [*cells]}).encode(
        x=alt.X(
            "criterion:N", sort=criteria, title=None, scale=alt.Scale(paddingInner=0.06),
            axis=alt.Axis(
                orient="top", labelAngle=-40, domain=False, ticks=False, labelLimit=130, labelOverlap=False, labelPadding=6
            ),
        ),
        y=alt.Y("run:N", sort=runs, title=None, scale=alt.Scale(paddingInner=0.1), axis=_names_axis(230)),
        tooltip=["run:N", "criterion:N", "state:N", "why:N"],
    )  # fmt: skip
    colour = alt.Color(
        "state:N",
        scale=alt.Scale(domain=[*_STATES], range=[*_STATES.values()]),
        legend=alt.Legend(orient="bottom", title=None),
    )
    boxes = base.mark_rect(cornerRadius=3, stroke="transparent", opacity=0.88).encode(color=colour)
    signs = base.mark_text(color="white", fontWeight=700, fontSize=11).encode(text="sign:N")
    return alt.layer(boxes, signs).properties(height=28 * len(runs) + 130)


# -- score and cost -----------------------------------------------------------------------------------------


def cost_points(runs: Iterable[tuple[Run, int | None, float | None]]) -> tuple[str, list[_Row]]:
    """What the runs took, in the first of dollars, tokens and calls that two of them tell, and what they earned.

    Args:
        runs: each with its tokens and dollars, None where nobody knows.

    Returns:
        The axis' title, and a point a run.
    """
    known = [(run, tokens, cost) for run, tokens, cost in runs if run.result is not None and run.reward is not None]
    for title, taken in (
        ("Cost ($)", [cost for _, _, cost in known]),
        ("Tokens", [tokens for _, tokens, _ in known]),
        ("Calls", [run.result.steps if run.result else None for run, _, _ in known]),
    ):
        points: list[_Row] = [
            {"run": run.id, "agent": run.agent, "reward": run.reward, "taken": value}
            for (run, _, _), value in zip(known, taken, strict=True)
            if value is not None
        ]
        if len(points) > 1:
            return title, points
    return "", []


def cost_chart(title: str, points: Sequence[_Row]) -> alt.Chart:
    """A point a run."""
    chart: alt.Chart = (
        alt.Chart({"values": [*points]})
        .mark_point(filled=True, size=90, opacity=0.75)
        .encode(
            x=alt.X("taken:Q", title=title, axis=alt.Axis() if "$" in title else alt.Axis(tickMinStep=1, format=",d")),
            y=alt.Y("reward:Q", title="Reward", scale=alt.Scale(domain=[0, 1])),
            color=alt.Color("agent:N", legend=alt.Legend(orient="top", title=None)),
            shape=alt.Shape("agent:N"),
            tooltip=["run:N", "agent:N", alt.Tooltip("reward:Q", format=".2f"), alt.Tooltip("taken:Q", title=title)],
        )
        .properties(height=280)
    )
    return chart


# -- what annotators say ------------------------------------------------------------------------------------


def first_errors(records: Iterable[Annotation]) -> list[_Row]:
    """How many runs went wrong first at which call, as annotators say; each annotator's word counts."""
    found = Counter(one.call for one in records if one.kind == "first_error" and one.call is not None)
    return [{"call": call, "runs": count} for call, count in sorted(found.items())]


def first_error_chart(rows: Sequence[_Row]) -> alt.Chart:
    """A bar for each span of calls, from the first call on."""
    last = max([_FEWEST_CALLS, *(row["call"] for row in rows if isinstance(row["call"], int))])
    step = -(-last // _MOST_BARS)
    chart: alt.Chart = (
        alt.Chart({"values": [*rows]})
        .mark_bar(cornerRadius=2, color=_RED, opacity=0.85)
        .encode(
            x=alt.X(
                "call:Q",
                bin=alt.Bin(step=step, extent=[0, last + step]),
                title="Call of the first error",
                axis=alt.Axis(format="d", tickMinStep=step, grid=False),
            ),
            y=alt.Y("sum(runs):Q", title="Marks", axis=alt.Axis(tickMinStep=1)),
            tooltip=[alt.Tooltip("sum(runs):Q", title="marks")],
        )
        .properties(height=200)
    )
    return chart


def judge_cells(records: Iterable[Annotation], judged: Mapping[tuple[str, str], bool]) -> list[_Row]:
    """How often annotators said the same as a judge of the same criterion, and how often not."""
    found: Counter[tuple[str, str]] = Counter()
    for one in records:
        if one.kind == "verdict" and one.value in ("met", "not met") and (one.run, one.about) in judged:
            found["met" if judged[one.run, one.about] else "not met", one.value] += 1
    words = ("met", "not met")
    if not found:
        return []
    return [
        {"judge": judge, "annotator": said, "count": found[judge, said], "same": judge == said}
        for judge in words
        for said in words
    ]


def judge_chart(cells: Sequence[_Row]) -> alt.LayerChart | alt.FacetChart:
    """Two by two: what a judge said across, what annotators said down."""
    base = alt.Chart({"values": [*cells]}).encode(
        x=alt.X("judge:N", title="Judge", axis=alt.Axis(orient="top", labelAngle=0, domain=False, ticks=False)),
        y=alt.Y("annotator:N", title="Annotators", axis=alt.Axis(domain=False, ticks=False)),
        tooltip=["judge:N", "annotator:N", "count:Q"],
    )
    boxes = base.mark_rect(cornerRadius=4, stroke="transparent", opacity=0.85).encode(
        color=alt.Color("same:N", legend=None, scale=alt.Scale(domain=[True, False], range=[_GREEN, _RED]))
    )
    return alt.layer(boxes, base.mark_text(color="white", fontWeight=600).encode(text="count:Q")).properties(
        width=220, height=110
    )


def _names_axis(limit: int) -> alt.Axis:
    return alt.Axis(domain=False, ticks=False, labelLimit=limit, labelPadding=8, labelOverlap=False)
