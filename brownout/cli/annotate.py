"""What the commands about annotations do."""

import sys
from datetime import UTC, datetime
from pathlib import Path

from rich.markup import escape

from brownout.annotations import AnnotationStore, agreement_of, answered, as_csv, as_jsonl
from brownout.annotations.agreement import GATE, MEASURES
from brownout.cli.output import complain, console, counted, print_json, table
from brownout.core.errors import RunError, UsageError
from brownout.core.values import Json
from brownout.rollouts.grade_explanation import explain
from brownout.rollouts.recorder import read_run

__all__ = ["agreement", "export_annotations", "why_run"]


def export_annotations(runs: Path, to: str, out: Path | None, with_undone: bool) -> None:
    """Write what annotators said of runs as lines of JSON or as a table."""
    if to not in ("jsonl", "csv"):
        raise UsageError(f"there is no format {to!r}; there is jsonl, csv")
    store = _store(runs)
    records = store.everything() if with_undone else store.standing()
    text = as_csv(records) if to == "csv" else as_jsonl(records)
    if out is None:
        sys.stdout.write(text)
    else:
        part = out.with_name(f".{out.name}")
        try:
            part.write_text(text, "utf-8")
            part.replace(out)
        except OSError as error:
            raise UsageError(f"cannot write {out}: {error.strerror}") from error
        console.print(f"[green]✓[/] {counted(len(records), 'record')} in {escape(str(out))}", soft_wrap=True)
    for problem in store.problems():
        complain(f"left out, it cannot be read: {problem}")


def agreement(runs: Path, as_json: bool) -> None:
    """Say how far annotators agree, and where they do not."""
    store = _store(runs)
    found = agreement_of(store.standing())
    if as_json:
        measures: list[Json] = [one.document() for one in found]
        print_json({"annotators": [*store.authors], "measures": measures, "problems": [*store.problems()]})
        return
    shown = table("", "alpha", "same", "compared")
    for one in found:
        alpha = "–" if one.alpha is None else f"{one.alpha:.3f}"
        colour = "dim" if one.alpha is None else "green" if one.alpha >= GATE else "yellow"
        same = "–" if one.exact is None else f"{one.exact:.0%}"
        shown.add_row(MEASURES[one.measure], f"[{colour}]{alpha}[/]", same, counted(one.units, "unit"))
    console.print(f"{counted(len(store.authors), 'annotator')}: {escape(', '.join(store.authors))}")
    console.print(shown)
    for measure in found:
        for each in measure.disagreements:
            said = ", ".join(f"{author}: {value}" for author, value in each.values.items())
            settled = f" → {each.decided} ({each.by})" if each.decided else ""
            console.print(f"{MEASURES[each.measure]} · {each.unit}: {said}{settled}", markup=False, soft_wrap=True)


def why_run(folder: Path, as_json: bool) -> None:
    """Say in words where a run's reward came from and where it was lost."""
    stored = read_run(folder)
    if stored.result is None:
        raise RunError(f"{folder} has not ended, so nothing was judged yet")
    result = answered(stored.result, folder)
    found = explain(result.model_dump())
    if as_json:
        lines: list[Json] = [*found.lines()]
        losses: list[Json] = [
            {
                "criterion": loss.criterion,
                "points": loss.points,
                "reason": loss.reason,
                "followers": [{"criterion": name, "points": points} for name, points in loss.followers],
            }
            for loss in found.losses
        ]
        print_json({"run": str(folder), "reward": result.reward, "lines": lines, "losses": losses})
        return
    for line in found.lines():
        console.print(line, markup=False, soft_wrap=True)


def _store(runs: Path) -> AnnotationStore:
    if not runs.is_dir():
        raise UsageError(f"expected a folder of runs, found none at {runs}")
    return AnnotationStore(runs / "annotations", now=lambda: datetime.now(UTC))
