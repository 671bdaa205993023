"""A built package read for a report, whole and damaged."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import apsw
import orjson
import pytest

from brownout.catalog import find_spec
from brownout.cli.main import main
from brownout.core.artefacts import ChatMessage, PullRequest, SentMail, Ticket
from generators.report import MeasuredCompany, Report, measure_company, read_company
from generators.report.html_page import render_page
from generators.report.statistic import ExampleArtefact
from worlds.package import Package, open_package
from worlds.spec import read_world


@pytest.fixture(scope="module")
def whole(tiny_package: Package) -> MeasuredCompany:
    return read_company(tiny_package)


@pytest.fixture
def damaged(tiny_package: Package, tmp_path: Path) -> Callable[[str], Report]:
    """The report on a copy of `tiny` after SQL was run on its world."""

    def spoil(sql: str) -> Report:
        folder = copytree(tiny_package.folder, tmp_path / "spoiled")
        connection = apsw.Connection(str(folder / "world.sqlite"))
        connection.execute(sql).fetchall()
        assert connection.total_changes() > 0
        connection.close()
        manifest = orjson.loads((folder / "manifest.json").read_bytes())
        (folder / "manifest.json").write_bytes(orjson.dumps(manifest | {"files": {}}))
        return measure_company(read_company(open_package(folder)))

    return spoil


def _found(report: Report, name: str) -> list[ExampleArtefact]:
    return [*next(one for one in report.findings if one.name == name).examples]


def test_artefacts_have_the_paths_that_the_engine_gave_them(whole: MeasuredCompany) -> None:
    shown = {one.path for one in whole.artefacts}
    made = {path for path, name in whole.causes.items() if not name.endswith("/read")}
    bound = {path for path in made if re.fullmatch(r"\w+:[^.]*\.(message|issue|pull)/[^.]+(\.\d+)?", path)}

    assert bound
    assert bound <= shown


def test_every_kind_of_artefact_is_there(whole: MeasuredCompany) -> None:
    for kind in (ChatMessage, SentMail, Ticket, PullRequest):
        assert whole.of(kind)
    assert whole.commits
    assert all(one.who in whole.people for one in whole.messages)


def test_a_report_counts_as_many_people_as_the_world_has(whole: MeasuredCompany) -> None:
    spec = read_world(find_spec("tiny"))

    assert any(one.account.kind == "agent" for one in whole.people.values())
    assert measure_company(whole).counts["people"] == len(spec.people)


def test_a_shipped_package_holds_together(whole: MeasuredCompany) -> None:
    rows = [
        one
        for one in measure_company(whole).findings
        if one.name in ("integrity.rows", "integrity.order", "integrity.away")
    ]

    assert [(one.name, one.verdict, [*one.examples]) for one in rows if one.verdict != "holds"] == []


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("UPDATE jira_issue SET reporter = 9999 WHERE id = 1", "integrity.rows"),
        ("UPDATE slack_message SET user = 9999 WHERE id = 1", "integrity.rows"),
        ("UPDATE slack_message SET thread_us = 5 WHERE id = 2", "integrity.rows"),
        ("UPDATE gmail_message SET in_reply_to = 'gone@acme' WHERE id = 1", "integrity.rows"),
        ("UPDATE slack_message SET text = 'see BOX-99999 please' WHERE id = 1", "integrity.names.ticket"),
        ("UPDATE slack_message SET text = 'it came with #9999' WHERE id = 1", "integrity.names.pull_request"),
        ("UPDATE slack_message SET text = 'since 0badc0ffee1 it fails' WHERE id = 1", "integrity.names.commit"),
        ("UPDATE slack_message SET text = 'look into src/nowhere/at_all.py' WHERE id = 1", "integrity.names.file"),
        ("UPDATE slack_message SET text = 'ask in #no-such-room' WHERE id = 1", "integrity.names.room"),
        ("UPDATE slack_message SET text = 'ask @nobody-here' WHERE id = 1", "integrity.names.person"),
        ("UPDATE slack_message SET text = 'ask <@U0NOBODY>' WHERE id = 1", "integrity.names.person"),
        ("UPDATE jira_comment SET created_us = 5 WHERE id = 1", "integrity.order"),
        ("UPDATE github_review SET at_us = 5 WHERE id = 1", "integrity.order"),
        ("UPDATE github_pull SET merged_us = 5 WHERE id = 1", "integrity.order"),
        (
            "UPDATE slack_message SET text = (SELECT key FROM jira_issue ORDER BY created_us DESC LIMIT 1) WHERE id = 1",
            "integrity.order.names",
        ),
    ],
)
def test_damage_is_found(damaged: Callable[[str], Report], whole: MeasuredCompany, sql: str, name: str) -> None:
    before, after = _found(measure_company(whole), name), _found(damaged(sql), name)

    assert len(after) > len(before)


def test_a_message_of_an_absent_person_is_found(damaged: Callable[[str], Report]) -> None:
    found = damaged(
        "UPDATE engine_account SET profile = json_set(profile, '$.away', json('[[0, 9000000000000000]]')) WHERE person = "
        "(SELECT person FROM slack_user WHERE id = (SELECT user FROM slack_message WHERE id = 1))"
    )

    assert _found(found, "integrity.away")
    assert not found.holds


def test_names_are_no_false_alarm(whole: MeasuredCompany) -> None:
    plain = "UTF-8 and ISO-8601, a@b.example, https://x.test/#12a, `#ff0000`, @here, v1.2, README, 2026-03-02"

    assert [name for names in whole.names for name in names(plain) if not name.path] == []


def test_a_page_needs_nothing_beside_itself(whole: MeasuredCompany) -> None:
    page = render_page(whole, measure_company(whole), lambda one: one.path)

    assert page.count("<svg") > 20
    assert "<script" not in page
    assert "http://" not in page and 'src="' not in page and "url(" not in page


def test_what_people_wrote_is_no_markup(damaged: Callable[[str], Report], whole: MeasuredCompany) -> None:
    found = damaged("UPDATE slack_message SET text = '<script>BOX-99999</script>' WHERE id = 1")

    assert "<script" not in render_page(whole, found, lambda one: one.path)


def _run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["brownout", "report", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return int(stop.value.code or 0)


def test_the_command_prints_one_document_and_writes_a_page(
    tiny_package: Package, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "report.html"

    assert _run(monkeypatch, str(tiny_package.folder), "--json", "--html", str(page)) == 0
    document = json.loads(capsys.readouterr().out)
    first = document["statistics"][0]
    assert {"name", "family", "value", "band", "verdict", "source", "mark", "peers", "examples"} <= set(first)
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_the_command_says_what_it_cannot_do(
    tiny_package: Package, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _run(monkeypatch, str(tiny_package.folder), "--task", "no-such") == 2
    assert "no-such" in capsys.readouterr().err
    assert _run(monkeypatch, str(tiny_package.folder), "--html", str(tmp_path / "no" / "page.html")) == 2
