"""What is said of tickets: put together or written whole, each comment has its reason, and nothing is said twice."""

from collections import Counter
from pathlib import Path

import pytest
import yaml

from brownout.background.days import Days
from brownout.background.life_sources import Life, Project
from brownout.background.packs import Symptom, TicketCase, TicketExchange, TicketTwin, WorkPack
from brownout.background.used_once import Spent
from brownout.core.apps import Intent
from brownout.core.errors import AuthoringError
from generators.background.life import _alike, _has_name_of, _keys_of
from generators.background.pack_files import packs_folder, read_cases, read_work_packs
from tests.background.lives import life_of_people

WORDS = tuple(
    f"{where} {what}"
    for where in ("hall", "side", "yard", "attic", "north")
    for what in ("door", "gate", "hatch", "lid", "grille", "shutter", "window", "flap", "bar", "porch")
)
FORMS = (
    Symptom(
        title="The {component} is open and should not be", text="Since noon the {component} stands open, in all weathers",
        of=("way",), ends=tuple(f"hinge number {number} was bent and the door is shut again" for number in range(6)),
    ),
    Symptom(
        title="Paint the {component} before the winter comes", text="The {component} peels on the side to the street",
        type="Task", of=("way",), ends=tuple(f"painted with pot number {number} and it is dry now" for number in range(6)),
    ),
)  # fmt: skip
EXCHANGES = tuple(
    TicketExchange(when=when, types=types, script=f"{first}: {when} {number} the first of a row of words\n{second}: {when} {number} and the answer to those words")
    for when, first, second in (
        ("asked", "A", "R"), ("blocked", "A", "O"), ("handed", "A", "O"), ("fixed", "A", "R"), ("dropped", "A", "R"), ("reopened", "R", "A"),
    )
    for types in ((), ("Bug",))
    for number in range(6 + 20 * len(types), 12 + 20 * len(types))
)  # fmt: skip
PACK = WorkPack(
    area="engineering",
    words={"component": WORDS},
    kinds={"way": WORDS},
    symptoms=FORMS,
    exchanges=EXCHANGES,
    same=("same as {ticket}",),
)
TEAM = tuple(f"p{number:02d}" for number in range(14))


def _life(cases: tuple[TicketCase, ...] = (), *, weeks: int = 8) -> Life:
    return life_of_people(weeks=weeks).model_copy(
        update={
            "volumes": {"work": 1000}, "apps": {"opens": "tracker"}, "work": (PACK,), "cases": {"engineering": cases},
            "projects": (Project(key="OPS", lead="p00", people=TEAM, area="engineering"),),
        }
    )  # fmt: skip


def _tickets(life: Life) -> list[list[Intent]]:
    found: dict[str, list[Intent]] = {}
    for item in Days(life).between(None, life.calendar[1]):
        if item.intent.via == "tracker":
            found.setdefault(item.intent.key.rpartition("/")[0], []).append(item.intent)
    return [*found.values()]


def test_comments_of_what_is_put_together_are_exchanges_that_go_with_what_happens_next() -> None:
    tickets = _tickets(_life())
    seen = Counter[str]()
    for steps in tickets:
        said = [step for step in steps if step.kind == "comment" and "number" not in step.text]
        assert len(said) % 2 == 0 or steps[-1] is said[-1], "an exchange is broken off at the calendar's end alone"
        for first, answer in zip(said[::2], said[1::2], strict=False):
            when, number, *_ = first.text.lower().split()
            assert answer.text.lower().startswith(f"{when} {number} and the answer")
            assert first.who != answer.who
            seen[when] += 1
            then = [step for step in steps[steps.index(answer) + 1 :] if step.kind != "comment"]
            if when == "dropped":
                assert [step.details["resolution"] for step in then] == ["Won't Do"]
            if when == "handed" and then:
                assert (then[0].kind, then[0].to) == ("assign", (answer.who,))
            if when == "reopened":
                closed = [step.kind for step in steps[: steps.index(first)]]
                assert closed[-1] == "close"
    assert seen.keys() == {"asked", "blocked", "handed", "fixed", "dropped", "reopened"}


def test_how_a_ticket_ends_belongs_to_its_form() -> None:
    endings = 0
    for steps in _tickets(_life()):
        for step in steps:
            if step.kind == "comment" and " number " in step.text:
                assert ("painted" in step.text.lower()) == steps[0].subject.startswith("Paint")
                endings += 1
    assert endings > 6


def test_nothing_of_six_words_is_said_twice_and_what_is_used_up_is_left_out() -> None:
    tickets = _tickets(_life())
    texts = Counter(step.text.lower().rstrip(".") for steps in tickets for step in steps if len(step.text.split()) > 5)
    subjects = Counter(steps[0].subject for steps in tickets)

    assert max(texts.values()) == 1
    assert max(subjects.values()) == 1


def test_texts_of_five_words_are_never_spent() -> None:
    week = Spent(())
    week.spend("it is done now", "it is done now, as far as I know")

    assert not week.has("it is done now")
    assert Spent((week,)).has("it is done now, as far as I know")


def test_what_is_written_is_used_before_anything_is_put_together() -> None:
    cases = tuple(TicketCase(title=f"Case {number}", text="") for number in range(400))
    tickets = _tickets(_life(cases))

    assert len(tickets) > 100
    assert all(steps[0].subject.startswith("Case") for steps in tickets)


def test_what_a_week_leaves_is_there_for_those_after_it() -> None:
    cases = tuple(TicketCase(title=f"Case {number}", text="", told_by=()) for number in range(60))
    used = sum(steps[0].subject.startswith("Case") for steps in _tickets(_life(cases)))

    assert used == 60


@pytest.mark.parametrize("ends", ["done", "not done", "open"])
def test_a_ticket_ends_as_it_is_written(ends: str) -> None:
    case = TicketCase.model_validate(
        {"title": "Case", "text": "", "talk": "A: is it?\nR: it is", "done": "A: that is that", "ends": ends}
    )
    tickets = [steps for steps in _tickets(_life((case,) * 200)) if len(steps) > 4]
    resolutions = {str(step.details["resolution"]) for steps in tickets for step in steps if step.kind == "close"}

    assert len(tickets) > 20
    assert resolutions == {"done": {"Done"}, "not done": {"Won't Do"}, "open": set()}[ends]


def test_a_ticket_comes_back_as_it_is_written() -> None:
    case = TicketCase(title="Case", text="", done="A: mended", again="R: back again\nA: mended for good")
    back = 0
    for steps in _tickets(_life((case,) * 200)):
        kinds = [step.kind for step in steps]
        if kinds.count("close") > 1:
            first = kinds.index("close")
            assert steps[first + 1].text.lower().startswith("back again")
            assert steps[first + 1].who == steps[0].who
            assert kinds[first + 2] == "begin"
            back += 1
    assert back > 20


def test_what_is_reported_twice_names_the_first_and_is_closed_as_a_duplicate() -> None:
    case = TicketCase(title="Case", text="", twin=TicketTwin(title="Twin", said="A: that is {ticket}\nR: ah"))
    tickets = _tickets(_life((case,) * 200))
    keys = {steps[0].key: steps for steps in tickets if steps[0].subject == "Case"}
    twins = [steps for steps in tickets if steps[0].subject == "Twin" and steps[-1].kind == "close"]

    assert len(twins) > 20
    for steps in twins:
        first = next(keys[key] for key in keys if f"[[{key}]]" in steps[1].text)
        assert steps[-1].details == {"resolution": "Duplicate"}
        assert steps[0].who != first[0].who
        assert steps[1].who == steps[-1].who != steps[0].who


def test_nobody_reports_what_nobody_else_could_do() -> None:
    life = _life((TicketCase(title="Case", text="", by=("finance",)), TicketCase(title="Other", text="")) * 100)
    people = tuple(
        one.model_copy(update={"does": ("finance",)}) if one.name in ("p00", "p01") else one for one in life.people
    )
    for team in (TEAM, TEAM[1:]):
        project = life.projects[0].model_copy(update={"people": team, "lead": team[0]})
        tickets = _tickets(life.model_copy(update={"people": people, "projects": (project,)}))
        given = {
            step.to[0] for steps in tickets if steps[0].subject == "Case" for step in steps if step.kind == "assign"
        }
        asked = {steps[0].who for steps in tickets if steps[0].subject == "Case"}

        assert given <= {"p00", "p01"}
        assert len(asked) > 5
        assert ("p01" in asked) == ("p00" in team)


def test_who_does_other_work_reports_what_says_so() -> None:
    told = TicketCase(title="Told", text="", told_by=("support",))
    kept = TicketCase(title="Kept", text="")
    life = _life((told, kept) * 100)
    project = life.projects[0].model_copy(update={"people": TEAM[1::2], "lead": "p01"})
    work = PACK.model_copy(update={"told_by": frozenset({"support"})})
    life = life.model_copy(update={"projects": (project,), "work": (work,)})
    areas = {person.name: person.area for person in life.people}
    who = {(steps[0].subject, areas[steps[0].who]) for steps in _tickets(life)}

    assert ("Told", "support") in who
    assert ("Told", "engineering") not in who
    assert ("Kept", "engineering") in who
    assert ("Kept", "support") not in who


@pytest.mark.parametrize(
    ("team", "names", "taken"),
    [
        ("booking", ("Bookings",), True),
        ("it", ("IT and access",), True),
        ("platform", ("Web", "Messaging"), False),
        ("people", ("Product",), False),
        ("customer-success", ("Success stories",), True),
    ],
)
def test_a_team_has_a_project_of_its_name_unless_the_author_has_one(
    team: str, names: tuple[str, ...], taken: bool
) -> None:
    assert _has_name_of(team, names) == taken


def test_keys_of_projects_are_not_taken_for_each_other() -> None:
    for key, other in (("PLAT", "PL"), ("SUP", "SUPP"), ("WEBT", "WEBS"), ("IT", "ITT")):
        assert _alike(key, other)
    for key, other in (("SUPP", "SUCC"), ("BACK", "BOOK"), ("FIX", "ODD")):
        assert not _alike(key, other)
    assert next(iter(_keys_of("sales"))) == "SALE"


def test_a_form_without_kinds_and_an_exchange_of_nobody_are_told(tmp_path: Path) -> None:
    pack = yaml.safe_load((packs_folder().with_name("work") / "engineering.yaml").read_text())
    del pack["symptoms"][0]["of"]
    pack["exchanges"][0]["script"] = "B: hello"
    pack["exchanges"][1]["of"] = ["lists"]
    pack["same"] = ["it is the same as before"]
    (tmp_path / "engineering.yaml").write_text(yaml.safe_dump(pack))
    with pytest.raises(AuthoringError) as caught:
        read_work_packs(tmp_path)
    told = " ".join(mistake.message for mistake in caught.value.mistakes)

    for wanted in (
        "expected kinds of components",
        "expected A, R or O",
        "there is no kind 'lists'",
        "with the slot ticket",
    ):
        assert wanted in told


def test_no_line_of_six_words_stands_in_two_shipped_tickets() -> None:
    lines = Counter(
        line.partition(": ")[2].strip().lower()
        for cases in read_cases().values()
        for case in cases
        for script in (case.talk, case.done, case.again)
        for line in {*script.splitlines()}
    )
    assert [line for line, count in lines.items() if count > 1 and len(line.split()) > 5] == []
