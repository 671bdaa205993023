"""How real built worlds are: every figure of `brownout report`, and how well a classifier tells their chat from real chat.

python -m benchmarks.realism [WORLD_OR_PACKAGE ...] [--background 1.0] [--other-seed 2]

Of worlds, not of packages, it can also say what another seed says as well. The held-out rows of three public communities stand in `reference/chat-features.csv`; no generator reads them.
"""

import argparse
import csv
import time
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

import brownout
from benchmarks.other_seeds import shared_by_seeds
from benchmarks.outage_surges import surges
from benchmarks.two_samples import Row, separability
from generators.report import MeasuredCompany, Report, measure_company, read_company
from generators.report.chat import features_of
from generators.report.measured_company import conversations
from generators.report.report_wording import VERDICTS, band_text, value_text
from worlds.package import Outage
from worlds.spec import BackgroundSpec

_EVERYDAY = ("talk/", "outage/", "standup/")
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


def show_surges(company: MeasuredCompany, outages: Sequence[Outage]) -> None:
    """Print what there was more of in each outage."""
    for one in surges(company, outages):
        print(f"  {one.outage}: {one.then} {one.what}, on other days {one.else_:.1f}", flush=True)


def show_other_seed(world: str, background: BackgroundSpec, seed: int) -> None:
    """Print what share of its texts a world says with another seed too."""
    for one in shared_by_seeds(world, background, seed=seed):
        kind = one.kind or "all of them"
        print(f"  texts that seed {seed} says too, {kind}: {one.share:.1%} of {one.texts:,}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "worlds", nargs="*", default=["larkspur"], help="worlds' names or folders, or packages' folders"
    )
    parser.add_argument("--background", type=float, help="volume of all layers of worlds; their author's without it")
    parser.add_argument(
        "--other-seed", type=int, help="of worlds, what they say with this seed too; takes --background"
    )
    arguments = parser.parse_args()
    if arguments.other_seed is not None and arguments.background is None:
        parser.error("--other-seed needs --background")
    volume = arguments.background
    background = None if volume is None else BackgroundSpec(machines=volume, work=volume, people=volume)
    real = held_out()
    print("timing classifier (area under the ROC curve; 0.5 cannot tell)")
    for name, area in real_against_real(real):
        print(f"  {name}: {area:.3f}", flush=True)
    for world in arguments.worlds:
        is_package = (Path(world) / "manifest.json").exists()
        package = brownout.open_package(world) if is_package else brownout.build(world, background=background)
        began = time.process_time()
        company = read_company(package)
        report = measure_company(company)
        print(f"\n{company.title}: read and measured in {time.process_time() - began:.1f} s of CPU", flush=True)
        show(report)
        show_surges(company, package.outages)
        if background is not None and arguments.other_seed is not None and not is_package:
            show_other_seed(world, background, arguments.other_seed)
        if len(company.talks) < _ENOUGH:
            print(f"  timing classifier: too few, {len(company.talks)} conversations of {_ENOUGH}")
            continue
        for name, area in against_real(company, real):
            print(f"  timing classifier, {name}: {area:.3f}", flush=True)


if __name__ == "__main__":
    main()
