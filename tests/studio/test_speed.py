"""What makes pages quick: answers that are kept, companies that are lived through ahead of time, light messages."""

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest

import studio.panes
from brownout.background.days import Days
from brownout.background.life_sources import read_life
from brownout.catalog import built_package, find_spec
from studio.company.calendar_strip import strip_text
from studio.company.company_view import CompanyView, NotThereYet, moments_of
from studio.company.timeline import timeline_of
from studio.last_place import last_place
from studio.serving.kept_answers import KeptAnswers
from studio.serving.request_guard import TOKEN, TOKEN_HEADER
from studio.serving.script_bundles import BUNDLES, bundle
from tests.studio.asking import asked
from worlds.package import Package, open_package

HOST = "127.0.0.1:8501"


def test_kept_answers_that_were_not_asked_for_longest_go_first() -> None:
    answers: KeptAnswers[str] = KeptAnswers(most=10)
    answers.keep("a", b"1234")
    answers.keep("b", b"1234")
    assert answers.find("a") == b"1234"

    answers.keep("c", b"1234")

    assert answers.find("b") is None
    assert answers.find("a") == answers.find("c") == b"1234"
    answers.keep("d", b"more than all")
    assert answers.find("a") is None


def test_whoever_looks_at_the_same_moment_shares_what_stands_there(package: Package) -> None:
    first = package.manifest.calendar[0]
    with closing(CompanyView(package)) as company:
        mine = company.viewing("me", first)
        assert company.viewing("you", first) is mine
        other = company.viewing("you", first + 1)
        assert other is not mine
        assert company.viewing("you", first + 2) is other


def test_a_world_is_lived_through_ahead_in_another_process(package: Package, tmp_path: Path) -> None:
    copied = open_package(copytree(package.folder, tmp_path / "tiny"))
    command = [sys.executable, "-P", "-m", "studio.company.living_ahead", str(os.getpid()), str(copied.folder)]

    subprocess.run(command, check=True)

    kept = {int(path.name.partition("-")[0]) for path in moments_of(copied).glob("*.changeset.z")}
    start = min(task.start for task in copied.tasks.values())
    assert any(at < start for at in kept)
    assert any(at > start for at in kept)
    with closing(CompanyView(copied)) as company:
        last = copied.manifest.calendar[1]
        viewing = company.viewing("me", last)
        while viewing.now < last:
            try:
                viewing.go(last)
            except NotThereYet:
                continue


def test_the_calendars_bars_have_everyday_life_once_that_is_counted_ahead(tmp_path: Path) -> None:
    folder = copytree(find_spec("tiny"), tmp_path / "lively")
    spec = folder / "world.yaml"
    spec.write_text(spec.read_text().replace("world: tiny", "world: lively\nbackground: {people: 1.0}", 1))
    package = built_package(folder, folder=tmp_path / "cache")
    before = timeline_of(package)
    assert not before.is_whole
    assert strip_text(before).endswith("everyday life is not counted yet")
    command = [sys.executable, "-P", "-m", "studio.company.living_ahead", str(os.getpid()), str(package.folder)]

    subprocess.run(command, check=True)

    after = timeline_of(package)
    assert after.is_whole
    everyday = [*Days(read_life(package.life)).between(None, package.manifest.calendar[1])]
    inside = [one for one in everyday if after.first <= one.at < after.last]
    assert inside
    assert sum(after.bars) == sum(before.bars) + len(inside)


def test_a_studio_that_is_gone_wants_nothing_lived_through(package: Package, tmp_path: Path) -> None:
    copied = open_package(copytree(package.folder, tmp_path / "tiny"))

    subprocess.run([sys.executable, "-P", "-m", "studio.company.living_ahead", "1", str(copied.folder)], check=True)

    assert not [*moments_of(copied).parent.glob("*/*.changeset.z")]


def test_a_pane_says_where_somebody_is_and_home_leads_there(at_home: pytest.MonkeyPatch, tmp_path: Path) -> None:
    headers = {
        "host": HOST, TOKEN_HEADER: TOKEN, "origin": f"http://{HOST}", "content-type": "application/json",
    }  # fmt: skip
    sent = b'{"page": "preview", "query": {"world": "tiny", "surface": "mail"}}'

    assert asked("/api/place", method="POST", data=sent, headers=headers).status == 200

    place = last_place()
    assert place is not None
    assert (place.page, place.query) == ("preview", {"world": "tiny", "surface": "mail"})
    for wrong in (b"[]", b'{"page": "../x", "query": {}}', b"no"):
        assert asked("/api/place", method="POST", data=wrong, headers=headers).status == 422


@pytest.mark.parametrize("name", sorted(BUNDLES))
def test_every_bundle_is_a_module_that_is_fetched_once(name: str) -> None:
    assert b"export" in bundle(name)
    assert len(studio.panes._LOADER) < 600
