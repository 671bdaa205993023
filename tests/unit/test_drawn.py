"""Drawn slots: what a seed draws, how the text reads with it, and what is said of slots that are none."""

from pathlib import Path
from shutil import copytree

import pytest

from brownout.core.errors import AuthoringError, Mistake
from generators.world_check import mistakes_by_seed, mistakes_in
from worlds.advice import warnings_of
from worlds.spec import WorldSpec, read_draft, read_world
from worlds.spec.yaml_loading import BrokenText, load_yaml

DRAWN = Path(__file__).parents[1] / "data/drawn"
LINE = "storylines/ahead.yaml"
TASK = "tasks/order-ahead/task.yaml"
ORACLE = "tasks/order-ahead/oracle.yaml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return copytree(DRAWN, tmp_path / "drawn")


def change(folder: Path, name: str, old: str, new: str) -> int:
    """Change a file; the line that was changed."""
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new, 1))
    return text.count("\n", 0, text.index(old)) + 1


def found_in(folder: Path) -> list[tuple[str, int, str]]:
    return [(mistake.file, mistake.line, str(mistake.message)) for mistake in mistakes_in(folder)]


def values(spec: WorldSpec) -> dict[str, str]:
    return {name: value.text for name, value in spec.drawn.items()}


def with_slot(folder: Path, slot: str, number: int, *, other: str = "") -> WorldSpec:
    """The world with one more slot, `new`, in front of all others."""
    change(folder, LINE, "drawn:\n", f"drawn:\n  new: {slot}\n{other}")
    return read_world(folder, number)


# -- values ---------------------------------------------------------------------------------------------------


def test_a_seed_always_draws_the_same_and_another_something_else() -> None:
    one, again, other = read_world(DRAWN, 1), read_world(DRAWN, 1), read_world(DRAWN, 2)

    assert values(one) == values(again)
    assert values(one) != values(other)
    assert one.digest == other.digest


@pytest.mark.parametrize("renamed", ["world: ", "name: "])
def test_another_company_draws_something_else_with_the_same_seed(folder: Path, renamed: str) -> None:
    text = (folder / "world.yaml").read_text()
    (folder / "world.yaml").write_text(text.replace(renamed, f"{renamed}other-", 1))

    assert values(read_world(folder, 1)) != values(read_world(DRAWN, 1))


def test_a_world_that_was_read_draws_anew_for_another_seed() -> None:
    seeded = read_world(DRAWN).seeded(8)
    fresh = read_world(DRAWN, 8)

    assert seeded == fresh
    assert seeded.world.generation.seed == 8


def test_another_slot_leaves_the_others_as_they_were(folder: Path) -> None:
    before = [values(read_world(DRAWN, seed)) for seed in range(20)]
    change(folder, LINE, "drawn:\n", "drawn:\n  new: {number: 1..6}\n")
    spec = read_world(folder)
    after = [values(spec.seeded(seed)) for seed in range(20)]

    assert all(old.items() <= new.items() for old, new in zip(before, after, strict=True))


def test_every_value_comes_up_and_what_is_avoided_does_not() -> None:
    drawing = read_world(DRAWN).drawing
    drawn = [drawing.drawn(seed)[0].values for seed in range(400)]
    seen = {name: {each[name].text for each in drawn} for name in drawing.slots}

    assert seen["ahead.trial"] == {"12", "18", "24"}
    assert seen["ahead.keeper"] == {"ben", "cleo", "dov"}
    assert seen["ahead.who"] == {"inn", "mill", "quay"}
    assert {int(text) % 3 for text in seen["ahead.loaves"]} == {0}
    assert all(each["ahead.lead"].text != each["ahead.trial"].text for each in drawn)
    assert all(each["ahead.helper"].text != each["ahead.keeper"].text for each in drawn)
    assert not {"Saturday", "Sunday"} & {each["ahead.start"].forms["weekday"] for each in drawn}


@pytest.mark.parametrize(
    ("slot", "text", "forms"),
    [
        ("{one_of: [36]}", "36", {"words": "thirty-six"}),
        ("{one_of: [1205]}", "1205", {"words": "one thousand two hundred and five"}),
        ("{number: -7..-7}", "-7", {"words": "minus seven"}),
        ("{one_of: [1.5]}", "1.5", {}),
        ("{one_of: [true]}", "true", {}),
        ("{one_of: [core]}", "core", {}),
        (
            "{date: 2026-04-07..2026-04-07}",
            "2026-04-07",
            {"iso": "2026-04-07", "day": "7 April", "weekday": "Tuesday", "month": "April", "short": "7 Apr"},
        ),
        ("{time: 09:05..09:05}", "09:05", {"clock": "9:05"}),
        ("{person: [dov]}", "dov", {"name": "Dov Lind", "first": "Dov", "email": "dov@crumb.test"}),
        (
            "{person: {team: round}, not: dov}",
            "emre",
            {"name": "Emre Aksoy", "first": "Emre", "email": "emre@crumb.test"},
        ),
        ("{customer: [park]}", "park", {"name": "Park Kiosk", "first": "Sol", "email": "sol@park.test"}),
        ('{is: "{{base}} + 6"}', "16", {"words": "sixteen"}),
        ('{is: "{{base}}h of {{base|words}}"}', "10h of ten", {}),
    ],
)
def test_a_value_and_its_forms(folder: Path, slot: str, text: str, forms: dict[str, str]) -> None:
    spec = with_slot(folder, slot, 0, other="  base: {one_of: [10]}\n")

    assert spec.drawn["ahead.new"].text == text
    assert spec.drawn["ahead.new"].forms == forms


@pytest.mark.parametrize(
    ("base", "moved", "text"),
    [
        ("{date: 2026-05-01..2026-05-01}", "- 1d", "2026-04-30"),
        ("{time: 09:10..09:10}", "+ 1h5m", "10:15"),
        ("{number: 5..5}", "- 7", "-2"),
    ],
)
def test_a_value_so_much_later_or_earlier(folder: Path, base: str, moved: str, text: str) -> None:
    spec = with_slot(folder, f'{{is: "{{{{base}}}} {moved}"}}', 0, other=f"  base: {base}\n")

    assert spec.drawn["ahead.new"].text == text


# -- text -----------------------------------------------------------------------------------------------------


def test_the_text_reads_with_the_values() -> None:
    spec = read_world(DRAWN, 0)
    found = {name.removeprefix("ahead."): value for name, value in spec.drawn.items()}
    lead, start, keeper = found["lead"].text, found["start"], found["keeper"]
    story = spec.storylines["ahead"]

    assert story.facts["new-lead"].value == f"{lead} hours"
    assert story.facts["new-lead"].says == [f"{lead} hours ahead, from {start.forms['day']}"]
    assert story.beats["decided"].at == f"2026-05-07 {found['at'].text}"
    assert story.talks["asked"].lines[0].who == found["helper"].text
    assert spec.prose["ahead"]["again"] == f"I only drive, ask {keeper.forms['first']}."
    assert spec.customers["quay"].notes == [f"Wants it {lead} hours ahead."]
    assert found["who"].forms["name"] in spec.tasks["order-ahead"].prompt
    assert spec.tasks["order-ahead"].rubric.points["given"].asks == {"jira:request": {"assignee": keeper.text}}
    assert any(step.arguments.get("assignee") == keeper.text for step in spec.oracles["order-ahead"])
    assert str(spec.oracles["order-ahead"][-1].arguments["answer"]).startswith(f"It is {found['lead'].forms['words']}")
    assert f"Write to {keeper.forms['email']} before" in spec.document("ordering.md")


def test_two_braces_are_written_twice() -> None:
    assert "A literal {{ stays." in read_world(DRAWN).document("ordering.md")


def test_a_scalar_that_is_nothing_but_a_slot_is_what_stands_there_plainly(folder: Path) -> None:
    change(
        folder,
        "customers.yaml",
        "tags: [group], notes",
        'sites: "{{ahead.loaves}}", plan: "x{{ahead.loaves}}", tags: [group], notes',
    )
    spec = read_world(folder, 5)

    assert spec.customers["quay"].sites == int(spec.drawn["ahead.loaves"].text)
    assert spec.customers["quay"].plan == f"x{spec.drawn['ahead.loaves'].text}"


def test_a_name_is_drawn_too(folder: Path) -> None:
    change(folder, "customers.yaml", "park: {", '"{{ahead.label}}": {')
    spec = read_world(folder, 5)

    assert f"ahead-{spec.drawn['ahead.lead'].text}h" in spec.customers


def test_names_that_are_drawn_alike_are_a_mistake(folder: Path) -> None:
    line = change(folder, "customers.yaml", "park: {", '"{{ahead.who}}": {')
    text = (folder / "customers.yaml").read_text()
    first = next(
        number
        for number, row in enumerate(text.splitlines(), start=1)
        if row.startswith(read_world(DRAWN, 3).drawn["ahead.who"].text)
    )

    [(file, at, message)] = found_in(folder)

    assert (file, at) == ("customers.yaml", line)
    assert f"twice, drawn here and in line {first}" in message


def test_what_is_wrong_is_said_in_the_authors_line(folder: Path) -> None:
    """Whatever is there for this value, lines are those of the file as it is written."""
    wanted = change(folder, LINE, "ana: yes, {{trial}}", "anna: yes, {{trial}}")
    last = change(folder, LINE, "van:\n    at", "van:\n    at")
    change(folder, LINE, "who: dov\n    opens", "who: dvo\n    opens")

    for seed in range(6):
        spec = read_draft(folder, seed).spec
        assert spec is not None
        lines = {mistake.line for mistake in mistakes_with(folder, seed)}
        assert wanted in lines
        assert (last in lines) == (spec.drawn["ahead.keeper"].text == "dov")


def mistakes_with(folder: Path, seed: int) -> list[Mistake]:
    (folder / "world.yaml").write_text((DRAWN / "world.yaml").read_text().replace("seed: 3", f"seed: {seed}"))
    return mistakes_in(folder)


# -- what is there for some values only -----------------------------------------------------------------------


def test_a_part_is_there_only_for_its_value() -> None:
    for seed in range(12):
        spec = read_world(DRAWN, seed)
        keeper = spec.drawn["ahead.keeper"].text
        story, task = spec.storylines["ahead"], spec.tasks["order-ahead"]
        lines = [line.text for line in story.talks["asked"].lines]

        assert ("van" in story.beats) == (keeper == "dov")
        assert ("again" in story.beats) == (keeper != "dov")
        assert ("I write it down then" in lines) == (keeper == "ben")
        assert ("mine then" in lines) == (keeper in ("cleo", "ben"))
        assert ("van" in task.rubric.points) == (keeper == "dov")
        assert len(spec.oracles["order-ahead"]) == (7 if keeper == "dov" else 5)


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("{keper: ben}", "when: there is no drawn slot 'keper'; did you mean 'keeper'?"),
        ("{keeper: bn}", "when.keeper: keeper is never 'bn'; did you mean 'ben'?"),
        ("{keeper: {a: b}}", "when.keeper: expected a value or a list of values"),
    ],
)
def test_a_condition_that_never_holds_is_a_mistake(folder: Path, condition: str, said: str) -> None:
    line = change(folder, LINE, "{keeper: ben}", condition)

    assert found_in(folder) == [(LINE, line, said)]


# -- mistakes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{one_of: [12, 18, 24]}", "{one_off: [12]}", "drawn.trial: one_off: unknown word; did you mean 'one_of'?"),
        ("{one_of: [12, 18, 24]}", "{one_of: []}", "drawn.trial: one_of: expected at least 1 entry, found none"),
        ("{one_of: [12, 18, 24]}", "{one_of: [12], number: 1..3}", "drawn.trial: expected one of one_of, number"),
        (
            "{one_of: [12, 18, 24]}",
            "{one_of: [12], step: 3}",
            "drawn.trial: step: step goes with number, date and time",
        ),
        ("{one_of: [12, 18, 24]}", "{one_of: [2026-02-30]}", "is not a valid date"),
        (
            "{one_of: [12, 18, 24]}",
            '{one_of: ["2026-02-30"]}',
            "drawn.trial: expected a day of the calendar, found '2026-02-30'",
        ),
        ("{one_of: [12, 18, 24]}", '{one_of: ["{{lead}}"]}', "drawn.trial: one_of.0: expected a plain value"),
        ("{one_of: [12, 18, 24]}", "{is: 12}", "drawn.trial: is: expected a text, found 12"),
        ("{one_of: [12, 18, 24]}", '{is: "12 h"}', "drawn.trial: is: expected another slot, found '12 h'"),
        (
            "{one_of: [12, 18, 24]}",
            "{one_of: [12, 18], not: [12, 18]}",
            "drawn.trial: not: nothing is left of 12, 18 without 12, 18",
        ),
        (
            "{one_of: [12, 18, 24]}",
            "{one_of: [12, 18], not: [lead]}",
            "drawn.trial: expected a value before another needs it",
        ),
        (
            "not: [trial]",
            "not: [trail]",
            "drawn.lead: not.0: there is neither a slot nor a value 'trail'; did you mean 'trial'?",
        ),
        ("number: 12..90", "number: 90..12", "drawn.loaves: number: expected a range that holds something"),
        ("number: 12..90", "number: 12-90", "drawn.loaves: number: expected a range such as 12..90, found '12-90'"),
        ("number: 12..90", "number: 0..9000000", "drawn.loaves: number: expected at most 100,000 values"),
        ("step: 3}", "step: 0}", "drawn.loaves: step: expected a whole number above 0, found 0"),
        (
            "2026-05-12..2026-06-05",
            "2026-05-16..2026-05-17",
            "drawn.start: date: expected days of which some are weekdays",
        ),
        ("2026-05-12..2026-06-05", "2026-05-12..2026-06-31", "drawn.start: date: expected a range such as"),
        ("step: 5m}", "step: 5}", "drawn.at: step: expected whole minutes such as 5m, found 5"),
        ("09:10..11:50, step: 5m}", "09:10..11:50, weekdays: true}", "drawn.at: weekdays: weekdays goes with date"),
        ("{{start}} - 1d", "{{start}} - 1h", "drawn.eve: is: expected whole days such as 7d after -, found '1h'"),
        ("{{start}} - 1d", "{{strat}} - 1d", "drawn.eve: is: there is no drawn slot 'strat'; did you mean 'start'?"),
        ("{{start}} - 1d", "{{keeper}} - 1d", "drawn.eve: is: expected a number, a day or a time of day before -"),
        (
            "team: [bench, round]",
            "team: [bensh, round]",
            "drawn.keeper: person.team: there is no team 'bensh'; did you mean 'bench'?",
        ),
        ("team: [bench, round]", "tem: [bench]", "drawn.keeper: person.tem: unknown word; did you mean 'team'?"),
        (
            "not: [emre]",
            "not: [emr]",
            "drawn.keeper: not.0: there is neither a slot nor a value 'emr'; did you mean 'emre'?",
        ),
        (
            "person: [ben, cleo,",
            "person: [bne, cleo,",
            "drawn.helper: person.0: there is no person 'bne'; did you mean 'ben'?",
        ),
        ("tag: group", "tag: groups", "drawn.who: customer.tag: there is no tag 'groups'; did you mean 'group'?"),
        ("from {{start|day}}", "from {{start|dya}}", "{{start|dya}}: a date has no form 'dya'; did you mean 'day'?"),
        ("from {{start|day}}", "from {{lead|day}}", "{{lead|day}}: a number has no form 'day'; it has words"),
        ("from {{start|day}}", "from {{label|day}}", "{{label|day}}: a text has no form 'day'; it has none"),
        ("from {{start|day}}", "from {{strat|day}}", "there is no drawn slot 'strat'; did you mean 'start'?"),
        (
            "from {{start|day}}",
            "from {{ahaed.start}}",
            "there is no drawn slot 'ahaed.start'; did you mean 'ahead.start'?",
        ),
        ("from {{start|day}}", "from {{ .Values.x }}", "where you mean {{ itself, write {{{{"),
        ("from {{start|day}}", "from {{", "where you mean {{ itself, write {{{{"),
    ],
)
def test_one_slip_is_one_mistake_in_its_line(folder: Path, old: str, new: str, said: str) -> None:
    line = change(folder, LINE, old, new)
    found = found_in(folder)

    assert [(file, at) for file, at, _ in found] == [(LINE, line)] or "valid date" in said, found
    if "valid date" not in said:
        assert said in found[0][2]


def test_a_slot_has_a_short_name(folder: Path) -> None:
    line = change(folder, LINE, "  who: {", "  Who: {")

    assert (LINE, line, "drawn.Who: expected a short name of lower-case letters, digits and hyphens") in found_in(
        folder
    )


def test_a_bare_name_outside_of_its_storyline_is_told_the_whole_one(folder: Path) -> None:
    line = change(folder, ORACLE, '"{{ahead.start}}"', '"{{start}}"')

    assert found_in(folder) == [(ORACLE, line, "there is no drawn slot 'start'; did you mean 'ahead.start'?")]


def test_nothing_is_drawn_in_what_says_who_can_be_drawn(folder: Path) -> None:
    change(folder, "people.yaml", "role: owner", 'role: "{{ahead.label}}"')

    [(file, line, message)] = found_in(folder)

    assert (file, line) == ("people.yaml", 1)
    assert message.startswith("expected nothing drawn in people.yaml")


def test_several_mistakes_are_told_at_once(folder: Path) -> None:
    slips = [
        (LINE, change(folder, LINE, "tag: group", "tag: groups")),
        (LINE, change(folder, LINE, "team: [bench, round]", "team: [bensh, round]")),
        (ORACLE, change(folder, ORACLE, "{{ahead.lead}}", "{{ahead.laed}}")),
        ("documents/ordering.md", change(folder, "documents/ordering.md", "{{ahead.at|clock}}", "{{ahead.at|clok}}")),
    ]

    assert {(file, line) for file, line, _ in found_in(folder)} == {*slips}


def test_a_misspelt_drawn_is_one_mistake(folder: Path) -> None:
    change(folder, LINE, "drawn:", "drwan:")

    assert found_in(folder) == [(LINE, 1, "drwan: unknown word; did you mean 'drawn'?")]


@pytest.mark.parametrize("text", ["at: {{x}}", "at: {{x}} hours", "- {{x}}", "a: [{{x}}, 2]", "a: {b: in {{x}} hours}"])
def test_a_slot_that_yaml_takes_for_a_mapping_is_told_to_be_quoted(text: str) -> None:
    with pytest.raises(BrokenText, match="stands between quotes"):
        load_yaml(text.encode())


# -- several seeds --------------------------------------------------------------------------------------------


def test_what_only_another_seed_shows_is_told_with_the_smallest(folder: Path) -> None:
    line = change(folder, TASK, "when: {ahead.keeper: dov}", "when: {ahead.keeper: [dov, ben]}")
    bens = [seed for seed in range(3, 20) if read_draft(DRAWN, seed).spec.drawn["ahead.keeper"].text == "ben"]  # type: ignore[union-attr]

    assert not [each for each in mistakes_by_seed(folder, 1) if each.is_wrong]
    [found] = [each for each in mistakes_by_seed(folder, 17) if each.is_wrong]

    assert (found.mistake.file, found.mistake.line, found.seed) == (TASK, line, bens[0])


def test_a_seed_with_mistakes_cannot_be_drawn(folder: Path) -> None:
    change(folder, LINE, "  label:", '  late: {is: "{{at}} + 13h"}\n  label:')
    spec = next(draft.spec for seed in range(40) if not (draft := read_draft(folder, seed)).mistakes)
    wrong = next(seed for seed in range(40) if read_draft(folder, seed).mistakes)
    assert spec is not None

    with pytest.raises(AuthoringError, match="is on another day"):
        spec.seeded(wrong)


def test_a_slot_that_can_be_one_thing_only_is_advised_against(folder: Path) -> None:
    line = change(folder, LINE, "number: 12..90, step: 3", "number: 12..13, step: 3")

    [advice] = [each for each in warnings_of(read_world(folder)) if "nothing is drawn" in each.message]

    assert (advice.file, advice.line) == (LINE, line)
    assert advice.message.startswith("drawn.loaves: '12' is all that it can be")


def test_facts_that_a_seed_draws_alike_are_advised_against(folder: Path) -> None:
    assert not [each for each in warnings_of(read_world(folder)) if "both" in each.message]
    change(folder, LINE, "one_of: [24, 30", "one_of: [12, 24, 30")
    change(folder, LINE, ", not: [trial]", "")
    spec = read_world(folder)

    [advice] = [each for each in warnings_of(spec) if "both" in each.message]

    assert advice.line == spec.line(LINE, "facts", "new-lead")
    assert "trial-lead and new-lead are both" in advice.message
