"""Conversations written whole: read from scripts, dealt once, said in their order by as many people."""

import re
from pathlib import Path

import pytest

from brownout.background.changes_of_days import leave_soon
from brownout.background.days import Days
from brownout.background.dealer import Dealer
from brownout.background.desk_hours import day_of
from brownout.background.dialogues import Dialogues, Wanted
from brownout.background.life_sources import Colleague, Life, Room
from brownout.background.packs import LINK_SLOTS
from brownout.background.said_times import SaidAt
from brownout.background.scripts import SPEAKERS, ways_of
from brownout.background.talks import DrawnTalk, Talks
from brownout.background.wording import Wording
from brownout.background.written import Turn, turns_of, varied
from brownout.core.apps import Intent
from brownout.core.errors import AuthoringError
from brownout.core.instants import DAY, HOUR, MINUTE
from brownout.core.seeds import Stream
from generators.background.pack_files import read_dialogues
from tests.background.lives import FIRST, LAST, START, colleague, life_of_people

SCRIPT = "A: is [it|that] up?\nB: no\nB: wait\n  ```\n  503\n  ```\nA: {b} thanks"


def test_a_script_is_read_line_by_line() -> None:
    assert turns_of(SCRIPT) == (
        Turn("A", "is [it|that] up?"),
        Turn("B", "no"),
        Turn("B", "wait\n```\n503\n```"),
        Turn("A", "{b} thanks"),
    )
    assert ways_of("all", 0, SCRIPT)[0].speakers == (0, 1, 1, 0)


@pytest.mark.parametrize(
    "script", ["B: first", "A: one\nC: two", "no letter", "A: one\n next", "", "A:", "A: one\nAB: two"]
)
def test_a_script_that_cannot_be_read_is_refused(script: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        ways_of("all", 0, script)


def test_every_alternative_is_drawn_and_nothing_else_changes() -> None:
    drawn = {varied("[a b|c|] x [d] {n} `[e|f]`", Stream(seed)) for seed in range(60)}

    assert drawn == {f"{one} x [d] {{n}} `{two}`" for one in ("a b", "c", "") for two in ("e", "f")}


def _wanted(key: str, *speakers: int, bits: int = 7) -> Wanted:
    return Wanted(key, bits, ("none", "all"), speakers)


def test_the_days_of_a_calendar_deal_each_dialogue_once() -> None:
    scripts = {"all": tuple(f"A: what about {number}" for number in range(50))}
    first, last = 20_000, 20_030
    alone = [_wanted(str(number), 0) for number in range(9)]
    found = [
        one.number
        for day in range(first, last)
        for one in Dialogues(3, scripts).dealt(Dealer(3, day, first, last)).among(alone).values()
    ]

    assert sorted(found) == [*range(50)]


def test_each_is_dealt_to_the_conversation_that_it_is_most_like() -> None:
    scripts = {
        "all": ("A: x\nB: y", "\n".join(f"{'AB'[n % 2]}: line {n}" for n in range(9)), "A: alone", "A: x\nB: y\nC: z")
    }
    dealt = Dialogues(1, scripts).dealt(Dealer(1, 20_000, 20_000, 20_001))

    def numbers(**wanted: tuple[int, ...]) -> dict[str, int]:
        found = dealt.among([_wanted(key, *speakers) for key, speakers in wanted.items()])
        return {key: one.number for key, one in found.items()}

    assert numbers(two=(0, 1), three=(0, 1, 2), eight=(0, 1) * 4, alone=(0,)) == {
        "two": 0, "three": 3, "eight": 1, "alone": 2,
    }  # fmt: skip
    assert [*numbers(one=(0, 1), other=(0, 1)).values()] == [0]
    assert numbers(nine=(0, 1) * 4 + (0,), eight=(0, 1) * 4) == {"nine": 1}
    assert numbers(ten=(0, 1) * 5, one_person=(0,)) == {"ten": 1, "one_person": 2}
    assert numbers(many=(0, 1) * 20, four_by_one=(0,) * 4) == {}


def test_a_long_conversation_is_about_one_thing_after_the_other() -> None:
    scripts = {"all": tuple(f"A: {n} {{b}} one\nB: {n} {{a}} two\nA: three\nC: {{c}} four" for n in range(9))}
    wanted = Wanted("long", 7, ("all",), (0, 1, 2, 3) * 6, for_all=("all",))
    found = Dialogues(1, scripts).dealt(Dealer(1, 20_000, 20_000, 20_001)).among([wanted])["long"]

    assert len(found.texts) == 24
    assert found.begins == (0, 4, 8, 12, 16, 20)
    assert len({*found.scripts}) == 6
    assert [*dict.fromkeys(found.speakers)] == [0, 1, 2, 3]
    for begin in found.begins:
        a, b, _, c = found.speakers[begin : begin + 4]
        assert found.texts[begin].endswith(f"{{{SPEAKERS[b]}}} one")
        assert found.texts[begin + 1].endswith(f"{{{SPEAKERS[a]}}} two")
        assert found.texts[begin + 3] == f"{{{SPEAKERS[c]}}} four"


def test_whoever_has_not_spoken_yet_comes_in_with_the_next_script() -> None:
    scripts = {"all": tuple(f"A: {n} one\nB: {n} two\nC: three\nA: four" for n in range(9))}
    dealt = Dialogues(1, scripts).dealt(Dealer(1, 20_000, 20_000, 20_001))
    found = dealt.among([Wanted("long", 7, ("all",), (0, 1, 2, 3, 4, 5, 6) * 2, is_private=False)])["long"]

    assert {*found.speakers} == {*range(7)}


def test_a_script_goes_first_to_whoever_may_begin_with_it() -> None:
    scripts = {"all": tuple(f"A: {n} one\nB: two" for n in range(40))}
    wanted = Wanted("short", 7, ("all",), (0, 1), is_openers=lambda one: one.number == 23)
    dealt = Dialogues(1, scripts).dealt(Dealer(1, 20_000, 20_000, 20_001))

    assert dealt.among([wanted])["short"].number == 23


def test_what_is_not_anybodys_is_begun_by_whoever_opened() -> None:
    scripts = {"work": tuple(f"A: {n} one\nB: {n} two\nA: three\nC: four" for n in range(9))}
    dealt = Dialogues(1, scripts).dealt(Dealer(1, 20_000, 20_000, 20_001))
    found = dealt.among([Wanted("long", 7, ("work",), (0, 1, 2, 3) * 6, is_private=False)])["long"]

    assert {found.speakers[begin] for begin in found.begins} == {0}


def _held(life: Life) -> list[DrawnTalk]:
    talks = Talks(life)
    return [talk for day in range(FIRST, LAST) for talk in talks.opened(day) if talk.dialogue is not None]


def test_a_dialogue_is_said_in_its_order_by_as_many_people_who_have_to_do_with_it() -> None:
    life = life_of_people(16)
    people = {person.name: person for person in life.people}
    rooms = {room.name: room.area for room in life.rooms}
    talks = _held(life)

    assert len(talks) > 60
    for talk in talks:
        dialogue = talk.dialogue
        assert dialogue is not None
        said = [line.who for line in talk.lines]
        assert said == [talk.people[speaker] for speaker in dialogue.speakers][: len(said)]
        assert [line.number for line in talk.lines] == [*range(len(said))]
        assert [line.at for line in talk.lines] == sorted({line.at for line in talk.lines})
        assert all(part.is_for(people[name]) for part, name in zip(dialogue.parts, talk.people, strict=False))
        assert dialogue.area == "engineering" or rooms.get(talk.room, "") != "engineering"
    assert sum(len(talk.lines) == len(talk.dialogue.texts) for talk in talks if talk.dialogue) > len(talks) * 9 // 10


def test_what_is_nobody_elses_business_is_held_in_no_room() -> None:
    scripts = tuple(
        f"(private)\nA: my pay in {n}?\nB: higher" if n % 2 else f"A: lunch {n}?\nB: yes" for n in range(200)
    )
    talks = _held(life_of_people(16).model_copy(update={"dialogues": {"general": scripts}}))
    private = [talk for talk in talks if talk.dialogue is not None and talk.dialogue.is_private]

    assert private
    assert not [talk.room for talk in private if talk.room]
    assert [talk.room for talk in talks if talk.room]
    assert [talk for talk in talks if not talk.room and talk not in private]
    assert ways_of("all", 0, scripts[1])[0].texts == ("my pay in 1?", "higher")


def test_a_slot_is_the_same_throughout_and_speakers_are_called_by_their_names() -> None:
    script = "A: {customer} in {n} {day_ahead} for {b}\nB: {customer} in {n} {day_ahead} for {a}"
    life = life_of_people(12).model_copy(update={"dialogues": {"general": (script,) * 400}})
    wording = Wording(life, lambda talk: ())
    seen = 0
    for talk in _held(life):
        said = wording.words(talk, wording.deal(talk.day, FIRST, LAST))
        for begin in talk.dialogue.begins if talk.dialogue is not None else ():
            if begin + 1 >= len(said):
                continue
            one, two = (worded.text.split() for worded in said[begin : begin + 2])
            names = [
                next(p.full.split()[0] for p in life.people if p.name == w.line.who) for w in said[begin : begin + 2]
            ]
            if len(one) == len(two) and not one[0].startswith("@") and not two[0].startswith("@"):
                assert [word.strip(".").lower() for word in one[1:-1]] == [word.lower() for word in two[1:-1]]
                assert (one[-1].strip("."), two[-1].strip(".")) == (names[1], names[0])
                seen += 1
    assert seen > 5


def test_the_shipped_dialogues_have_no_mistake() -> None:
    assert sum(map(len, read_dialogues().values())) > 100


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("A: one {n}", "A: one {nn}", 4, "there is no slot 'nn'"),
        ("A: one {n}", "A: one {c}", 4, "there is no slot 'c'"),
        ("B: [two|three]", "B: [two|two]", 4, "stands twice"),
        ("B: [two|three]", "B; two", 4, "expected `A: text`"),
        ("area: kitchen", "area: [", 2, "broken YAML"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, told: str) -> None:
    good = "area: kitchen\ndialogues:\n  - |\n    A: one {n}\n    B: [two|three]\n"
    (tmp_path / "kitchen.yaml").write_text(good)
    assert read_dialogues(tmp_path) == {"kitchen": ("A: one {n}\nB: [two|three]\n",)}

    folder = tmp_path / "spoilt"
    folder.mkdir()
    (folder / "kitchen.yaml").write_text(good.replace(old, new))
    with pytest.raises(AuthoringError) as caught:
        read_dialogues(folder)
    assert any(told in mistake.message for mistake in caught.value.mistakes), caught.value.mistakes


def test_what_is_put_together_has_no_long_run_of_one_person() -> None:
    talks = Talks(life_of_people(16).model_copy(update={"dialogues": {}}))
    found = [talk for day in range(FIRST, LAST) for talk in talks.opened(day) if talk.dialogue is None]

    assert max(len({line.who for line in talk.lines}) for talk in found) > 1
    for talk in found:
        said = [line.who for line in talk.lines]
        assert all(len({*said[start : start + 6]}) > 1 for start in range(len(said) - 5))


def test_hardly_anybody_begins_with_something_else_while_others_talk_in_a_room() -> None:
    talks = Talks(life_of_people(40))
    held = [talk for day in range(FIRST, LAST) for talk in talks.opened(day) if talk.room]
    open_lines = [
        (talk.room, line.at, talk.key)
        for talk in held
        for line in talk.lines
        if not talk.is_threaded or talk.dialogue is None or line.number in talk.dialogue.begins
    ]
    amid = [
        talk.key
        for talk in held
        if not talk.is_threaded
        for line in talk.lines
        if any(room == talk.room and key != talk.key and abs(at - line.at) < 3 * MINUTE for room, at, key in open_lines)
    ]

    assert len(held) > 100
    assert len({*amid}) < len(held) // 20


def test_whoever_has_to_do_with_everybody_is_asked_by_others_and_tells_them() -> None:
    helping = ("p00", "p02", "p05", "p07")
    scripts = {"people": tuple(f"(asked)\nA: my screen {n} is dark?\nB: cable\n" for n in range(400)) + tuple(f"A: drill {n}\nB: ok\n" for n in range(2000))}  # fmt: skip
    life = life_of_people(12)
    people = tuple(one.model_copy(update={"area": "people"}) if one.name in helping else one for one in life.people)
    rooms = (*life.rooms, Room(name="#help", members=tuple(one.name for one in people), area="people"))
    talks = Talks(life.model_copy(update={"people": people, "rooms": rooms, "dialogues": scripts}))
    held = [talk for day in range(FIRST, LAST) for talk in talks.opened(day) if talk.dialogue is not None]
    asked = [talk for talk in held if talk.dialogue is not None and talk.dialogue.is_asked]

    assert asked
    assert len(asked) < len(held)
    for talk in held:
        speakers = [*dict.fromkeys(line.who for line in talk.lines)]
        helps = [name in helping for name in speakers]
        assert helps[:2] == [False, True][: len(helps)] if talk in asked else helps[0]


def _spoken_by_marked(life: Life, word: str) -> list[tuple[DrawnTalk, list[Intent]]]:
    """The conversations in which a word is said, with what is said in them."""
    talks = {talk.key: talk for talk in _talks_of(life)}
    said: dict[str, list[Intent]] = {}
    for item in Days(life).between(None, life.calendar[1]):
        if item.intent.kind == "tell":
            said.setdefault(item.intent.key.rpartition("/")[0], []).append(item.intent)
    return [(talks[key], intents) for key, intents in said.items() if any(word in one.text.lower() for one in intents)]


def _talks_of(life: Life) -> list[DrawnTalk]:
    talks = Talks(life)
    first, last = (day_of(at, life.zone) for at in life.calendar)
    return [talk for day in range(first, last) for talk in talks.opened(day)]


def _with_scripts(*scripts: str, extra: tuple[Colleague, ...] = ()) -> Life:
    return life_of_people(20, weeks=2, extra=extra).model_copy(update={"dialogues": {"general": scripts * 40}})


def test_who_says_that_they_are_new_has_just_joined() -> None:
    script = "(new A)\nA: hi, zebra and new here\nB: welcome {a}\nA: thanks"
    new = colleague(60, joins=START + 2 * DAY, zone="Europe/Berlin")

    assert _spoken_by_marked(_with_scripts(script), "zebra") == []
    found = _spoken_by_marked(_with_scripts(script, extra=(new,)), "zebra")
    assert found
    assert {intents[0].who for _, intents in found} == {"p60"}


def test_whoever_is_welcomed_has_just_joined() -> None:
    script = "(new B)\nA: zebra, this is {b}\nB: hello\nA: good that you are here"
    new = colleague(60, joins=START, zone="Europe/Berlin")
    found = _spoken_by_marked(_with_scripts(script, extra=(new,)), "zebra")

    assert found
    assert {talk.people[1] for talk, _ in found} == {"p60"}


def test_whoever_says_that_they_will_be_away_is_away_then_and_back_when_they_say() -> None:
    script = "(away A)\nA: zebra, I'm off from {off}, back {back}\nB: ok\nA: thanks"
    away = colleague(
        62, zone="Europe/Berlin", away=[(START + 9 * DAY - HOUR, START + 12 * DAY - HOUR)]
    )  # Wednesday to Friday
    found = _spoken_by_marked(_with_scripts(script, extra=(away,)), "zebra")

    assert _spoken_by_marked(_with_scripts(script), "zebra") == []
    assert found
    for _, intents in found:
        announced = next(one for one in intents if "zebra" in one.text.lower())
        assert announced.who == "p62"
        assert re.search(r"off from (?:tomorrow|today|wednesday), back on (?:monday|16 march)", announced.text, re.I)


def test_whoever_says_that_they_are_back_was_away_until_then() -> None:
    script = "(back B)\nA: zebra, nice that you're back {b}\nB: thanks"
    back = colleague(63, zone="Europe/Berlin", away=[(START - 3 * DAY, START + 3 * DAY - HOUR)])
    found = _spoken_by_marked(_with_scripts(script, extra=(back,)), "zebra")

    assert _spoken_by_marked(_with_scripts(script), "zebra") == []
    assert found
    assert {talk.people[1] for talk, _ in found} == {"p63"}
    assert {talk.day - FIRST for talk, _ in found} <= {3, 4}


@pytest.mark.parametrize(
    ("days", "first", "back"),
    [
        ((7, 8), "Monday", "on Tuesday"),
        ((7, 11), "Monday", "on Friday"),
        ((7, 12), "Monday", "on 16 March"),
        ((7, 21), "Monday", "on 23 March"),
        ((9, 10, 10, 12), "Wednesday", "on 16 March"),  # two stretches that follow on each other
        ((7, 12, 14, 15), "Monday", "on 17 March"),  # over a weekend
    ],
)
def test_days_off_are_called_by_their_first_and_by_the_working_day_after_them(
    days: tuple[int, ...], first: str, back: str
) -> None:
    away = [
        (START + since * DAY - HOUR, START + until * DAY - HOUR)
        for since, until in zip(days[::2], days[1::2], strict=True)
    ]
    said = SaidAt(START + 6 * DAY if first == "Monday" else START + 7 * DAY, "Europe/Berlin")
    leave = leave_soon(colleague(1, zone="Europe/Berlin", away=away), FIRST + (4 if first == "Monday" else 7))

    assert leave is not None
    assert f"{leave.first:%A}" == first
    assert leave.called("back", said) == back


def test_an_address_stands_where_a_script_says_so_and_is_the_same_throughout() -> None:
    script = "A: zebra numbers are in {sheet_link} now\nB: {sheet_link}\nA: that one"
    found = _spoken_by_marked(_with_scripts(script), "zebra")
    addresses = [re.findall(r"https://\S+", " ".join(one.text for one in intents)) for _, intents in found]

    assert len(found) > 3
    assert all(one.startswith("https://sheets.example/") for of_talk in addresses for one in of_talk)
    assert all(of_talk[: len(of_talk) // 2 * 2 : 2] == of_talk[1::2] for of_talk in addresses)
    assert len({of_talk[0] for of_talk in addresses}) == len(addresses)


@pytest.mark.parametrize("slot", sorted(LINK_SLOTS))
def test_there_are_addresses_of_every_kind(slot: str) -> None:
    found = _spoken_by_marked(_with_scripts(f"A: zebra {{{slot}}}\nB: ok\nA: yes"), "zebra")

    assert found
    assert all("https://" in intents[0].text for _, intents in found)


def test_what_nobody_has_to_answer_is_told_in_a_room_unless_it_is_private() -> None:
    assert ways_of("general", 0, "A: all done")[0].is_public
    assert ways_of("general", 0, "A: all done\nB?: good")[0].is_public
    assert not ways_of("general", 0, "(private)\nA: all done")[0].is_public
    assert not ways_of("general", 0, "A: all done?\nB: good")[0].is_public


def test_an_hour_off_is_no_leave() -> None:
    assert leave_soon(colleague(1, away=[(START + DAY, START + DAY + HOUR)]), FIRST) is None


def test_a_farewell_is_for_somebody_who_leaves_soon() -> None:
    script = "(leaver)\nA: zebra for {person}, what do we do\nB: cake\nA: cake"
    gone = colleague(61, leaves=START + 12 * DAY)

    assert _spoken_by_marked(_with_scripts(script), "zebra") == []
    found = _spoken_by_marked(_with_scripts(script, extra=(gone,)), "zebra")
    assert found
    assert all(
        "person61" in next(one.text for one in intents if "zebra" in one.text.lower()).lower() for _, intents in found
    )


def test_somebody_new_has_to_say_something() -> None:
    for change in ("new", "away", "back"):
        with pytest.raises(ValueError, match=f"somebody {change} who says something"):
            ways_of("general", 0, f"({change} C)\nA: one\nB: two")
    with pytest.raises(ValueError, match="found several"):
        ways_of("general", 0, "(new A)\n(away B)\nA: one\nB: two")
