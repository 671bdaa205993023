"""Reads what a run of a repository's own tests said of itself, and whether all it said agrees."""

import hmac
import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

__all__ = ["Reports", "TestOutcome", "disagreement", "read_reports"]

TestOutcome: TypeAlias = Literal["passed", "failed", "error", "skipped"]

_REPORT: Final = re.compile(rb"\x1e([0-9a-f]{64})([^\x1e\x1f]*)\x1f")
_TOTALS: Final = re.compile(r"^(?:=+ )?(\d+ [a-z]+(?:, \d+ [a-z]+)*) in \d+\.\d+s", re.MULTILINE)
_WORDS: Final = {"passed": "passed", "xpassed": "passed", "failed": "failed", "error": "error", "errors": "error"}
_INTERRUPTED: Final = 2
_NO_TESTS: Final = 5


@dataclass(frozen=True, slots=True)
class Reports:
    """The signed reports of a run, in their order.

    Attributes:
        log: the output without them.
        outcomes: name and outcome, once for each report.
        counted: as what pytest counted each of them.
        sentinels: what became of the test that must fail, phase by phase, each time it was run.
        end: pytest's exit code, None where the run did not come to its end.
        forged: something pretended to be a report.
    """

    log: bytes
    outcomes: tuple[tuple[str, TestOutcome], ...]
    counted: tuple[str, ...]
    sentinels: tuple[tuple[str, ...], ...]
    end: int | None
    forged: bool

    @property
    def by_name(self) -> dict[str, TestOutcome]:
        """What became of each test, the worst where several reports name it: its teardown, its parts."""
        found: dict[str, TestOutcome] = {}
        for name, outcome in self.outcomes:
            if found.get(name) not in ("failed", "error"):
                found[name] = outcome
        return found


def read_reports(output: bytes, key: str) -> Reports:
    """The reports in the output that were signed with the key."""
    rows: list[dict[str, object]] = []
    forged = False
    for found in _REPORT.finditer(output):
        if not hmac.compare_digest(hmac.digest(key.encode(), found[2], "sha256").hex().encode(), found[1]):
            forged = True
            continue
        number, row = json.loads(found[2])
        forged = forged or number != len(rows)
        rows.append(row)
    outcomes = [(str(row["name"]), cast("TestOutcome", row["outcome"])) for row in rows if "name" in row]
    sentinels = [tuple(cast("list[str]", row["sentinel"])) for row in rows if "sentinel" in row]
    end = cast("int", rows[-1]["end"]) if rows and "end" in rows[-1] else None
    counted = tuple(str(row["counted"]) for row in rows if "name" in row)
    return Reports(_REPORT.sub(b"", output), tuple(outcomes), counted, tuple(sentinels), end, forged)


def disagreement(reports: Reports, exit_code: int) -> str:
    """What in a run that ended by itself contradicts the rest, empty where all agrees."""
    counts = Counter(outcome for _, outcome in reports.outcomes)
    bad = counts["failed"] + counts["error"]
    if reports.forged:
        return "something in it pretended to be the report of a test"
    if reports.end is None:
        return f"it exited with code {exit_code} before its end"
    if reports.end != exit_code:
        return f"pytest ended with code {reports.end} and the process with {exit_code}"
    if any("failed" not in phases for phases in reports.sentinels) or len(reports.sentinels) % 2:
        return "a test that must fail did not"
    if exit_code == 0 and (bad or not reports.outcomes or not reports.sentinels):
        return f"it exited with code 0, and {bad} of {len(reports.outcomes)} tests failed"
    if exit_code not in (0, _INTERRUPTED, _NO_TESTS) and reports.outcomes and not bad:
        return f"it exited with code {exit_code}, and no test failed"
    totals = _totals(reports.log.decode(errors="replace"))
    told = {"passed": 0, "failed": 0, "error": 0}
    for word in reports.counted:
        if word in _WORDS:
            told[_WORDS[word]] += 1
    if totals is not None and totals != told:
        return f"its log counts {_spelled(totals)}, its reports {_spelled(told)}"
    return ""


def _totals(log: str) -> dict[str, int] | None:
    """What the last line of pytest's log counts, None where it has none."""
    found = _TOTALS.findall(log)
    if not found:
        return None
    totals = {"passed": 0, "failed": 0, "error": 0}
    for part in found[-1].split(", "):
        count, word = part.split(" ")
        if word in _WORDS:
            totals[_WORDS[word]] += int(count)
    return totals


def _spelled(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {word}" for word, count in counts.items())
