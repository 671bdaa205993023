"""`brownout show`: mail, code and status at a moment, for people and as one JSON document."""

import json
import re
import sys
from typing import Any

import pytest

from brownout.cli import output
from brownout.cli.main import main

BROKEN = "2026-03-23 20:00"
"""The database is slow, and somebody was paged."""


class Shown:
    """What a command prints."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys, self._monkeypatch = capsys, monkeypatch
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setattr(output.console, "_width", 200)  # it took the width that there was when it was imported

    def run(self, *arguments: str) -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "argv", ["brownout", "show", *arguments])
        with pytest.raises(SystemExit) as stop:
            main()
        found = self._capsys.readouterr()
        return int(stop.value.code or 0), found.out, " ".join(found.err.split())

    def text(self, *arguments: str) -> str:
        code, out, err = self.run(*arguments)
        assert code == 0, err
        return out

    def document(self, *arguments: str) -> Any:
        return json.loads(self.text(*arguments, "--json"))


@pytest.fixture
def show(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shown:
    return Shown(capsys, monkeypatch)


def test_mail_shows_a_mailbox_newest_first(show: Shown) -> None:
    lines = show.text("mail", "tiny", "--as", "marcus", "--at", "2026-03-24 11:20").splitlines()

    assert lines[0].split() == ["when", "from", "to", "subject"]
    cells = [cell.strip() for cell in lines[1].split("  ") if cell.strip()]
    assert cells == [
        "Tue 24 Mar 2026 10:57 WET", "Gareth Moss", "support@pennywhistle.test", "Seat map for Saturday"
    ]  # fmt: skip


def test_mail_is_searched_as_gmail_searches(show: Shown) -> None:
    found = show.document("mail", "tiny", "from:gareth", "--as", "marcus")

    assert found["messages"]
    senders = [h["value"] for m in found["messages"] for h in m["payload"]["headers"] if h["name"] == "From"]
    assert all("Gareth Moss" in sender for sender in senders)


def test_code_shows_commits_and_pulls_of_the_repository(show: Shown) -> None:
    out = show.text("code", "tiny", "--at", "2026-03-24 11:40")
    found = show.document("code", "tiny", "boxoffice", "--at", "2026-03-24 11:40")

    newest = found["commits"][0]
    assert newest["sha"][:7] in out
    assert "Tell the browser when a hold is being paid" in out
    assert "#15" in out
    assert "merged" in out
    assert set(found) == {"repository", "commits", "pulls"}
    assert found["repository"]["full_name"] == "pennywhistle/boxoffice"
    assert newest["commit"]["message"].startswith("Tell the browser when a hold is being paid")


def test_status_shows_services_vendors_alerts_and_what_is_broken(show: Shown) -> None:
    out = show.text("status", "tiny", "--at", BROKEN)
    found = show.document("status", "tiny", "--at", BROKEN)

    assert "rds-evening" in out
    assert "boxoffice: error rate" in out
    assert [outage["name"] for outage in found["outages"]] == ["rds-evening"]
    assert {service["name"]: service["status"] for service in found["services"]}["boxoffice"] == "degraded"
    assert [(alert["service"], alert["status"]) for alert in found["alerts"]] == [("boxoffice", "triggered")]
    assert "aws-rds/eu-west-1" in {vendor["vendor"] for vendor in found["vendors"]}


def test_status_when_all_is_well_says_so(show: Shown) -> None:
    found = show.document("status", "tiny", "--at", "2026-03-10 12:00")

    assert (found["outages"], found["alerts"]) == ([], [])


def test_what_the_product_refuses_is_said(show: Shown) -> None:
    for arguments, expected in (
        (["code", "tiny", "nothing"], "no repository 'nothing'; it has: pennywhistle/boxoffice"),
        (["chat", "tiny", "#nothing"], "tiny has no channel '#nothing'; it has: #general"),
        (["mail", "tiny", "--as", "nobody"], "tiny has no person 'nobody'; it has: "),
    ):
        code, out, err = show.run(*arguments)
        assert (code in (1, 2), out) == (True, "")
        assert expected in err


def test_a_moment_that_is_none_is_said_so(show: Shown) -> None:
    for command in (["mail", "tiny"], ["code", "tiny"], ["status", "tiny"], ["issues", "tiny"]):
        code, out, err = show.run(*command, "--at", "yesterday-ish")
        assert (code in (1, 2), out) == (True, "")
        assert "--at: " in err


def test_chat_shows_times_and_threads(show: Shown) -> None:
    lines = show.text("chat", "tiny", "#ops", "--at", "2026-03-24 11:40").splitlines()
    messages = show.document("chat", "tiny", "#ops", "--at", "2026-03-24 11:40")["messages"]

    asked = next(message for message in messages if message.get("replies"))
    assert len(asked["replies"]) == asked["reply_count"]
    for indent, message in (("", asked), *(("    ", reply) for reply in asked["replies"])):
        said = f"  {message['username']}  {message['text'].partition(' ')[0]}"
        assert any(re.match(rf"{indent}[A-Z]\w\w \d\d Mar 2026 \d\d:\d\d WET{re.escape(said)}", line) for line in lines)


@pytest.mark.parametrize("moment", ["2026-03-01 23:59", "2026-04-01 00:01"])
@pytest.mark.parametrize("command", [["chat", "tiny", "#ops"], ["mail", "tiny"], ["status", "tiny"]])
def test_a_moment_outside_the_calendar_is_refused(show: Shown, command: list[str], moment: str) -> None:
    code, out, err = show.run(*command, "--at", moment)

    assert (code, out) == (2, "")
    assert "outside the calendar of tiny, Mon 02 Mar 2026 00:00 WET to Wed 01 Apr 2026 00:00 WEST" in err


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (["chat", "tiny", "#support"], "not authed"),
        (["issues", "tiny"], "Client must be authenticated"),
        (["code", "tiny"], "Bad credentials"),
    ],
)
def test_who_is_not_in_the_company_sees_nothing_of_it(show: Shown, command: list[str], refusal: str) -> None:
    code, out, err = show.run(*command, "--as", "blue-lantern")

    assert (code, out) == (2, "")
    assert refusal in err


def test_the_timeline_names_a_task_once(show: Shown) -> None:
    assert any(line.split()[-2:] == ["task", "find-the-change"] for line in show.text("timeline", "tiny").splitlines())


def test_docs_lists_pages_and_shows_one_by_its_title(show: Shown) -> None:
    listed = show.document("docs", "tiny")["pages"]
    titles = [page["title"] for page in listed]

    assert "Runbook: boxoffice" in titles
    assert show.text("docs", "tiny", "Runbook: boxoffice").startswith("Runbook: boxoffice\n#")
    assert show.document("docs", "tiny", "zzzz") == {"pages": []}


def test_facts_says_what_is_true_at_a_moment_and_what_was(show: Shown) -> None:
    found = {
        one["fact"]: one for one in show.document("facts", "tiny", "hold_minutes", "--at", "2026-03-24 11:00")["facts"]
    }

    assert {name: (one["value"], one["holds"]) for name, one in found.items()} == {
        "hold-15": ("15 minutes", False),
        "hold-10": ("10 minutes", True),
    }
    assert found["hold-15"]["until"] == found["hold-10"]["since"] == "2026-03-12 11:05"


def test_what_a_world_has_no_product_for_is_said(show: Shown) -> None:
    code, _, err = show.run("calendar", "tiny")

    assert code == 2
    assert "tiny has no calendar_list_events; its products are:" in err


def test_a_tool_is_shown_with_what_comes_back(show: Shown) -> None:
    found = show.document("tool", "tiny", "slack_read_channel")

    assert found["name"] == "slack_read_channel"
    assert found["example"]["arguments"].keys() == {"channel"}
    assert {"ok", "messages[].ts", "messages[].text"} <= found["example"]["fields"].keys()
    assert "messages[].ts" in show.text("tool", "tiny", "slack_read_channel")
    written = show.text("tool", "tiny", "slack_send_message")
    assert "What comes back, asked by wren" in written
    assert "message.text" in written
    code, _, err = show.run("tool", "tiny", "slack_red_channel")
    assert (code, "did you mean 'slack_read_channel'?" in err) == (2, True)
