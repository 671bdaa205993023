"""Customers who were answered answer once, by mail, in their own time: thanks, still broken, works again."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest

import brownout
from brownout.core.trajectory import WorldEvent
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from generators.data_files import data_path, read_data
from tests.calm import write_outages
from tools.customers.mail_intake import is_thanks

Open: TypeAlias = Callable[[str], Session]
BROKEN = 'on: aws-rds, from: "{since}", for: {lasts}, mode: down'
VOICES = read_data(data_path("packs", "voices.yaml"), dict[str, dict[str, list[str]]])
BEFORE_THE_MAIL, AFTER_THE_MAIL = "2026-03-23 22:00", "2026-03-24 11:20"


@pytest.fixture
def opened(spec_folder: Path, tmp_path: Path) -> Iterator[Open]:
    """Opens `find-the-change` in a company that has a support inbox, with an outage where one is given."""
    with ExitStack() as stack:

        def open_session(outages: str = "") -> Session:
            _edit(spec_folder / "world.yaml", "  terminal: {}\n", "  terminal: {}\n  customers: {inboxes: [support]}\n")
            _edit(spec_folder / "tasks/find-the-change/task.yaml", "apps: [gmail,", "apps: [customers, gmail,")
            _edit(spec_folder / "tasks/find-the-change/task.yaml", "limits: {sim: 4h", "limits: {sim: 12h")
            write_outages(spec_folder, outages)
            package = brownout.build(spec_folder, out=tmp_path / "package")
            return stack.enter_context(brownout.open_session(package, task="find-the-change"))

        yield open_session


def _edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def conversation(session: Session, sender: str) -> JsonObject:
    found = session.call("customers_list_conversations", {"query": f"from:{sender}"}).structured
    assert isinstance(found, dict)
    return found["results"][0]  # type: ignore[index, return-value]


def answer(session: Session, text: str, sender: str = "ines@saltworks.test") -> None:
    given: JsonObject = {"conversation": conversation(session, sender)["id"], "text": text, "status": "solved"}
    assert not session.call("customers_reply_to_conversation", given).is_error


def said(session: Session, minutes: int = 180) -> list[str]:
    """What customers have answered by mail when that time has passed."""
    for _ in range(minutes // 60):
        session.call("wait", {"minutes": 60, "until_notice": False})
    return [
        event.outcome
        for event in session.events
        if isinstance(event, WorldEvent) and event.key.startswith("customer/") and event.act == "answer"
    ]


def texts(session: Session) -> list[str]:
    return [notice.text.lower() for notice in session.notices if notice.sender == "saltworks"]


def test_an_answered_customer_thanks_once_and_the_conversation_stays_solved(opened: Open) -> None:
    session = opened("")
    answer(session, "We have found it, the seats come back today.")

    assert said(session) == ["done"]
    assert "thank" in texts(session)[0]
    assert conversation(session, "ines@saltworks.test")["status"] == "solved"


def test_thanked_for_the_thanks_they_say_nothing_more(opened: Open) -> None:
    session = opened("")
    answer(session, "We have found it, the seats come back today.")
    said(session)
    answer(session, "You are welcome.")

    assert said(session) == ["done"]


def test_whose_service_is_down_says_so_and_the_conversation_is_open_again(opened: Open) -> None:
    session = opened(f"broken: {{{BROKEN.format(since=BEFORE_THE_MAIL, lasts='22h')}}}\n")
    answer(session, "It should work again now.")

    assert said(session) == ["done"]
    assert "still" in texts(session)[0] or "persists" in texts(session)[0]
    assert conversation(session, "ines@saltworks.test")["status"] == "open"


def test_whoever_had_written_of_something_else_does_not_speak_of_the_trouble(opened: Open) -> None:
    session = opened(f"broken: {{{BROKEN.format(since=AFTER_THE_MAIL, lasts='8h')}}}\n")
    answer(session, "We have found it, the seats come back today.")

    assert said(session) == ["done"]
    assert "thank" in texts(session)[0]
    assert conversation(session, "ines@saltworks.test")["status"] == "solved"


@pytest.mark.parametrize(
    "text", ["It is 12. Does that help?", "It is 12. Please let me know if you have any further questions."]
)
def test_a_polite_question_leaves_the_conversation_solved(opened: Open, text: str) -> None:
    session = opened("")
    answer(session, text)

    assert said(session) == ["done"]
    assert conversation(session, "ines@saltworks.test")["status"] == "solved"


@pytest.mark.parametrize("voice", sorted(VOICES))
def test_only_who_still_has_trouble_opens_a_conversation_again(voice: str) -> None:
    said_by_kind = {kind: said for kind, said in VOICES[voice].items() if kind.startswith("customer_")}

    assert {kind: {is_thanks(f"{one}\n\nInês Carvalho") for one in said} for kind, said in said_by_kind.items()} == {
        "customer_thanks": {True}, "customer_works": {True}, "customer_asked": {True}, "customer_broken": {False},
    }  # fmt: skip


def test_two_answers_within_the_hour_get_one(opened: Open) -> None:
    session = opened(f"broken: {{{BROKEN.format(since=BEFORE_THE_MAIL, lasts='22h')}}}\n")
    answer(session, "It should work again now.")
    answer(session, "Does it?")

    assert said(session) == ["done"]


def test_what_works_again_when_they_read_is_said_to(opened: Open) -> None:
    session = opened(f"broken: {{{BROKEN.format(since=BEFORE_THE_MAIL, lasts='830m')}}}\n")
    answer(session, "We are on it.")

    assert said(session) == ["done"]
    assert "work" in texts(session)[0]
    assert "thank" in texts(session)[0]


def test_while_mail_is_away_they_try_again_and_their_answer_comes_later(opened: Open) -> None:
    session = opened('broken: {on: gmail, from: "2026-03-24 11:46", for: 3h, mode: down}\n')
    answer(session, "We have found it, the seats come back today.")

    outcomes = said(session, 360)
    assert outcomes[0] == "no channel works"
    assert outcomes[-1] == "done"
    assert len(texts(session)) == 1


def test_news_to_many_is_answered_by_nobody(opened: Open) -> None:
    session = opened("")
    to: JsonObject = {
        "to": ["dora@bluelantern.test", "gareth@cornerhall.test", "ines@saltworks.test"], "subject": "News", "body": "All is well."
    }  # fmt: skip
    assert not session.call("gmail_send", to).is_error

    assert said(session) == []
