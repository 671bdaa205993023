"""Runs the tests of every pull in a code base whose files have changed and writes what they came to into its series.yaml.

python tests/tools/github/record_checks.py tiny boxoffice
"""

import re
import sys
from pathlib import Path

from brownout.catalog import find_spec
from brownout.sandbox import run_visible_tests
from generators.repositories import PullHead, pull_heads
from worlds.spec import read_world


def measured(head: PullHead) -> str:
    """The `checks:` of a pull, from a real run of its tests."""
    run = run_visible_tests(head.files)
    outcomes = list(run.outcomes.values())
    failed = outcomes.count("failed") + outcomes.count("error")
    assert run.stop is None, f"{head.patch}: the run was stopped: {run.stop}"
    assert bool(failed) == bool(run.exit_code), f"{head.patch}: {run.log}"
    return f"{{passed: {outcomes.count('passed')}, failed: {failed}, tree: {head.tree}}}"


def written(text: str, patch: str, checks: str) -> str:
    """The series with the checks of one entry, below the line that says when it was opened."""
    start = text.index(f"- patch: {patch}\n")
    following = text.find("\n- patch: ", start)
    end = len(text) if following < 0 else following
    entry = re.sub(r"\n  checks: .*", "", text[start:end])
    return text[:start] + re.sub(r"(\n  opened: .*)", rf"\g<1>\n  checks: {checks}", entry) + text[end:]


def main(world: str, name: str) -> None:
    folder = Path(find_spec(world))
    series = folder / "repos" / name / "series.yaml"
    for head in pull_heads(read_world(folder), name):
        if f"tree: {head.tree}" in series.read_text("utf-8"):
            continue  # these very files were run
        checks = measured(head)
        print(head.patch, checks)
        series.write_text(written(series.read_text("utf-8"), head.patch, checks), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
