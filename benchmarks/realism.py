"""How real built worlds are: every figure of `brownout report`, and how well a classifier tells their chat from real chat.

python -m benchmarks.realism [WORLD_OR_PACKAGE ...]

The held-out rows of three public communities stand in `reference/chat-features.csv`; no generator reads them.
"""

import argparse
import csv
import time
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import brownout
from benchmarks.two_samples import Row, separability
from generators.report import MeasuredCompany, Report, measure_company, read_company
from generators.report.chat import features_of
from generators.report.measured_company import conversations
from generators.report.report_wording import VERDICTS, band_text, value_text

_EVERYDAY = "talk/"
"""How the names of everyday life's conversations begin; others are the author's."""
_ENOUGH = 200
REFERENCE = Path(__file__).parent / "reference" / "chat-features.csv"


def held_out() -> dict[str, list[Row]]:
    """The conversations of each community, as six numbers each."""
    found = defaultdict[str, list[Row]](list)
    with REFERENCE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            community = row.pop("community")
            found[community].append([float(value) for value in row.values()])
    return dict(found)


def real_against_real(real: dict[str, list[Row]]) -> list[tuple[str, float]]:
    """How well the classifier tells real communities apart: what a generator can hope for."""
    return [(f"{one} against {other}", separability(real[one], real[other])) for one, other in combinations(real, 2)]


def against_real(company: MeasuredCompany, real: dict[str, list[Row]]) -> list[tuple[str, float]]:
    """How well it tells the company's conversations from all three communities', and from each."""
    everyone = [row for rows in real.values() for row in rows]
    own = [features_of(talk) for talk in company.talks]
    seen = [features_of(talk) for talk in conversations(company.messages, {})]
    rooms = {one.path for one in company.messages if one.direct}
    public = [features_of(talk) for talk in company.talks if talk[0].path not in rooms]
    everyday, authored = list[Row](), list[Row]()
    for talk, row in zip(company.talks, own, strict=True):
        (everyday if company.causes.get(talk[0].path, "").startswith(_EVERYDAY) else authored).append(row)
    parts = [("everyday talk", everyday), ("what else is said", authored)]
    return [
        ("all three", separability(everyone, own)),
        *((f"all three, {name} alone", separability(everyone, rows)) for name, rows in parts if len(rows) >= _ENOUGH),
        *((name, separability(rows, own)) for name, rows in real.items()),
        ("all three, rooms only", separability(everyone, public)),
        ("all three, conversations as a stranger would cut them", separability(everyone, seen)),
    ]


def show(report: Report) -> None:
    """Print value, band and verdict of every figure."""
    print("  " + ", ".join(f"{count:,} {name}" for name, count in report.counts.items()))
    for one in report.findings:
        value = value_text(one.value, one.band.unit)
        print(f"  {one.name:<28} {value:>9}  {band_text(one):<18} {one.band.mark}  {VERDICTS[one.verdict]}")
    print(
        "  " + ", ".join(f"{count} {words}" for verdict, words in VERDICTS.items() if (count := report.count(verdict)))
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "worlds", nargs="*", default=["larkspur"], help="worlds' names or folders, or packages' folders"
    )
    arguments = parser.parse_args()
    real = held_out()
    print("timing classifier (area under the ROC curve; 0.5 cannot tell)")
    for name, area in real_against_real(real):
        print(f"  {name}: {area:.3f}", flush=True)
    for world in arguments.worlds:
        package = brownout.open_package(world)
        began = time.process_time()
        company = read_company(package)
        report = measure_company(company)
        print(f"\n{company.title}: read and measured in {time.process_time() - began:.1f} s of CPU", flush=True)
        show(report)
        if len(company.talks) < _ENOUGH:
            print(f"  timing classifier: too few, {len(company.talks)} conversations of {_ENOUGH}")
            continue
        for name, area in against_real(company, real):
            print(f"  timing classifier, {name}: {area:.3f}", flush=True)


if __name__ == "__main__":
    main()
