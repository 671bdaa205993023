"""Worlds that read well and mean nothing: every name is resolved, with its line and what was probably meant."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from brownout.catalog import find_spec
from brownout.core.apps import Call
from brownout.core.errors import AuthoringError
from brownout.core.values import JsonObject
from brownout.engine.simulation_setting import load_app
from generators.build import build_world
from generators.world_check import mistakes_in
from worlds.spec import read_world

HOLDS = "storylines/holds.yaml"
TASK = "tasks/find-the-change/task.yaml"
ORACLE = "tasks/find-the-change/oracle.yaml"


def spoil(folder: Path, name: str, old: str, new: str) -> None:
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def line_of(folder: Path, name: str, text: str) -> int:
    return 1 + (folder / name).read_text().partition(text)[0].count("\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "spoiled"
    copytree(find_spec("tiny"), place)
    return place


OUTAGES = [
    (
        "on: slack,",
        "on: slac,",
        "slack-noon.on: nothing in this world is called 'slac' or hangs on it; did you mean 'slack'?",
    ),
    ("on: aws-rds/eu-west-1", "on: aws-rds/eu-west-2", "did you mean 'aws-rds/eu-west-1'?"),
    ("share: 60%", "shar: 60%", "rds-evening.shar: unknown word; did you mean 'share'?"),
    ("latency: 6s", "latency: soon", "rds-evening.latency: expected a duration"),
    ("mode: down", "mode: down, share: 60%", "slack-noon.share: unknown word; the mode down has no settings"),
    (
        "announced: 25m late",
        "announced: 25 minutes",
        "rds-evening.announced: expected `at once`, `never` or `25m late`",
    ),
    (
        "announced: never",
        "announced: never, operations: [slack_serch*]",
        "slack-noon.operations: there is no operation",
    ),
]
STORIES = [
    ('in: "#support"', 'in: "#suport"', "there is no channel '#suport'; did you mean '#support'?"),
    ("project: BOX", "project: BXO", "project: jira has no 'BXO'; did you mean 'BOX'?"),
    ("type: Bug", "type: Bugg", "type: jira has no 'Bugg'; did you mean 'Bug'?"),
    ("type: Bug", "tpye: Bug", "unknown word 'tpye'; did you mean 'type'?"),
]
RUBRICS = [
    ('"jira:first-complaint": {assignee', '"jira:first-complain": {assignee', "nothing in jira is called 'first-complain'"),
    ("{status: Done, res", "{stattus: Done, res", "jira:second-complaint has no 'stattus'; did you mean 'status'?"),
    ("{status: Done, res", "{status: Finished, res", "status is never 'Finished'; it is one of To Do, In Progress"),
    ("{assignee: tomas}", "{assignee: thomas}", "assignee is never 'thomas'; did you mean 'tomas'?"),
    ("only: [", "only: [harmless, ", "only: expected a path such as app:thing/*, found 'harmless'"),
    ("only: [\"jira", "outsiders: [saltwork], only: [\"jira", "outsiders: there is no person or group 'saltwork'"),
    ('"jira:second-complaint"]', '"jirra:BOX.issue/*"]', "only: there is no app 'jirra'; did you mean 'jira'?"),
    ('"jira:second-complaint"]', '"jira:BXO.issue/*"]', "only: nothing in jira is at 'BXO.issue/*'; did you mean 'BOX.issue/*'?"),
    ('whom: ["#support"]', 'whom: ["#nowhere"]', "whom: there is no channel '#nowhere'"),
    ("whom: [marcus], over: any", "whom: [bob], over: any", "whom: there is no person or group 'bob'"),
    ("over: slack}", "over: slak}", "over: there is no app 'slak'; did you mean 'slack'?"),
    ("by: start + 60m", "by: begin + 60m", "by: nothing called 'begin' has a time that a rubric may use"),
    ("  points:\n", "  points:\n    x: {worth: 1, trajectory: {calls: {slack_sendmessage: 1}}}\n", "calls: there is no operation"),
]  # fmt: skip
ORACLES = [
    (
        "jira_search_issues:",
        "jira_search_issue:",
        "there is no operation 'jira_search_issue'; did you mean 'jira_search_issues'?",
    ),
    ("{issue: $main}", "{issue: $mian}", "issue: no step before it keeps $mian; did you mean 'main'?"),
    ("meets: slack-noon", "meets: slak-noon", "meets: there is no outage 'slak-noon'; did you mean 'slack-noon'?"),
    ("wait: {minutes: 60, until", "wait: {minuts: 60, until", "minuts: unknown argument; did you mean 'minutes'?"),
    ("{minutes: 60, until", "{minutes: an hour, until", "minutes: expected a whole number, found 'an hour'"),
    ("jira_get_issue: {issue: $main}", "jira_get_issue: {}", "issue: expected this argument, found nothing"),
    ('"issues[0].key"', '"issues[0.key"', "keep.other: expected a part of the answer such as issues[0].key"),
]
CASES = [
    *(("outages.yaml", *case) for case in OUTAGES),
    *((HOLDS if case[0] in ("project: BOX", "type: Bug") else "storylines/everyday.yaml", *case) for case in STORIES),
    *((TASK, *case) for case in RUBRICS),
    *((ORACLE, *case) for case in ORACLES),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "expected"), CASES)
def test_a_name_that_names_nothing_is_found_where_it_stands(
    folder: Path, file: str, old: str, new: str, expected: str
) -> None:
    line = line_of(folder, file, old) + (old == "  points:\n")
    spoil(folder, file, old, new)

    found = [str(mistake) for mistake in mistakes_in(folder)]

    assert any(expected in each for each in found), found
    assert all(each.startswith(f"{file}:{line}: ") for each in found), found


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("members: [ida, tomas", "members: [idda, tomas", "apps.slack.channels.#ops.members: there is no person 'idda'"),
        ("purpose: \"Deploys", "porpose: \"Deploys", "apps.slack.channels.#ops.porpose: unknown word; did you mean 'purpose'?"),
        ("lead: yuki", "lead: yuky", "apps.jira.projects.BOX.lead: there is no person 'yuky'; did you mean 'yuki'?"),
        ("  ops: {}", "  ops: {services: {}}", "apps.ops.services: unknown word"),
        ("ENG: {name", "E N G: {name", "apps.docs.spaces.E N G: expected a key of letters and digits such as ENG"),
        ("{support: [marcus,", "{marcus: [marcus,", "apps.gmail.groups.marcus: this address is somebody's already"),
        ("{support: [marcus, owen]", "{support: [marcus, own]", "apps.gmail.groups.support: there is no person 'own'"),
        ("{boxoffice: {protected:", "{boxoffice: {protect:", "protect: unknown word; did you mean 'protected'?"),
    ],
)  # fmt: skip
def test_an_apps_section_is_checked_by_the_app(folder: Path, old: str, new: str, expected: str) -> None:
    line = line_of(folder, "world.yaml", old)
    spoil(folder, "world.yaml", old, new)

    found = [str(mistake) for mistake in mistakes_in(folder)]

    assert any(each.startswith(f"world.yaml:{line}: ") and expected in each for each in found), found


def told(target: str) -> Callable[[Path], None]:
    beat = f"  chore:\n    at: 2026-03-20 11:50\n    who: ida\n    told: {{{target}}}\n    states: [hold-10]\n"
    return lambda folder: spoil(folder, HOLDS, "beats:\n", "beats:\n" + beat)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ('"#shopp": slack', "chore: there is no channel '#shopp'"),
        ('"#ops": gmail', "chore: there is no channel '#ops'"),
        ('"#opps": ""', "chore: there is no channel '#opps'; did you mean '#ops'?"),
        ('"#ops": jira', "chore: jira cannot carry what is to tell"),
        ('"#ops": slak', "chore: there is no app 'slak'; did you mean 'slack'?"),
        ('idda: slack', "chore: there is no person 'idda'; did you mean 'ida'?"),
    ],
)  # fmt: skip
def test_a_beat_that_nobody_would_hear_is_a_mistake(folder: Path, target: str, expected: str) -> None:
    told(target)(folder)

    found = [str(mistake) for mistake in mistakes_in(folder)]

    assert [each for each in found if expected in each and each.startswith(f"{HOLDS}:")], found
    assert line_of(folder, HOLDS, f"told: {{{target}") == int(found[0].split(":")[1])


def test_a_synonym_of_a_word_that_no_fact_has_is_a_mistake(folder: Path) -> None:
    spoil(folder, "world.yaml", "  slow: [", "  slwo: [")

    (mistake,) = mistakes_in(folder)
    assert "synonyms.slwo: expected a word of a fact's slot, about or says; none has it" in str(mistake)


def test_what_is_deployed_must_be_a_service(folder: Path) -> None:
    spoil(folder, "storylines/everyday.yaml", "service: doorlist", "service: dorlist")

    found = [str(mistake) for mistake in mistakes_in(folder)]

    assert len(found) == 1
    assert "there is no service 'dorlist'; did you mean 'doorlist'?" in found[0]


def test_a_fact_without_a_typed_value_is_told_only_where_a_model_reads(folder: Path) -> None:
    spoil(folder, TASK, "told: {facts: [stuck-holds], whom", "told: {facts: [stuck-seats], whom")

    [found] = [str(mistake) for mistake in mistakes_in(folder)]
    assert "rubric.points.told: facts: the value of stuck-seats has no type; write `is: {" in found

    spoil(folder, TASK, "told: {facts: [stuck-seats], whom", "told: {reader: model, facts: [stuck-seats], whom")
    assert mistakes_in(folder) == []


def test_files_that_are_no_part_of_a_world_are_named(folder: Path) -> None:
    (folder / "outage.yaml").write_text("")
    (folder / "storyline").mkdir()

    found = [str(mistake) for mistake in mistakes_in(folder)]

    assert "outage.yaml: a world has no such file; did you mean 'outages.yaml'?" in found
    assert "storyline: a world has no such folder; did you mean 'storylines'?" in found


def test_mistakes_of_every_kind_come_in_one_round(folder: Path) -> None:
    """What cannot be read does not hide what is wrong elsewhere, and causes no mistakes of its own."""
    spoil(folder, "world.yaml", "format: 1\n", "")
    spoil(folder, "people.yaml", "  role: platform engineer\n", "")
    spoil(folder, "people.yaml", "voice: dry", "vioce: dry")
    spoil(folder, "outages.yaml", "on: slack,", "on: slac,")
    spoil(folder, HOLDS, "type: Bug", "type: Bugg")
    spoil(folder, TASK, "worth: 1, needs: [cause], by: start", "worht: 1, needs: [cause], by: start")
    spoil(folder, TASK, "{status: Done, res", "{stattus: Done, res")
    spoil(folder, ORACLE, "{issue: $main}", "{issue: $mian}")
    spoil(folder, "repos/boxoffice/series.yaml", "who: ida", "who: idda")

    found = mistakes_in(folder)

    assert sorted({mistake.file for mistake in found}) == [
        "outages.yaml", "people.yaml", "repos/boxoffice/series.yaml", HOLDS, ORACLE, TASK, "world.yaml"
    ]  # fmt: skip
    assert len(found) == 9, [str(mistake) for mistake in found]
    assert all(mistake.line for mistake in found)


def test_what_shows_only_when_it_is_done_fails_the_build_with_its_line(folder: Path, tmp_path: Path) -> None:
    beat = (
        "  twice:\n    at: 2026-03-20 11:50\n    who: ida\n"
        "    closes: {issue: undre16, duplicate_of: first-complaint}\n    states: [hold-10]\n"
    )
    spoil(folder, HOLDS, "beats:\n", "beats:\n" + beat)

    with pytest.raises(AuthoringError) as error:
        build_world(read_world(folder), out=tmp_path / "package")

    assert [(mistake.file, mistake.line) for mistake in error.value.mistakes] == [
        (HOLDS, line_of(folder, HOLDS, "  twice:"))
    ]
    assert "twice: ida could not close: no Jira issue stands for 'first-complaint'" in str(error.value)
    assert not (tmp_path / "package").exists()


def test_a_section_that_breaks_its_app_is_a_mistake_with_its_line(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with a stranger's app that has nothing checked."""

    def prepare(call: Call, settings: JsonObject) -> None:
        raise TypeError("'str' object is not a mapping")

    monkeypatch.setattr("generators.build.load_app", lambda name: replace(load_app(name), prepare=prepare))

    line = line_of(folder, "world.yaml", "  gmail:")
    with pytest.raises(
        AuthoringError, match=rf"world.yaml:{line}: apps.gmail: gmail cannot be set up from this: TypeError: 'str'"
    ):
        build_world(read_world(folder), out=tmp_path / "package")
