"""Changes of everyday life: their code bases are functions of the seed, their walks hold together."""

import re
from collections import Counter
from pathlib import Path

import pytest

from brownout.background.code_bases import CodeBase, Lines, file_texts
from brownout.background.days import Days, Item
from brownout.background.desk_hours import Desk
from brownout.background.life_sources import Colleague, Life, Project
from brownout.background.matter_steps import MatterStep
from brownout.background.packs import SLOT
from brownout.background.said_when import conditional
from brownout.background.standup_answers import StandupAnswers
from brownout.core.apps import Intent
from brownout.core.instants import DAY, HOUR, MINUTE, from_datetime, to_datetime
from generators.background import read_code_packs, read_packs, read_work_packs
from generators.background.life import _manners
from generators.background.outside_senders import read_cards
from generators.background.pack_files import pack_mistakes, packs_folder
from generators.measured_tables import measured_tables

START = from_datetime(to_datetime(0).replace(year=2026, month=3, day=2))
NAMES = tuple(f"p{number:02d}" for number in range(16))


def _life(seed: int = 3, taken: frozenset[str] = frozenset()) -> Life:
    people = tuple(
        Colleague(name=name, full=f"Person{name} Surname", zone="Europe/Berlin", hours=(540, 1050), area="engineering")
        for name in NAMES
    )
    code = tuple(
        CodeBase(name=pack.repository, full_name=f"acme/{pack.repository}", pack=pack,
                 places=(*pack.places, "the export job"), reviewers=NAMES[:9])
        for pack in read_code_packs()
    )  # fmt: skip
    project = Project(key="ENG", lead="p01", people=NAMES[:8], area="engineering")
    return Life(
        seed=seed, zone="Europe/Berlin", calendar=(START - HOUR, START - HOUR + 60 * DAY), volumes={"work": 1000, "machines": 1000},
        apps={"talks": "chat", "opens": "tracker", "mails": "mail", "keeps": "forge"}, people=people, rooms=(),
        words={"service": ("api",), "customer": ("Acme",)}, manners={**_manners(), "alike": ()}, taken=taken, packs=read_packs(),
        work=read_work_packs(), projects=(project,), code=code, cards=read_cards(),
        bots={"pins": "pins", "builds": "builds", "keeper": "forge-mail", "automation": "automation", "standup": "standup"}, tables=measured_tables(),
    )  # fmt: skip


@pytest.fixture(scope="module")
def items() -> list[Item]:
    life = _life()
    return [*Days(life).between(None, life.calendar[1])]


def _changes(items: list[Item]) -> dict[str, list[Item]]:
    found: dict[str, list[Item]] = {}
    for item in items:
        if item.intent.via == "forge":
            opened = item.intent.key if item.intent.kind == "open" else item.needs
            found.setdefault(opened, []).append(item)
    return found


def _plain(text: str) -> str:
    """What somebody says without their way of writing it."""
    return "".join(re.findall(r"[a-z]", re.sub(r":\w+:", "", text.lower())))


def test_every_line_stands_where_it_is_said_to() -> None:
    for base in _life().code:
        lines = Lines(3, base, frozenset())
        for place in base.places:
            texts = {path: text.split("\n") for path, text in file_texts(lines, place)}
            for line in lines.of(place):
                assert texts[line.path][line.number - 1] == line.with_value(line.values[0])
                assert [one.startswith(line.beginning) for one in texts[line.path]].count(True) == 1


def test_a_value_that_storylines_state_is_in_no_file() -> None:
    base = next(base for base in _life().code if base.pack.kind == "settings")
    taken = Lines(3, base, frozenset({"25", "40", "50"}))

    assert not {value for place in base.places for line in taken.of(place) for value in line.values} & {
        "25",
        "40",
        "50",
    }


def test_walks_hold_together(items: list[Item]) -> None:
    changes = _changes(items)
    people = {person.name: Desk(3, person) for person in _life().people}
    assert len(changes) > 60
    for key, steps in changes.items():
        first = steps[0].intent
        assert (first.kind, first.key) == ("open", key)
        assert all(step.cursor > steps[0].cursor for step in steps[1:])
        assert all(people[step.intent.who].is_there(step.at) for step in steps if step.intent.who in people)
        assert all(step.intent.thing == (key if step.intent.kind != "push" else "") for step in steps[1:])
        wants, is_red = set[str](), False
        for step in steps:
            checks = step.intent.details.get("checks")
            if isinstance(checks, dict):
                is_red = bool(checks["failed"])
            if step.intent.kind == "review" and step.intent.details["state"] == "changes":
                wants.add(step.intent.who)
            if step.intent.kind == "approve":
                assert step.intent.who != first.who
                wants.discard(step.intent.who)
            if step.intent.kind == "merge":
                assert not wants, key
                assert not is_red, key
                assert step is steps[-1]


def test_two_changes_of_a_day_want_no_line_twice(items: list[Item]) -> None:
    seen: dict[int, set[tuple[str, str]]] = {}
    for steps in _changes(items).values():
        lines = steps[0].intent.details["lines"]
        assert isinstance(lines, dict)
        day = int(steps[0].intent.key.split("/")[1])
        wanted = {(path, str(pair[0])) for path, pairs in lines.items() for pair in pairs}  # type: ignore[union-attr, index]
        assert wanted
        assert not wanted & seen.setdefault(day, set())
        seen[day] |= wanted


def test_every_change_leaves_some_line_otherwise_than_it_was_when_it_is_merged(items: list[Item]) -> None:
    said: dict[tuple[str, str, str], str] = {}
    branches: dict[str, dict[tuple[str, str, str], str]] = {}
    merged = again = 0
    for item in items:
        intent = item.intent
        if intent.via != "forge" or intent.kind not in ("open", "push", "merge"):
            continue
        branch = branches.setdefault(intent.key if intent.kind == "open" else item.needs, {})
        if intent.kind == "merge":
            assert any(said.get(place) != line for place, line in branch.items()), intent.key
            merged, again = merged + 1, again + any(place in said for place in branch)
            said |= branch
            continue
        lines = intent.details["lines"]
        assert isinstance(lines, dict)
        pushed = {
            (str(intent.details["repo"]), path, str(pair[0])): str(pair[1])  # type: ignore[index]
            for path, pairs in lines.items()
            for pair in pairs  # type: ignore[union-attr]
        }
        assert any(branch.get(place) != line for place, line in pushed.items()), intent.key
        branch |= pushed
    assert merged > 60
    assert again > 5


def test_a_machine_is_asked_for_nothing_and_nobody_answers_in_its_name(items: list[Item]) -> None:
    by_bot = [steps for steps in _changes(items).values() if steps[0].intent.who == "pins"]

    assert len(by_bot) > 10
    assert not [step for steps in by_bot for step in steps if step.intent.kind == "review"]
    assert not [
        steps[0].intent.key
        for steps in by_bot
        if len({step.intent.details["line"] for step in steps if "line" in step.intent.details})
        < sum("line" in step.intent.details for step in steps)
    ]


def test_a_question_on_a_line_is_answered_by_the_author_before_anybody_approves(items: list[Item]) -> None:
    asked = {
        _plain(conditional(text).text): conditional(text).answer
        for pack in read_code_packs()
        for text in pack.remarks
        if conditional(text).answer and "{" not in text
    }
    found = 0
    for steps in _changes(items).values():
        author = steps[0].intent.who
        for number, step in enumerate(steps):
            answer = asked.get(_plain(step.intent.text))
            if answer is None or step.intent.who == author:
                continue
            after = [one.intent for one in steps[number + 1 :]]
            approved = next((place for place, one in enumerate(after) if one.kind == "approve"), None)
            if approved is not None:
                found += 1
                assert any(one.who == author and one.kind == "comment" for one in after[:approved])
    assert found > 1


def test_nobody_says_twice_what_is_written_about_an_entry(items: list[Item]) -> None:
    said = [
        (item.intent.who, item.intent.text)
        for item in items
        if item.intent.via == "forge" and item.intent.kind == "comment" and "line" in item.intent.details
        and len(item.intent.text.split()) > 5
    ]  # fmt: skip
    assert len(said) > 60
    assert len({*said}) == len(said)


def test_what_a_day_changes_does_not_depend_on_what_was_asked_before() -> None:
    life = _life()
    middle, end = life.calendar[0] + 40 * DAY, life.calendar[0] + 41 * DAY
    days = Days(life)
    whole = [*days.between(None, end)]
    since = next(item.cursor for item in reversed(whole) if item.at < middle)

    assert [*Days(life).between(since, end)] == [item for item in whole if item.at >= middle]
    assert [*days.between(since, end)] == [item for item in whole if item.at >= middle]


def test_a_ticket_goes_to_review_with_its_change_and_is_done_after_its_merge(items: list[Item]) -> None:
    by_key = {item.intent.key: item for item in items}
    tickets = [item for item in items if item.intent.via == "tracker"]
    reviewed = [item for item in tickets if item.intent.kind == "review"]
    closed = [item for item in tickets if item.intent.kind == "close" and "/change/merged" in item.needs]

    assert reviewed
    assert closed
    assert all(by_key[item.needs].cursor < item.cursor for item in (*reviewed, *closed))
    opening = [
        item.intent for item in items if item.intent.kind == "open" and item.intent.via == "forge" and item.needs
    ]
    assert opening
    named = [one for one in opening if f"[[{by_key[one.key].needs}]]" in one.subject + one.text]
    assert len(named) > 0.8 * len(opening)


def test_machines_tell_of_what_there_is(items: list[Item]) -> None:
    by_key = {item.intent.key: item for item in items}
    cards = [item for item in items if item.intent.who in ("builds", "automation", "forge-mail")]

    assert {item.intent.who for item in cards} == {"builds", "automation", "forge-mail"}
    for item in cards:
        said = f"{item.intent.subject} {item.intent.text}"
        known = [item.needs] if item.needs else re.findall(r"\[\[([^\[\]:]+)", said)
        assert known
        assert all(by_key[key].is_named and by_key[key].cursor < item.cursor for key in known)


def test_numbers_of_a_repository_s_builds_rise_with_time(items: list[Item]) -> None:
    numbers: dict[str, list[tuple[int, int]]] = {}
    for item in items:
        if item.intent.who == "builds" and (found := re.search(r"build (\d+) of (\S+):", item.intent.text)):
            numbers.setdefault(found[2], []).append((item.at // MINUTE, int(found[1])))

    assert sum(map(len, numbers.values())) > 10
    for told in numbers.values():
        assert len(told) > 1
        assert sorted({number for _, number in told}) == [number for _, number in sorted(set(told))]


def test_a_build_is_told_of_when_it_has_taken_as_long_as_is_said(items: list[Item]) -> None:
    by_key = {item.intent.key: item for item in items}
    lasted = [
        (item, int(found[1]))
        for item in items
        if item.intent.who == "builds" and (found := re.search(r"(?:, | after | took )(\d+) min", item.intent.text))
    ]

    assert len(lasted) > 10
    for item, minutes in lasted:
        began = by_key[item.intent.key.removesuffix("/card")]
        assert item.at >= began.at + minutes * MINUTE, item.intent.text


def test_a_check_is_told_of_before_anybody_mends_what_it_found(items: list[Item]) -> None:
    told = {item.intent.key.removesuffix("/card"): item for item in items if item.intent.who == "builds"}
    mended = [
        (told[steps[0].intent.key], step)
        for steps in _changes(items).values()
        if (checks := steps[0].intent.details["checks"]) and isinstance(checks, dict) and checks["failed"]
        for step in steps[1:2]
        if step.intent.kind in ("push", "check")
    ]

    assert mended
    assert all(red.at < step.at for red, step in mended)


def test_who_has_switched_off_a_product_s_mails_gets_none_and_others_many(items: list[Item]) -> None:
    opened = [one.intent for one in items if one.intent.via == "forge" and one.intent.kind == "open"]
    asked = Counter(str(name) for one in opened for name in _names(one.details.get("reviewers")))
    mails = [one.intent for one in items if one.intent.who == "forge-mail" and "(#[[" in one.intent.subject]
    told = Counter(mail.to[0] for mail in mails)

    assert min(asked[name] for name in NAMES[:9]) > 5
    assert 1 < sum(told[name] > 0 for name in NAMES[:9]) < 7
    assert all(told[name] == 0 or told[name] > asked[name] for name in NAMES[:9])


def _names(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def test_who_did_something_to_a_ticket_says_so_in_the_morning(items: list[Item]) -> None:
    by_key = {item.intent.key: item for item in items}
    asked = {item.intent.key for item in items if item.intent.who == "standup"}
    said = [item for item in items if item.needs in asked]

    assert len(asked) > 30
    assert len(said) > len(asked)
    for item in said:
        tickets = re.findall(r"\[\[([^\[\]]+)\]\]", item.intent.text)
        assert tickets
        assert len({*tickets}) == len(tickets), item.intent.text
        for key in tickets:
            steps = [one.intent for one in items if one.intent.thing == key and one.at < by_key[item.needs].at]
            assert by_key[key].intent.kind == "open"
            assert any(item.intent.who in (step.who, *step.to) for step in steps)


def test_who_closes_a_ticket_once_more_does_not_say_the_same_again() -> None:
    life = _life()
    answers = StandupAnswers(life, {person.name: Desk(life.seed, person) for person in life.people})
    asked = MatterStep(
        START + DAY + 8 * HOUR, Intent("tell", "standup/1", "standup", to=("room",), via="chat", text="?")
    )
    closed = [
        Intent("close", f"work/1/{name}/9", name, via="tracker", thing=f"work/1/{name}", details={"resolution": "Done"})
        for name in NAMES
    ]

    assert [*answers.of(asked, closed, lambda key: "", lambda key: False)]
    assert not [*answers.of(asked, closed, lambda key: "", lambda key: True)]


def test_texts_have_no_slot_left(items: list[Item]) -> None:
    texts = [f"{item.intent.subject} {item.intent.text}" for item in items]
    slots = [text for text in texts if SLOT.search(text)]

    assert not slots


def test_the_shipped_packs_have_no_mistake() -> None:
    assert {pack.kind for pack in read_code_packs()} == {"settings", "translations", "dependencies", "infrastructure"}
    written = [entry for pack in read_code_packs() for entry in pack.written.values()]
    assert len(written) > 80
    assert all(entry.changes and entry.how and entry.red and entry.requests and entry.remarks for entry in written)


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("settings", "{place}: {key} {value}", "{palce}: {key} {value}", "did you mean 'place'?"),
        ("settings", 'line: "{name}: {value}"', 'line: "{name}"', "line: expected the slots name, value"),
        ("translations", "{name: cancel-button", "{name: save-button", "save-button stands twice in de"),
        ("entries/settings", "25 / 40 / 50", "25 / 40 / 40", "rows_on_a_page has a value twice"),
        ("entries/settings", "Longer pages in the {place}", "Longer pages in the {plaec}", "did you mean 'place'?"),
        ("entries/settings", "kind: settings", "kind: setings", "did you mean 'settings'?"),
    ],
)
def test_a_mistake_in_a_pack_is_told(tmp_path: Path, name: str, old: str, new: str, told: str) -> None:
    text = packs_folder().with_name("pulls").joinpath(f"{name}.yaml").read_text()
    assert old in text
    path = tmp_path / "pulls" / f"{name}.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(old, new, 1))

    assert [mistake for mistake in pack_mistakes(path) if told in mistake.message]


def _written(items: list[Item]) -> list[tuple[Item, str]]:
    """The changes of everyday life without a ticket in code bases whose entries are written whole, with the entry of the first line."""
    whole = {f"acme/{pack.repository}" for pack in read_code_packs() if pack.written}
    found = []
    for item in items:
        lines = item.intent.details.get("lines")
        is_opened = item.intent.via == "forge" and item.intent.kind == "open" and not item.needs
        if is_opened and item.intent.details["repo"] in whole and isinstance(lines, dict):
            pairs = next(iter(lines.values()))
            assert isinstance(pairs, list)
            assert isinstance(pairs[0], list)
            found.append((item, re.findall(r"\w+", str(pairs[0][0]))[0]))
    return found


def test_a_change_that_is_written_whole_is_made_once_and_says_why(items: list[Item]) -> None:
    written = _written(items)

    assert len(written) > 20
    assert all(item.intent.text for item, _ in written)
    for part in ("subject", "text"):
        said = [getattr(item.intent, part) for item, _ in written]
        assert len({*said}) == len(said)


def test_a_change_moves_its_value_as_its_words_say(items: list[Item]) -> None:
    now: dict[tuple[str, str], str] = {}
    for base in _life().code:
        lines = Lines(3, base, frozenset())
        now |= {(line.path, line.beginning): line.values[0] for place in base.places for line in lines.of(place)}
    entries = {name: one for pack in read_code_packs() for name, one in pack.written.items()}
    moved = 0
    for item, name in _written(items):
        change = next(
            one
            for one in entries[name].changes
            if _frame(one.title).fullmatch(item.intent.subject) and _frame(one.text).fullmatch(item.intent.text)
        )
        lines_of = item.intent.details["lines"]
        assert isinstance(lines_of, dict)
        path, pairs = next(iter(lines_of.items()))
        beginning, line = (str(part) for part in pairs[0])  # type: ignore[index, union-attr]
        value, every = line.removeprefix(beginning).rstrip('"'), entries[name].values
        if change.moves and not any(one.intent.kind == "merge" and one.at < item.at for one in _touching(items, path)):
            moved += 1
            is_later = every.index(value) > every.index(now[path, beginning])
            assert is_later == (change.moves == "raise"), item.intent.subject
    assert moved > 5


def _touching(items: list[Item], path: str) -> list[Item]:
    """What happens to changes of a file."""
    keys = {item.intent.key for item in items if path in (item.intent.details.get("lines") or {})}  # type: ignore[operator]
    return [item for item in items if item.needs in keys]


def _frame(text: str) -> re.Pattern[str]:
    """What a text of a pack can have become."""
    parts = re.split(r"(\{\w+\}|\[[^\[\]]*\|[^\[\]]*\])", text.strip())
    read = "".join(".+" if part[:1] in "{[" and part else re.escape(part) for part in parts)
    return re.compile(read, re.IGNORECASE | re.DOTALL)


def test_only_a_part_that_can_have_it_has_a_setting() -> None:
    settings = next(pack for pack in read_code_packs() if pack.kind == "settings")
    places = {place for words in settings.kinds.values() for place in words}
    base = CodeBase(name="s", full_name="acme/s", pack=settings, places=(*places,), reviewers=())

    having = {
        place: {entry.name for group in settings.entries for entry in base.entries(place, group)} for place in places
    }
    assert "undo_steps" in having["form builder"]
    assert "undo_steps" not in having["reference lookup"]
    assert "badge_from" not in having["backup script"]


def test_nobody_gives_the_same_reason_for_two_changes(items: list[Item]) -> None:
    reasons = {
        conditional(one).text
        for pack in read_code_packs()
        for one in pack.why
        if not SLOT.search(one) and len(one.split()) > 5
    }
    given = Counter(
        (item.intent.who, reason)
        for item in items
        if item.intent.via == "forge" and item.intent.kind == "open" and item.intent.who in NAMES
        for reason in reasons
        if reason in item.intent.text
    )

    assert len(given) > 5
    assert max(given.values()) == 1
