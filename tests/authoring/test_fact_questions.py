"""What a new task can ask, and when it is best begun."""

from dataclasses import replace
from pathlib import Path

import pytest

from brownout.catalog import find_spec
from generators.authoring.fact_questions import question_of, questions_of, suggested_start
from generators.authoring.new_task import TaskRequest, task_files
from generators.authoring.new_world import write_world
from generators.authoring.storyline_kinds import kind_names
from generators.authoring.world_request import WorldRequest
from worlds.spec import WorldSpec, read_world


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> WorldSpec:
    """A company with every kind of story."""
    folder = tmp_path_factory.mktemp("asking") / "firm"
    write_world(
        WorldRequest(
            name="firm", storylines=tuple(kind_names()), outages=("payments", "slack"), tasks=len(kind_names())
        ),
        folder,
    )
    return read_world(folder)


def test_every_fact_of_a_written_company_answers_a_question_that_people_ask(written: WorldSpec) -> None:
    questions = questions_of(written)

    assert questions
    assert not [one.slot for one in questions if not one.asks.endswith("?")]
    assert "What is the refund window for cold food now?" in [one.asks for one in questions]


def test_a_task_asks_in_the_words_of_the_fact(written: WorldSpec) -> None:
    files = task_files(written, TaskRequest("window", ("policy-changed-new",)))

    assert "- What is the refund window for cold food now?\n" in files["tasks/window/task.yaml"]
    assert "now: ${fact:policy-changed-new}" in files["tasks/window/oracle.yaml"]


def test_a_fact_without_a_question_is_asked_for_as_a_task_does_or_by_its_slots_name_and_what_answers_it() -> None:
    tiny, larkspur = read_world(find_spec("tiny")), read_world(find_spec("larkspur"))

    assert question_of(tiny, "boxoffice.hold_minutes") == "How many minutes a seat is really kept while somebody pays"
    assert question_of(tiny, "boxoffice.venues_write") == "What: venues write (boxoffice)?"
    assert question_of(tiny, "boxoffice.slow_evening_from") == "What time: slow evening from (boxoffice)?"
    hafen = larkspur.customers["hafenpraxis"].name
    assert question_of(larkspur, "hafenpraxis.lead_from") == f"Which day: lead from ({hafen})?"
    assert question_of(larkspur, "hafenpraxis.lead_decider") == f"Who: lead decider ({hafen})?"
    assert question_of(larkspur, "letters.had_gastro") == "Which customer: had gastro (letters)?"


def test_whoever_asks_is_told_and_somebody_else_is_called_by_their_name(written: WorldSpec) -> None:
    requester, other = list(written.people)[:2]
    to_me = task_files(written, TaskRequest("window", ("policy-changed-new",), requester=requester))
    to_other = task_files(written, TaskRequest("window", ("policy-changed-new",), requester=requester, tell=other))
    to_all = task_files(written, TaskRequest("window", ("policy-changed-new",), requester=requester, tell="#general"))

    assert "Then tell me what you found" in to_me["tasks/window/task.yaml"]
    assert f"Then tell {written.people[other].name} what you found" in to_other["tasks/window/task.yaml"]
    assert "Then tell #general what you found" in to_all["tasks/window/task.yaml"]


def test_a_task_begins_shortly_before_the_outage_that_follows_its_story(written: WorldSpec) -> None:
    outages = {outage.on: outage.start for outage in written.outages.values()}

    start = suggested_start(written, ())
    assert start[:10] == outages["slack"][:10]
    assert start < outages["slack"]


def test_a_task_about_what_nobody_can_know_before_an_outage_begins_on_a_working_morning(tmp_path: Path) -> None:
    write_world(WorldRequest(name="calm", outages=(), storylines=("policy-changed",), tasks=1), tmp_path / "calm")
    calm = read_world(tmp_path / "calm")

    assert not calm.outages
    assert suggested_start(calm, ("policy-changed-new",)).endswith(" 10:00")


def test_an_agent_that_has_every_product_is_begun_before_an_outage_of_any_of_them(written: WorldSpec) -> None:
    """`all` is no list of names: read as one it has no product in it, and a vendor's outage would come first."""
    task, first = next(iter(written.tasks.items()))
    whole = first.model_copy(update={"actor": first.actor.model_copy(update={"apps": "all"})})
    listed = first.model_copy(update={"actor": first.actor.model_copy(update={"apps": ("slack",)})})

    starts = {suggested_start(replace(written, tasks={**written.tasks, task: one}), ()) for one in (whole, listed)}

    slack = next(outage.start for outage in written.outages.values() if outage.on == "slack")
    assert {start[:10] for start in starts} == {slack[:10]}
