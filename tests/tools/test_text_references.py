"""What a text refers to in a running company: by key, number, link, title and name, each app knowing its own."""

from collections.abc import Iterator

import pytest

from brownout.engine.entities import entities_of
from brownout.engine.session import Session
from brownout.engine.world import World

MAIN, PULL = "jira:BOX.issue/BOX-32", "Simplify hold store"


@pytest.fixture
def session(tiny: World) -> Iterator[Session]:
    with tiny.open_session("find-the-change") as opened:
        yield opened


def paths(session: Session, text: str) -> list[str]:
    found = entities_of(session.setting, session.simulation.rows(), session.now).references(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    return list(dict.fromkeys(each.path for each in found))


@pytest.mark.parametrize(
    "text",
    [
        "BOX-32",
        "see box-32.",
        "(BOX-32)",
        "https://pennywhistle.atlassian.test/browse/BOX-32?focus=1",
        "Saltworks: shows as sold out with 190 of 320 sold",
        "It is 'saltworks: shows as sold out with 190 of 320 sold', I think.",
    ],
)
def test_an_issue_is_named_by_key_link_and_title(session: Session, text: str) -> None:
    assert paths(session, text) == [MAIN]


@pytest.mark.parametrize("text", ["", "BOX-999", "XBOX-32", "BOX-32-1", "BOX 32", "32", "sold out"])
def test_what_names_nothing_refers_to_nothing(session: Session, text: str) -> None:
    assert paths(session, text) == []


def test_a_pull_is_named_by_number_link_title_and_merge(session: Session) -> None:
    [pull] = [path for path in paths(session, PULL) if ".pull/" in path]
    number = pull.rpartition("/")[2]
    [row] = session.simulation.rows().execute(f"SELECT merge_sha FROM github_pull WHERE number = {int(number)}")
    sha = str(row[0])

    for text in (
        f"#{number}", f"PR {number}", f"pull request {number}", f"boxoffice#{number}", f"pennywhistle/boxoffice#{number}",
        f"https://github.test/pennywhistle/boxoffice/pull/{number}/files", f"'{PULL.upper()}'", sha, sha[:7],
        f"since {sha[:12]} was merged",
    ):  # fmt: skip
        assert paths(session, text) == [pull], text
    for text in (f"doorlist#{number}", f"#{number}0", f"x#{number}y", sha[:6], "0" * 40):
        assert pull not in paths(session, text), text


def test_a_page_is_named_by_link_and_title(session: Session) -> None:
    [page] = paths(session, "Why is a seat grey?")
    number = page.rpartition("/")[2]

    assert page.startswith("docs:")
    assert paths(session, f"https://wiki.test/spaces/HELP/pages/{number}") == [page]
    assert paths(session, "it says so in why is a seat grey? and elsewhere") == [page]
    assert paths(session, "seat grey") == []


def test_several_things_are_found_in_one_text(session: Session) -> None:
    found = paths(session, f"BOX-32 and BOX-33: '{PULL}' did it, whatever 'Why is a seat grey?' says")

    assert [path.partition(":")[0] for path in sorted(found)] == ["docs", "github", "jira", "jira"]
