"""Code bases as repositories and intents, and what an author hears of one that is wrong."""

import re
from collections.abc import Callable
from pathlib import Path
from subprocess import run

import orjson
import pytest
from ruamel.yaml import YAML

from brownout.core.errors import AuthoringError, SandboxUnavailable
from brownout.core.instants import iso
from brownout.sandbox import probe, run_visible_tests
from brownout.store.git import BaseRepository
from generators.repositories import RepositoryPlan, plan_repositories, pull_heads
from worlds.spec import WorldSpec, read_world

Rewrite = Callable[[str], str]


def spec_with_github(folder: Path, settings: str = "{}") -> WorldSpec:
    """The world in a folder, with GitHub as the author sets it up."""
    yaml = YAML(typ="rt")
    tree = yaml.load((folder / "world.yaml").read_text("utf-8"))
    tree["apps"]["github"] = yaml.load(settings)
    yaml.dump(tree, folder / "world.yaml")
    return read_world(folder)


def series(folder: Path) -> Path:
    return folder / "repos" / "boxoffice" / "series.yaml"


def mistakes(folder: Path, out: Path, old: str, new: str) -> list[str]:
    """What the author hears after replacing a text in the series."""
    text = series(folder).read_text("utf-8")
    assert old in text
    series(folder).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(AuthoringError) as caught:
        plan_repositories(spec_with_github(folder), out)
    return [str(mistake) for mistake in caught.value.mistakes]


def line_of(folder: Path, text: str) -> int:
    return series(folder).read_text("utf-8").splitlines().index(text) + 1


@pytest.fixture
def plan(spec_folder: Path, tmp_path: Path) -> RepositoryPlan:
    return plan_repositories(spec_with_github(spec_folder), tmp_path / "package")


def git(folder: Path, *arguments: str) -> list[str]:
    done = run(["git", *arguments], cwd=folder, capture_output=True, check=True, env={"PATH": "/usr/bin:/bin"})
    return done.stdout.decode().splitlines()


def test_what_lies_before_the_calendar_is_in_the_repository(plan: RepositoryPlan, tmp_path: Path) -> None:
    place = tmp_path / "package" / "repos" / "boxoffice.git"
    log = [line.split("|") for line in git(place, "log", "--format=%an|%cI|%s|%ct|%at", "main")]
    seen = [(who, at[:13], subject) for who, at, subject, *_ in log]

    assert seen[0] == ("Ida Lindqvist", "2026-02-27T11", "Release 0.2.0")
    assert seen[1] == ("Tomás Herrera", "2026-02-26T16", "redirect payments (3-D Secure, MB WAY) (#9)")
    assert seen[-1] == ("Tomás Herrera", "2026-01-19T10", "initial import: seat maps, settings")
    assert [int(line[3]) for line in log] == sorted((int(line[3]) for line in log), reverse=True)
    assert sum(int(line[3]) % 60 == 0 for line in log) < 3, "nobody commits on the full minute"
    assert all(int(line[4]) <= int(line[3]) for line in log)
    assert any(int(line[4]) < int(line[3]) for line in log), "some were amended before they were pushed"
    assert len(log) == 23
    assert git(place, "fsck", "--strict") == []
    assert plan.heads == {"boxoffice": git(place, "rev-parse", "main")[0]}
    assert git(place, "branch", "--format=%(refname:short)") == ["best-available", "main"]
    assert len(git(place, "for-each-ref", "refs/pull")) == 10


def test_pulls_from_before_the_calendar_become_settings(plan: RepositoryPlan) -> None:
    boxoffice = plan.settings["repositories"]["boxoffice"]  # type: ignore[index,call-overload]
    assert isinstance(boxoffice, dict)
    pulls = boxoffice["pulls"]
    assert isinstance(pulls, list)

    assert boxoffice["owner"] == "pennywhistle"
    assert (len(pulls), [bool(pull.get("merged")) for pull in pulls][-2:]) == (10, [True, False])  # type: ignore[union-attr]
    first = pulls[0]
    assert isinstance(first, dict)
    assert first["title"] == "Add retry helper with capped backoff"
    assert [remark.get("state") for remark in first["remarks"]] == [None, None, "APPROVED"]  # type: ignore[union-attr]
    assert first["checks"] == {"passed": 28, "failed": 0}


def test_what_lies_inside_the_calendar_becomes_intents(plan: RepositoryPlan) -> None:
    kinds = [(iso(one.at)[:16], one.intent.kind, one.intent.who) for one in plan.intents if "0039" in one.intent.key]

    assert [at for at, _, _ in kinds] == sorted(at for at, _, _ in kinds)
    assert kinds[0] == ("2026-03-20T15:20", "open", "owen")
    assert kinds[-1] == ("2026-03-23T11:05", "merge", "owen")
    assert [kind for _, kind, _ in kinds] == [
        "open",
        "push",
        "comment",
        "review",
        "push",
        "comment",
        "approve",
        "merge",
    ]
    assert "2026-03-23T09:38" < kinds[-2][0] < "2026-03-23T11:05", "approved after the talk, before the merge"
    assert len({one.intent.key for one in plan.intents}) == len(plan.intents)
    assert {one.intent.via for one in plan.intents} == {"github"}


def test_a_reviewers_last_word_is_the_approval(plan: RepositoryPlan) -> None:
    [approval] = [one for one in plan.intents if one.intent.kind == "approve" and "0033" in one.intent.key]

    assert (iso(approval.at)[:16], approval.intent.who, approval.intent.text) == ("2026-03-12T16:31", "tomas", "ok")


def test_storylines_find_their_beats(plan: RepositoryPlan) -> None:
    assert {plan.intents[place].intent.key for place in plan.beats.values()} == set(plan.beats)
    merge = plan.intents[plan.beats["simplify-hold-store"]]

    assert (merge.intent.kind, merge.intent.key, merge.intent.thing) == ("merge", *["simplify-hold-store"] * 2)
    assert merge.intent.details["pull"] == "boxoffice/one-hold-store"


def test_two_plans_are_equal(spec_folder: Path, tmp_path: Path) -> None:
    spec = spec_with_github(spec_folder)
    one, two = (plan_repositories(spec, tmp_path / name) for name in ("one", "two"))
    other = plan_repositories(spec.seeded(99), tmp_path / "other")

    assert one == two
    assert one.digests != other.digests, "the seconds of every commit are drawn"
    assert one.intents != other.intents, "when somebody approves is drawn"


def test_a_merge_with_two_parents_and_a_rebase_are_made_as_told(spec_folder: Path, tmp_path: Path) -> None:
    text = series(spec_folder).read_text("utf-8")
    text = text.replace("  branch: pricing\n", "  branch: pricing\n  method: merge\n")
    text = text.replace("  branch: redirect\n", "  branch: redirect\n  method: rebase\n")
    series(spec_folder).write_text(text, "utf-8")
    plan_repositories(spec_with_github(spec_folder), tmp_path)
    place = tmp_path / "repos" / "boxoffice.git"

    [merge] = git(place, "log", "--merges", "--format=%s|%b|%P", "main")[:1]
    assert merge.startswith("Merge pull request #2 from pennywhistle/pricing|Add pricing: booking fee and concessions")
    assert "redirect payments (3-D Secure, MB WAY)" in git(place, "log", "--format=%s", "main")


def test_authors_settings_go_with_the_history(spec_folder: Path, tmp_path: Path) -> None:
    settings = "{repositories: {boxoffice: {protected: [main], require_checks: true, owner: penny}}}"
    plan = plan_repositories(spec_with_github(spec_folder, settings), tmp_path)
    boxoffice = plan.settings["repositories"]["boxoffice"]  # type: ignore[index,call-overload]
    assert isinstance(boxoffice, dict)

    assert (boxoffice["owner"], boxoffice["protected"], boxoffice["require_checks"]) == ("penny", ["main"], True)
    assert boxoffice["services"] == ["boxoffice"]
    assert {one.intent.details["repo"] for one in plan.intents if "repo" in one.intent.details} == {"penny/boxoffice"}


def test_settings_for_a_code_base_that_is_not_there_are_a_mistake(spec_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AuthoringError, match=r"repos/website/series\.yaml"):
        plan_repositories(spec_with_github(spec_folder, "{repositories: {website: {}}}"), tmp_path)


def test_a_default_branch_that_no_series_makes_is_a_mistake(spec_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(AuthoringError, match="a series is of main"):
        plan_repositories(
            spec_with_github(spec_folder, "{repositories: {boxoffice: {default_branch: trunk}}}"), tmp_path
        )


def test_nothing_is_deployed_where_there_is_nothing_to_deploy_with(spec_folder: Path, tmp_path: Path) -> None:
    spec = spec_with_github(spec_folder, "{repositories: {boxoffice: {services: [boxoffice]}}}")
    apps = {name: settings for name, settings in spec.world.apps.items() if name != "ops"}
    object.__setattr__(spec, "world", spec.world.model_copy(update={"apps": apps}))

    assert '"services": []' in orjson.dumps(plan_repositories(spec, tmp_path).settings).decode().replace(":", ": ")


def test_a_world_without_github_has_no_code(spec_folder: Path, tmp_path: Path) -> None:
    spec = spec_with_github(spec_folder)
    apps = {name: settings for name, settings in spec.world.apps.items() if name != "github"}
    object.__setattr__(spec, "world", spec.world.model_copy(update={"apps": apps}))

    assert plan_repositories(spec, tmp_path) == RepositoryPlan({}, [], {}, {}, {})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  who: yuki\n", "  who: yuko\n", "who: nobody in people.yaml is called 'yuko'; did you mean 'yuki'?"),
        ("  review: tomas\n", "  reviewer: tomas\n", "reviewer: unknown word; did you mean 'review'?"),
        ("- patch: 0002-clock.patch", "- patch: 2.patch", "patch: expected patches/2.patch, found no such file"),
('"2026-01-20 21:20"', '"yesterday 16:20"', "at: expected a time such as 2026-04-14 10:12"),
        ('"2026-01-21 15:40"', '"2026-01-23 15:40"', "pull: expected a branch, and `opened` before `at`"),
        ('      at: "2026-01-22 09:31"', '      at: "2026-01-02 09:31"', "at: 2026-01-02 09:31 is before the pull was opened"),
        ("  pull: \"Doorlist CSV export\"\n", "", "branch: only a patch with `pull` has this"),
        ('  at: "2026-03-25 10:50"', '  at: "2026-05-25 10:50"', "at: a push is after the calendar's end"),
        ('  at: "2026-01-19 10:42"\n', "", "at: expected this, found nothing"),
        ("passed: 28,", "passed: many,", "passed: expected a whole number, found 'many'"),
        ("tree: f0fd", "tree: 0000", "checks: recorded for tree 0000029267fb"),
    ],
)  # fmt: skip
def test_every_mistake_has_its_line(spec_folder: Path, tmp_path: Path, old: str, new: str, message: str) -> None:
    found = mistakes(spec_folder, tmp_path, old, new)

    [place] = {one.split(": ", 1)[0] for one in found if message in one}
    file, _, line = place.partition(":")
    assert file == "repos/boxoffice/series.yaml"
    word = message.partition(":")[0]
    shown = series(spec_folder).read_text("utf-8").splitlines()[int(line) - 1]
    assert word in shown or "- " in shown


def test_a_patch_that_does_not_fit_says_where(spec_folder: Path, tmp_path: Path) -> None:
    patch = series(spec_folder).parent / "patches" / "0033-shorten-hold.patch"
    patch.write_text(patch.read_text("utf-8").replace("-minutes = 15", "-minutes = 16"), "utf-8")

    with pytest.raises(
        AuthoringError, match=r"does not apply to main as of 2026-03-12 14:18: config/default\.toml, hunk 1"
    ):
        plan_repositories(spec_with_github(spec_folder), tmp_path)


def test_broken_yaml_says_where(spec_folder: Path, tmp_path: Path) -> None:
    assert "broken YAML" in mistakes(spec_folder, tmp_path, "- patch: 0002", "- patch: [0002")[0]


@pytest.mark.sandbox
def test_recorded_results_are_those_of_a_real_run(spec_folder: Path) -> None:
    try:
        probe()
    except SandboxUnavailable as missing:
        pytest.skip(str(missing))
    heads = {head.patch: head for head in pull_heads(read_world(spec_folder), "boxoffice")}
    recorded = {
        patch: (int(passed), int(failed), tree)
        for patch, passed, failed, tree in re.findall(
            r"- patch: (\S+)(?:(?!- patch:)[\s\S])*?checks: \{passed: (\d+), failed: (\d+), tree: (\w+)\}",
            series(spec_folder).read_text("utf-8"),
        )
    }

    assert list(recorded) == list(heads)
    for patch in ("0020-cache-availability.patch", "0037-simplify-hold-store.patch"):
        outcomes = list(run_visible_tests(heads[patch].files).outcomes.values())
        assert recorded[patch] == (
            outcomes.count("passed"),
            len(outcomes) - outcomes.count("passed"),
            heads[patch].tree,
        )


def test_the_written_repository_can_be_opened(plan: RepositoryPlan, tmp_path: Path) -> None:
    base = BaseRepository(tmp_path / "package" / "repos" / "boxoffice.git")

    assert base.commit(plan.heads["boxoffice"]) is not None
