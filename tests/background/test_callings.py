"""What people do by their roles, and that work goes to those who do it."""

import re

import pytest

from brownout.background.code_bases import CodeBase, Lines
from brownout.background.days import Days
from brownout.background.life_sources import Life, Project
from brownout.background.packs import SLOT, Symptom
from brownout.core.apps import Intent
from generators.background.disciplines import Employed, area_of_room, callings
from generators.background.pack_files import read_cases, read_code_packs, read_packs, read_work_packs
from tests.background.lives import colleague, life_of_people


def _calling(role: str, team: str = "") -> tuple[str, tuple[str, ...]]:
    found = callings([Employed("p", role, team, "")], read_packs())["p"]
    return found.area, found.disciplines


@pytest.mark.parametrize(
    ("role", "team", "area", "discipline"),
    [
        ("legal and data protection", "finance", "commercial", "legal"),
        ("engineering lead", "booking", "engineering", "code"),
        ("product engineer", "dunning", "engineering", "code"),
        ("support engineer", "support", "support", "support"),
        ("security engineer", "platform", "engineering", "code"),
        ("IT support, contractor", "it", "people", "it"),
        ("account executive", "sales", "commercial", "sales"),
        ("key account manager", "success", "support", "success"),
        ("billing engineer", "data", "engineering", "backend"),
        ("accountant", "", "commercial", "finance"),
        ("CTO", "leadership", "engineering", "operations"),
    ],
)
def test_a_role_is_of_the_area_that_its_words_say_and_not_of_the_last_in_the_alphabet(
    role: str, team: str, area: str, discipline: str
) -> None:
    found, disciplines = _calling(role, team)

    assert found == area
    assert discipline in disciplines


def test_who_is_in_a_team_of_other_work_does_their_own() -> None:
    assert _calling("legal and data protection", "finance")[1] == ("legal",)
    assert _calling("clerk", "finance")[1] == ("finance",)
    assert _calling("security engineer", "platform")[1] == ("code", "operations")


def test_who_leads_others_does_what_most_of_them_do_where_the_role_says_nothing() -> None:
    people = [
        Employed("viktor", "messaging lead", "messaging", "tobias"),
        Employed("grace", "backend engineer", "messaging", "viktor"),
        Employed("ravi", "backend engineer", "messaging", "viktor"),
        Employed("tobias", "board member", "board", ""),
    ]
    found = callings(people, read_packs())

    assert found["viktor"] == found["grace"]
    assert (found["tobias"].area, found["tobias"].disciplines) == ("commercial", ("management",))


def test_a_room_is_for_what_its_name_says_then_for_its_peoples_work_then_for_its_purpose() -> None:
    packs = read_packs()
    mixed, engineers = ["engineering", "support", "people", "product"], ["engineering"] * 5 + ["product"]

    assert area_of_room("#platform", "What customers see", mixed, packs) == "engineering"
    assert area_of_room("#tracking", "Where it is, and since when it has not moved.", engineers, packs) == "engineering"
    assert area_of_room("#tracking", "Where it is, and since when it has not moved.", mixed, packs) == ""
    assert area_of_room("#upstairs", "Laptops, accounts, access.", mixed, packs) == "people"
    assert area_of_room("#plants", "What needs water", mixed, packs) == ""


def _company() -> Life:
    """Teams of engineers, of sales and of those who look after everybody, with tickets written whole alone."""
    does = {"engineering": ("backend", "code"), "commercial": ("sales",), "people": ("it",)}
    extra = tuple(
        colleague(100 + number, team=area, area=area, does=does[area])
        for number, area in enumerate(area for area in does for _ in range(4))
    )
    projects = tuple(
        Project(
            key=area[:4].upper(),
            lead=next(one.name for one in extra if one.team == area),
            people=tuple(one.name for one in extra if one.team == area),
            area=area,
        )
        for area in does
    )
    return life_of_people(6, weeks=8, extra=extra).model_copy(
        update={
            "volumes": {"work": 2000}, "apps": {"opens": "tracker"}, "work": read_work_packs(), "cases": read_cases(), "projects": projects,
        }
    )  # fmt: skip


def test_a_ticket_that_is_written_whole_goes_to_who_does_such_work() -> None:
    life = _company()
    people = {person.name: person for person in life.people}
    wants = {
        case.text.strip()[:40]: case
        for cases in life.cases.values()
        for case in cases
        if case.text.strip() and "[" not in case.text[:40] and "{" not in case.text[:40]
    }
    intents = [item.intent for item in Days(life).between(None, life.calendar[1])]
    opened = {intent.key: intent for intent in intents if intent.kind == "open"}
    of_area = {project.key: project.area for project in life.projects}

    def case_of(intent: Intent) -> tuple[str, ...] | None:
        case = wants.get(intent.text[:40])
        return case.by if case is not None else None

    def is_told(intent: Intent) -> bool:
        return people[intent.who].area in wants[intent.text[:40]].told_by

    begun = [
        (intent, case_of(opened[intent.thing]))
        for intent in intents
        if intent.kind == "begin" and case_of(opened[intent.thing])
    ]
    assert len(begun) > 40
    for intent, by in begun:
        worker, project = people[intent.who], opened[intent.thing].details["project"]
        assert not {*worker.does}.isdisjoint(by or ()) or (of_area[str(project)] == "people" and by == ("office",))
    for intent in opened.values():
        by = case_of(intent)
        if by and not {"it", "office"}.intersection(by) and not is_told(intent):
            assert not {*people[intent.who].does}.isdisjoint(by) or intent.who in next(
                project.people for project in life.projects if project.key == intent.details["project"]
            )


def test_a_team_without_a_pack_of_its_own_has_tickets_of_everybodys_work() -> None:
    life = _company().model_copy(update={"cases": {}})
    forms = next(pack for pack in life.work if pack.area == "general").symptoms
    titles = [re.compile(SLOT.sub(".+", re.escape(one.title).replace(r"\{", "{").replace(r"\}", "}"))) for one in forms]
    opened = [
        item.intent
        for item in Days(life).between(None, life.calendar[1])
        if item.intent.kind == "open" and item.intent.details["project"] in ("COMM", "PEOP")
    ]

    assert len(opened) > 30
    assert all(any(title.fullmatch(intent.subject) for title in titles) for intent in opened)


def test_a_symptom_is_said_only_of_components_that_can_have_it() -> None:
    pack = next(pack for pack in read_work_packs() if pack.area == "engineering")
    symptoms = (
        Symptom(title="{component} sorts wrong", text="In the list", of=("list",), ends=("done",)),
        Symptom(title="{component} runs twice", text="At night", of=("job",), ends=("done",)),
    )
    life = _company()
    life = life.model_copy(
        update={"cases": {}, "work": (pack.model_copy(update={"symptoms": symptoms}),), "projects": life.projects[:1]}
    )
    subjects = {
        item.intent.subject for item in Days(life).between(None, life.calendar[1]) if item.intent.kind == "open"
    }

    assert {one.removesuffix(" sorts wrong") for one in subjects if one.endswith("sorts wrong")} <= {
        *pack.kinds["list"]
    }
    assert {one.removesuffix(" runs twice") for one in subjects if one.endswith("runs twice")} <= {*pack.kinds["job"]}
    assert len(subjects) > 10


def test_a_place_has_only_groups_of_entries_that_it_can_have() -> None:
    kinds = {"backup script": ("job",), "waiting list": ("list",)}
    settings = next(pack for pack in read_code_packs() if pack.kind == "settings")
    base = CodeBase(
        name="settings", full_name="acme/settings", pack=settings, places=(*kinds, "search"), reviewers=(), kinds=kinds
    )
    lines = Lines(3, base, frozenset())

    assert {line.group for line in lines.of("backup script")} == {"jobs"}
    assert {line.group for line in lines.of("waiting list")} == {"limits", "display"}
    assert {line.group for line in lines.of("search")} == {"limits", "display", "jobs"}
