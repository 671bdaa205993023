"""The commands about annotations, and a reward in words."""

import csv
import io
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import orjson
import pytest
from typer.testing import CliRunner

from brownout.annotations import AnnotationStore, Draft
from brownout.cli.commands import command_line
from brownout.core.values import Json, JsonObject
from brownout.rollouts.grade_explanation import explain


def ran(*words: str) -> str:
    result = CliRunner().invoke(command_line([*words]), [*words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    store = AnnotationStore(tmp_path / "annotations", now=lambda: datetime(2026, 11, 24, tzinfo=UTC))
    for author, call in (("ida", 3), ("max", 4)):
        store.add(
            author,
            Draft(run="r-1", kind="first_error", step=call * 2, call=call),
            Draft(run="r-1", kind="done"),
            Draft(run="r-1", kind="note", text=f"by {author}"),
        )
    store.undo("max", "r-1")
    return tmp_path


def test_annotations_are_exported_as_lines_and_as_a_table(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [orjson.loads(line) for line in ran("annotate", "export", "--runs", str(runs)).splitlines()]
    assert [line["kind"] for line in lines] == ["first_error", "done", "note", "first_error", "done"]

    out = runs / "all.csv"
    ran("annotate", "export", "--runs", str(runs), "--to", "csv", "--out", str(out), "--with-undone")
    kinds = [row["kind"] for row in csv.DictReader(io.StringIO(out.read_text()))]
    assert kinds.count("note") == 2
    assert kinds.count("undo") == 1


def test_agreement_lists_what_is_seen_differently(runs: Path) -> None:
    said = ran("annotate", "agreement", "--runs", str(runs))

    assert "2 annotators: ida, max" in said
    assert "First error: which call · r-1: ida: 3, max: 4" in said


def line(name: str, worth: int, earned: int, reason: str, **more: Json) -> JsonObject:
    known: JsonObject = {
        "criterion": name, "worth": worth, "earned": earned, "counted": earned, "passed": earned == worth,
        "reason": reason, "gate": False, "penalty": False,
    }  # fmt: skip
    return {**known, **more}


def test_points_that_hang_on_others_are_told_with_them() -> None:
    grade: Mapping[str, Json] = {
        "reward": 0.2,
        "ledger": [
            line("untouched", 0, 0, "nothing else was touched", gate=True, passed=True),
            line("told", 2, 2, "everyone was told"),
            line("moved", 5, 0, "it is in the south"),
            line("announced", 2, 0, "needs moved, which is not met"),
            line("closed", 1, 0, "needs announced, which is not met"),
            line("flooding", -1, 0, "", penalty=True, passed=False),
        ],
        "left_out": [{"criterion": "tone", "worth": 3, "why": "nobody reads it"}],
    }

    assert explain(grade).lines() == [
        "reward 0.2: 2 of 10 points.",
        "It came from told (2).",
        "5 points lost at moved: it is in the south.",
        "  3 more hang on it: announced (2) and closed (1).",
        "tone (3) is left out: nobody reads it.",
    ]


def test_a_failed_gate_and_a_missing_reward_are_said_first() -> None:
    gate = explain(
        {"reward": 0.0, "ledger": [line("untouched", 0, 0, "a branch was deleted.", gate=True, passed=False)]}
    )
    none = explain({"reward": None, "ledger": [], "failure": "the sandbox did not start"})

    assert gate.lines()[1] == "The gate untouched failed, which forfeits every point: a branch was deleted."
    assert none.lines() == ["no reward: the sandbox did not start."]
