"""Pictures of runs: the numbers that are drawn."""

from pathlib import Path

from brownout.annotations import Annotation
from brownout.core.values import Json, JsonObject
from studio.episodes.run_charts import (
    cost_points,
    criteria_cells,
    criteria_chart,
    first_errors,
    judge_cells,
    waterfall_bars,
    waterfall_chart,
)
from studio.episodes.run_list import list_runs


def line(name: str, worth: int, counted: int, **more: Json) -> JsonObject:
    known: JsonObject = {"criterion": name, "worth": worth, "counted": counted, "gate": False, "penalty": False}
    return {**known, "passed": counted == worth, **more}


def said(author: str, kind: str, **more: object) -> Annotation:
    return Annotation.model_validate(
        {"run": "r", "kind": kind, "author": author, "id": f"{author}/1", "at": "2026-11-24", **more}
    )


def test_a_waterfall_ends_where_the_reward_does() -> None:
    ledger = [
        line("small", 2, 2), line("lost", 5, 0), line("large", 6, 6), line("gate", 0, 0, gate=True),
        line("damage", -3, -3, penalty=True), line("harmless", -3, 0, penalty=True),
    ]  # fmt: skip
    bars = waterfall_bars(ledger)

    assert [(bar["criterion"], bar["from"], bar["to"]) for bar in bars] == [
        ("large", 0, 6), ("small", 6, 8), ("damage", 8, 5), ("lost", 5, 10), ("counted", 0, 5),
    ]  # fmt: skip
    assert bars[-1]["points"] == "5/13"
    assert waterfall_chart(bars).to_dict()


def test_nothing_to_draw_is_no_picture() -> None:
    assert waterfall_bars([]) == []
    assert judge_cells([], {}) == []


def test_the_matrix_has_a_cell_for_every_criterion_of_every_run(recorded: Path) -> None:
    runs = list_runs(recorded).runs
    cells = criteria_cells(runs)

    assert {str(cell["run"]) for cell in cells} == {"solved", "halfway", "idle"}
    assert {str(cell["state"]) for cell in cells if cell["run"] == "solved"} == {"met"}
    assert "not met" in {str(cell["state"]) for cell in cells if cell["run"] == "idle"}
    assert criteria_chart(cells).to_dict()


def test_score_stands_against_what_most_is_known_of(recorded: Path) -> None:
    runs = list_runs(recorded).runs

    assert cost_points((run, None, None) for run in runs)[0] == "Calls"
    assert cost_points((run, 5, None) for run in runs)[0] == "Tokens"
    title, points = cost_points((run, 5, 0.25) for run in runs)
    assert (title, [point["taken"] for point in points]) == ("Cost ($)", [0.25] * 3)


def test_first_errors_are_counted_by_call() -> None:
    records = [said("ida", "first_error", step=4, call=2), said("max", "first_error", step=4, call=2)]

    assert first_errors(records) == [{"call": 2, "runs": 2}]


def test_a_judge_and_annotators_are_counted_two_by_two() -> None:
    records = [said("ida", "verdict", about="tone", value="met"), said("max", "verdict", about="tone", value="not met")]
    cells = judge_cells(records, {("r", "tone"): True})

    assert [cell["count"] for cell in cells if cell["judge"] == "met"] == [1, 1]
    assert sum(1 for cell in cells if cell["same"]) == 2
