"""Tickets, reviews and mails written whole: each once in a world, with nothing left open, by those who have a part in it."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from brownout.background.days import Days, Item
from brownout.background.packs import SLOT, CasePack, Later, MailThread, MailThreadPack, TicketCase
from brownout.core.errors import AuthoringError
from brownout.core.instants import DAY
from generators.background.pack_files import packs_folder, read_cases, read_code_packs, read_mail_threads
from generators.background.pack_problems.mail import thread_problems
from generators.background.pack_problems.tickets import case_problems
from tests.background.test_mails import _copied
from tests.background.test_mails import _life as life_with_mail
from tests.background.test_pulls import _life as life_with_code

TICKET = TicketCase(
    type="Task",
    title="Hoist [red|blue] in {n}",
    text="It is in {n} on {weekday_ahead}.",
    talk="R: still in {n}\nO: {a} knows\nA: on {weekday_ahead}",
    done="A: moved, {r}",
)


def _items(cases: dict[str, tuple[TicketCase, ...]]) -> list[Item]:
    life = life_with_code().model_copy(update={"cases": cases})
    return [item for item in Days(life).between(None, life.calendar[1]) if item.intent.key.startswith("work/")]


@pytest.fixture(scope="module")
def items() -> list[Item]:
    return _items({"engineering": (TICKET,) * 40})


def _of_tickets(items: list[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        if item.intent.via == "tracker":
            found.setdefault(item.intent.key.rpartition("/")[0], []).append(item)
    return {key: steps for key, steps in found.items() if steps[0].intent.subject.startswith("Hoist")}


def test_each_ticket_is_opened_once(items: list[Item]) -> None:
    tickets = _of_tickets(items)

    assert 25 < len(tickets) <= 40
    assert {steps[0].intent.subject.split()[1] for steps in tickets.values()} == {"red", "blue"}


def test_a_slot_of_a_ticket_is_the_same_throughout_and_parts_are_called_by_name(items: list[Item]) -> None:
    whole = 0
    for steps in _of_tickets(items).values():
        number = steps[0].intent.subject.split()[-1]
        said = [item.intent for item in steps if item.intent.kind == "comment"]
        assert f"It is in {number} on" in steps[0].intent.text
        if len(said) >= 4:
            reporter, other, worker, done = said[:4]
            assert number in reporter.text
            assert reporter.who == steps[0].intent.who
            assert len({reporter.who, other.who, worker.who}) == 3
            assert worker.who == done.who
            whole += 1
    assert whole > 5


def test_what_asks_for_a_change_is_no_ticket_that_is_written_for_something_else(items: list[Item]) -> None:
    asked = {
        item.needs.rpartition("/")[0] for item in items if item.intent.via == "forge" and item.intent.kind == "open"
    }

    assert asked
    assert not asked & {*_of_tickets(items)}


@pytest.mark.parametrize(
    ("part", "text", "told"),
    [
        ("talk", "B: hello", "expected A, R or O"),
        ("talk", "hello", "expected `A: text`"),
        ("title", "{nobody} is it", "there is no slot"),
        ("text", "[a|a]", "stands twice"),
        ("title", "@mention picks another one", "would call somebody"),
        ("text", "It is in `routes.py` since then.", "no code base need have a file"),
        ("text", "Broken since 3fa92c1.", "no repository has a commit '3fa92c1'"),
    ],
)
def test_a_mistake_in_a_ticket_is_told(tmp_path: Path, part: str, text: str, told: str) -> None:
    fields = {"title": "t", "text": "x", "talk": "", "done": ""} | {part: text}
    lines = "\n".join(f"    {name}: {value!r}" for name, value in fields.items())
    (tmp_path / "all.yaml").write_text(f"area: all\ncases:\n  - type: Bug\n{lines}\n")

    with pytest.raises(AuthoringError) as caught:
        read_cases(tmp_path)
    assert any(told in mistake.message for mistake in caught.value.mistakes)


@pytest.mark.parametrize(
    ("later", "told"), [({3: 2}, "no comment 3 to wait for"), ({2: "clock_ahead"}, "comment 2 waits for clock_ahead, which nothing")]
)  # fmt: skip
def test_a_comment_that_waits_for_what_nobody_names_is_a_mistake(later: dict[int, Later], told: str) -> None:
    case = TicketCase(title="t", text="on {weekday_ahead}", talk="R: good", done="A: done", later=later)
    kept = case.model_copy(update={"later": {1: 2, 2: "day_ahead"}})

    assert any(told in message for _, message in case_problems(CasePack(area="all", cases=(case,)), frozenset()))
    assert not [*case_problems(CasePack(area="all", cases=(kept,)), frozenset())]


def test_a_conversation_by_mail_is_held_once_and_in_its_order() -> None:
    mails = tuple(
        {who: f"{who} says {word} {{n}} with so many more words that nobody would take it for a short one"}
        for who, word in (("A", "one"), ("B", "two"), ("C", "three"), ("A", "four"))
    )
    threads = tuple(MailThread(subject=f"Case {number}", mails=mails) for number in range(60))
    life = life_with_mail(30).model_copy(update={"mail_threads": {"": threads}})
    sent = [item.intent for item in Days(life).between(None, life.calendar[1]) if item.intent.via == "mail"]
    of_thread: dict[str, list[str]] = {}
    for mail in sent:
        if mail.subject.removeprefix("Re: ").startswith("Case ") and mail.key.startswith("mail/"):
            of_thread.setdefault(mail.key.rpartition("/")[0], []).append(mail.text)
    subjects = Counter(mail.subject for mail in sent if mail.subject.startswith("Case "))

    assert len(of_thread) > 8
    assert max(subjects.values()) == 1
    for texts in of_thread.values():
        for text, said in zip(texts, ("A says one", "B says two", "C says three", "A says four"), strict=False):
            assert said.lower() in text.lower()
            assert not SLOT.search(text)


ASKED = MailThread(
    subject="Printer {n}",
    mails=({"A": "Broken {n} at {firm}."}, {"B": "{d} looks at {n}."}),
    chat="B: @{d} {firm} say {n}, {mail}\nD: open one\nB: {ticket}\nE: thanks {b}",
    ticket=TicketCase(title="{firm} {n}", text="See {mail}: {n}.", talk="R: {n}", done="A: done"),
    told="It is done, {n}.",
)


def test_a_question_is_one_matter_in_mail_chat_and_ticket() -> None:
    life = life_with_mail(30).model_copy(update={"mail_threads": {"support": (ASKED,) * 60}})
    found: dict[str, list[Item]] = {}
    for item in Days(life).between(None, life.calendar[1]):
        if item.intent.key.startswith("question/"):
            found.setdefault("/".join(item.intent.key.split("/")[:3]), []).append(item)
    whole = [items for items in found.values() if items[0].intent.subject.startswith("Printer")]
    told = 0
    for items in whole:
        number, texts = items[0].intent.subject.split()[-1], [item.intent.text for item in items]
        said = [item.intent for item in items if item.intent.via == "chat"]
        ticket = next((item.intent for item in items if item.intent.via == "tracker"), None)
        if len(said) >= 3 and ticket is not None:
            assert number in said[0].text
            assert f"[[register:{items[0].intent.key}]]" in said[0].text
            assert said[0].text.startswith("@p")
            assert f"[[{ticket.key}]]" in said[2].text
            assert ticket.subject == f"Firm {number}"
            assert ticket.who == said[0].who
            told += any(f"It is done, {number}." in text for text in texts)
        assert not any(SLOT.search(text) for text in texts)
    assert len(whole) > 10
    assert told > 2


@pytest.mark.parametrize(("deals", "ours", "by_us"), [("supplies", True, True), ("customer", False, False)])
def test_a_mail_with_somebody_outside_is_begun_by_whoever_would_write_it(deals: str, ours: bool, by_us: bool) -> None:
    thread = MailThread(subject="Case", ours=ours, mails=({"A": "one"}, {"B": "two"}))
    life = life_with_mail(30)
    people = tuple(one.model_copy(update={"does": (*one.does, "it", "success")}) for one in life.people)
    life = life.model_copy(update={"people": people, "mail_threads": {deals: (thread,) * 200}})
    first = [item.intent for item in Days(life).between(None, life.calendar[1]) if item.intent.subject == "Case"]

    assert first
    assert all(mail.who.startswith("p") == by_us for mail in first)


def test_a_mail_of_an_area_is_begun_by_somebody_of_it() -> None:
    thread = MailThread(subject="Case", area="people", mails=({"A": "one"},))
    life = life_with_mail(30)
    people = tuple(
        one.model_copy(update={"area": ("people", "engineering", "")[number % 3]})
        for number, one in enumerate(life.people)
    )
    life = life.model_copy(update={"mail_threads": {"": (thread,) * 200}, "people": people})
    area = {one.name: one.area for one in people}
    first = [item.intent.who for item in Days(life).between(None, life.calendar[1]) if item.intent.subject == "Case"]

    assert len(first) > 4
    assert {area[who] for who in first} == {"people"}


@pytest.mark.parametrize(
    ("deals", "more", "told"),
    [
        ("customer", "chat: 'B: hello'", "come of a question to support only"),
        ("support", "chat: 'A: hello'", "expected B to begin"),
        ("support", "chat: 'B: {ticket}'", "expected a ticket, which the chat speaks of"),
        ("support", "told: it is done", "expected a ticket whose end is told"),
        ("customer", "area: suport", "did you mean 'support'"),
        ("support", "ours: true", "only with somebody outside"),
        ("support", "ticket: {title: '{customer}', text: x}", "there is no slot 'customer'"),
    ],
)
def test_a_mistake_in_what_comes_of_a_question_is_told(tmp_path: Path, deals: str, more: str, told: str) -> None:
    text = f"deals: {deals}\nthreads:\n  - subject: s\n    mails: [A: one]\n    {more}\n"
    (tmp_path / "all.yaml").write_text(text)

    with pytest.raises(AuthoringError) as caught:
        read_mail_threads(tmp_path)
    assert any(told in mistake.message for mistake in caught.value.mistakes)


def test_what_is_shipped_has_no_mistake() -> None:
    assert sum(map(len, read_cases().values())) > 200
    assert sum(map(len, read_mail_threads().values())) > 100
    assert read_code_packs()


def test_a_mistake_about_an_entry_is_told(tmp_path: Path) -> None:
    shipped = packs_folder().with_name("pulls")
    for path in shipped.glob("*.yaml"):
        (tmp_path / path.name).write_text(path.read_text())
    (tmp_path / "entries").mkdir()
    (tmp_path / "entries" / "settings.yaml").write_text(
        "kind: settings\nentries:\n  batch:\n    file: jobs\n    note: rows\n    values: 1 / 2 / 2\n"
        "    remarks: ['A: mine']\n    requests: ['B: {valu}?']\n"
    )
    with pytest.raises(AuthoringError) as caught:
        read_code_packs(tmp_path)
    told = " ".join(mistake.message for mistake in caught.value.mistakes)
    for wanted in ("batch has a value twice", "expected B to begin", "there is no slot 'valu'"):
        assert wanted in told


def test_a_shipped_conversation_with_a_role_is_held_with_a_partner_who_has_it() -> None:
    partners = yaml.safe_load((packs_folder().with_name("mail") / "partners.yaml").read_text())
    known = {(one["deals"], one["role"]) for one in partners}

    assert not {(deals, one.role) for deals, found in read_mail_threads().items() for one in found if one.role} - known


JOINED = MailThread(
    subject="Joined",
    by=("finance",),
    to=("legal",),
    third=("it",),
    joins=2,
    later={3: 4},
    mails=({"A": "One."}, {"B": "Two, with {c} in copy."}, {"C": "Three."}, {"A": "Four."}),
)


def _mails_of(thread: MailThread, doing: tuple[str, ...]) -> dict[str, list[Item]]:
    """The mails of all conversations of a subject, by conversation, in a company whose people do these by turns."""
    life = life_with_mail(30)
    people = tuple(one.model_copy(update={"does": (doing[n % len(doing)],)}) for n, one in enumerate(life.people))
    life = life.model_copy(update={"people": people, "mail_threads": {"": (thread,) * 40}})
    found: dict[str, list[Item]] = {}
    for item in Days(life).between(None, life.calendar[1]):
        if item.intent.key.startswith("mail/") and item.intent.subject.endswith(thread.subject):
            found.setdefault(item.intent.key.rpartition("/")[0], []).append(item)
    return {key: items for key, items in found.items() if len(items) == len(thread.mails)}


def test_somebody_joins_a_conversation_by_the_mail_that_takes_them_in() -> None:
    held = _mails_of(JOINED, ("finance", "legal", "it"))

    assert len(held) > 8
    for first, second, third, _ in held.values():
        assert third.intent.who not in (*first.intent.to, *_copied(first))
        assert third.intent.who in _copied(second)
        assert third.at - second.at >= 4 * DAY
        doing = [int(one.intent.who[1:]) % 3 for one in (first, second, third)]
        assert doing == [0, 1, 2]


def test_a_mail_is_passed_on_to_who_answers_it() -> None:
    forwarded = JOINED.model_copy(update={"subject": "Sent on", "joins": 0, "forwarded": 2})
    held = _mails_of(forwarded, ("finance", "legal", "it"))

    assert len(held) > 8
    for first, second, third, _ in held.values():
        assert second.intent.subject == "Fwd: Sent on"
        assert second.intent.to == (third.intent.who,)
        assert first.intent.who in _copied(second)
        assert "Forwarded message" in second.intent.text


def test_what_nobodys_conversation_would_be_is_begun_by_those_whose_work_it_is() -> None:
    thread = MailThread(subject="Rare", by=("legal",), mails=({"A": "One."}, {"B": "Two."}))
    held = _mails_of(thread, ("finance",) * 14 + ("legal",))

    assert len(held) > 12
    assert {items[0].intent.who for items in held.values()} <= {"p14", "p29"}


def test_who_joins_before_anything_was_said_is_a_mistake() -> None:
    wrong = JOINED.model_copy(update={"joins": 4, "later": {9: 1}})
    found = [
        message for _, message in thread_problems(MailThreadPack(threads=(wrong,)), {"finance", "legal", "it"}, ())
    ]

    assert any("comes in by mail 4" in message for message in found)
    assert any("no mail 9" in message for message in found)


def test_somebody_who_does_not_write_has_no_first_name() -> None:
    wrong = MailThread(subject="Alone", mails=({"A": "It lies at {c}."}, {"B": "Thanks, {a}."}))
    found = [message for _, message in thread_problems(MailThreadPack(threads=(wrong,)), set(), ())]

    assert found == ["there is no slot 'c'"]
