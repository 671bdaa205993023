"""Starting runs, comparing them, annotating them: what the pages and routes do."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from shutil import copytree
from threading import Thread

import orjson
import pytest
from starlette.types import Message
from streamlit.testing.v1 import AppTest

import studio.tables
from brownout.annotations import AnnotationStore, Draft, Queue, QueueStore
from brownout.core.values import JsonObject
from brownout.rollouts.recorder import read_run
from studio.app import app
from studio.episodes.changed_things import thing_name
from studio.episodes.replay_steps import steps_of
from studio.episodes.run_charts import criteria_cells
from studio.episodes.run_comparison import _last, align, criteria_of, first_divergence, left_behind
from studio.episodes.run_list import find_run, list_runs
from studio.episodes.run_start import RunRequest, agents_for, request_of, start_run
from studio.jobs import latest_job, list_jobs
from studio.known_worlds import known_worlds, package_of
from studio.serving.request_guard import TOKEN, TOKEN_HEADER
from studio.start_options import RUNS
from tests.studio.shown_tables import shown_tables
from tests.studio.test_jobs import until
from tests.studio.test_pages import Open, texts
from worlds.package import Package


@pytest.fixture
def runs(at_home: pytest.MonkeyPatch, recorded: Path, tmp_path: Path) -> Path:
    """A folder of runs that may be written to."""
    folder = tmp_path / "runs"
    copytree(recorded, folder)
    at_home.setenv(RUNS, str(folder))
    return folder


def store(runs: Path) -> AnnotationStore:
    return AnnotationStore(runs / "annotations", now=lambda: datetime(2026, 11, 24, tzinfo=UTC))


# -- runs ---------------------------------------------------------------------------------------------------


def test_a_run_is_started_and_its_row_appears(open_page: Open, runs: Path) -> None:
    start_run(known_worlds()["tiny"], RunRequest("find-the-change", "noop", episodes=2))
    app = open_page("runs")
    assert not app.exception

    job = latest_job("run", world="tiny")
    assert job is not None
    assert job.title == "find-the-change · noop · 2 episodes"
    assert until(job, "done", "failed").state == "done", job.log
    started = [run for run in list_runs(runs).runs if run.result and run.result.agent == "noop" and run.id != "idle"]
    assert [run.result.seed for run in started if run.result] in ([0, 1], [1, 0])
    assert job.stages[-1].note == "2 of 2"


def test_several_agents_are_started_at_once_and_the_task_is_remembered(open_page: Open, runs: Path) -> None:
    app = open_page("runs", world="tiny")
    app.button(key="start_run").click().run()
    package = package_of(known_worlds()["tiny"])
    assert package is not None
    task = [*package.tasks][-1]
    assert "hand" not in app.multiselect(key="start_agents").options
    app.selectbox(key="start_task").set_value(task)
    app.multiselect(key="start_agents").set_value(["oracle", "noop"])
    app.button(key="start_run").click().run()

    assert app.button(key="start_go").label == "Start 2 runs"
    oracle, noop = app.code[-1].value.splitlines()
    assert f"--task {task} --agent oracle" in oracle
    assert f"--task {task} --agent noop" in noop
    app.button(key="start_go").click()
    app.button(key="start_run").click().run()
    jobs = list_jobs("run", world="tiny")
    assert {job.command[job.command.index("--agent") + 1] for job in jobs} == {"oracle", "noop"}
    assert {job.about["task"] for job in jobs} == {task}
    for job in jobs:
        until(job, "done", "failed")

    app = open_page("runs", world="tiny")
    app.button(key="start_run").click().run()
    assert app.selectbox(key="start_task").value == task


def test_agents_are_listed_by_the_names_that_the_command_line_knows(package: Package) -> None:
    agents = agents_for(package, "find-the-change")

    assert {"oracle", "noop", "llm"} <= {*agents}
    assert {name: said.split(",")[0] for name, said in agents.items()} == {name: name for name in agents}


def test_a_run_is_started_again_with_its_task_its_agent_its_script_and_its_seed(
    open_page: Open, runs: Path, at_home: pytest.MonkeyPatch
) -> None:
    package = package_of(known_worlds()["tiny"])
    assert package is not None
    task, script = next((task, name) for task in package.tasks for name in package.cases(task, "lazy"))
    start_run(known_worlds()["tiny"], RunRequest(task, "lazy", seed=7, case=script))
    job = latest_job("run", world="tiny")
    assert job is not None
    assert until(job, "done", "failed").state == "done", job.log
    (run,) = [one for one in list_runs(runs).runs if one.result and one.result.agent == "lazy"]
    assert (run.player, run.agent) == (f"lazy · {script}", "lazy")
    told: list[dict[str, str]] = [{"acted": run.id}]
    at_home.setattr(studio.tables, "table_pane", lambda **_: told.pop() if told else {})

    app = open_page("runs")
    assert app.selectbox(key="start_task").value == task
    assert app.multiselect(key="start_agents").value == ["lazy"]
    assert app.number_input(key="start_seed").value == 7
    assert app.selectbox(key="start_case_lazy").value == script
    assert f"--task {task} --agent lazy" in app.code[-1].value

    app = open_page("replay", run=run.id)
    app.button(key="run_again").click().run()
    assert app.multiselect(key="start_agents").value == ["lazy"]
    app.button(key="start_go").click()
    app.button(key="run_again").click().run()
    again = latest_job("run", world="tiny")
    assert again is not None
    assert again.id != job.id
    assert again.command == job.command
    assert app.title[0].value == "Runs"
    until(again, "done", "failed")


class _Refusing(BaseHTTPRequestHandler):
    """An endpoint that knows nobody."""

    def do_POST(self) -> None:
        self.send_response(401)
        self.end_headers()


def test_a_model_is_asked_again_where_it_was_asked_before(runs: Path) -> None:
    with HTTPServer(("127.0.0.1", 0), _Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/v1"
        wanted = RunRequest("find-the-change", "llm", model="openai/x", base_url=address, key_env="MY_KEY")
        until(start_run(known_worlds()["tiny"], wanted), "done", "failed")
        server.shutdown()
    (run,) = [one for one in list_runs(runs).runs if one.result and one.result.agent == "llm"]

    assert run.result is not None
    assert run.player == run.agent == "llm · openai/x"
    assert request_of(run.result) == wanted
    assert request_of(run.result.model_copy(update={"model": "openai/y"})).base_url == ""


def test_a_run_whose_world_is_not_here_cannot_be_started_again(open_page: Open, runs: Path) -> None:
    run = runs / "halfway" / "run.json"
    run.write_bytes(orjson.dumps({**orjson.loads(run.read_bytes()), "world": "gone"}))

    assert open_page("replay", run="halfway").button(key="run_again").disabled
    assert not open_page("replay", run="solved").button(key="run_again").disabled


def test_who_may_play_depends_on_the_task(package: Package) -> None:
    task = next(iter(package.tasks))

    assert {"oracle", "noop", "random", "llm"} <= {*agents_for(package, task)}
    assert ("lazy" in agents_for(package, task)) is bool(package.cases(task, "lazy"))


def test_a_key_is_named_and_never_given(at_home: pytest.MonkeyPatch) -> None:
    from studio.known_worlds import known_worlds

    wanted = RunRequest("t", "llm", model="openai/x", base_url="http://127.0.0.1:1/v1", key_env="MY_KEY")

    assert wanted.arguments(known_worlds()["tiny"])[-2:] == ["--api-key-env", "MY_KEY"]


def test_filters_live_in_the_link(open_page: Open) -> None:
    app = open_page("runs", agent="noop,nobody", outcome="Failed")
    assert [row["Run"] for row in shown_tables(app)["Runs"]] == ["idle"]

    app.multiselect(key="runs_agent").set_value(["oracle"]).run()
    app.multiselect(key="runs_outcome").set_value(["Passed"]).run()

    assert [row["Run"] for row in shown_tables(app)["Runs"]] == ["solved"]
    assert app.query_params["agent"] == "oracle"
    assert app.query_params["outcome"] == "Passed"


# -- comparing ----------------------------------------------------------------------------------------------


def test_two_runs_part_where_one_stops(recorded: Path) -> None:
    whole, half = (read_run(recorded / name) for name in ("solved", "halfway"))
    rows = align(steps_of(whole.events, {}), steps_of(half.events, {}))

    parting = first_divergence(rows)
    assert parting == 13
    assert all(row.same for row in rows[:parting])
    assert rows[parting].second is None
    assert first_divergence(align(steps_of(whole.events, {}), steps_of(whole.events, {}))) is None


def test_a_flipped_criterion_is_met_by_one_alone(recorded: Path) -> None:
    whole, half = (read_run(recorded / name).result for name in ("solved", "halfway"))
    assert whole is not None
    assert half is not None
    pairs = {pair.name: pair for pair in criteria_of(whole.ledger, half.ledger)}

    assert pairs["told-room"].flipped
    assert not pairs["untouched"].flipped
    assert pairs["untouched"].first == "passed"


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ({"worth": 1, "counted": 1, "raw": 1.0, "passed": True}, "met"),
        ({"worth": 1, "counted": 0, "raw": 0.5, "passed": False}, "not met"),
        ({"worth": 4, "counted": 2, "raw": 0.5, "passed": False}, "partly"),
        ({"worth": 2, "counted": 0, "raw": 1.0, "passed": True}, "not met"),
        ({"worth": 0, "counted": 0, "raw": 1.0, "passed": True, "gate": True}, "met"),
        ({"worth": 3, "counted": -3, "raw": 1.0, "passed": True, "penalty": True}, "not met"),
        ({"worth": 3, "counted": 0, "raw": 0.0, "passed": False, "penalty": True}, "met"),
    ],
)
def test_a_criterion_is_met_in_pictures_by_what_it_earned(recorded: Path, line: JsonObject, state: str) -> None:
    run = find_run(recorded, "solved")
    assert run is not None and run.result is not None
    judged = replace(run, result=run.result.model_copy(update={"ledger": [{"criterion": "told", **line}]}))

    assert [cell["state"] for cell in criteria_cells([judged])] == [state]


def test_what_only_one_run_changed_is_a_difference_and_the_same_is_none(recorded: Path) -> None:
    whole, idle = (read_run(recorded / name).events for name in ("solved", "idle"))
    found = left_behind(whole, idle)

    assert any(
        name == "priority" and (one, other) == ("High", "Medium") for row in found for name, one, other in row.fields
    )
    assert left_behind(whole, whole) == []


@pytest.mark.parametrize(
    ("path", "words", "name"),
    [
        ("jira:PLAT.issue/PLAT-236", "Standby of bookings", "PLAT-236: Standby of bookings"),
        ("jira:PLAT.issue/PLAT-236.history/660", "", "PLAT-236 history"),
        ("slack:#incidents.message/1776155131.000000", "Booking fails", "#incidents: Booking fails"),
        ("slack:#data.message/1776160610.214307.reaction/+1", "+1", "Slack, #data reaction: +1"),
        ("docs:Runbook: failover.page/98337", "Runbook: failover", "Confluence, Runbook: failover"),
        ("github:larkspur/bookings.pull/73.check/73", "444 passed", "GitHub, #73 check: 444 passed"),
        ("ops:incident/1.update/2", "On it.", "Ops console, incident 1 update: On it."),
        ("customers:conversation/148.message/239", "Hello", "HubSpot, Conversation 148: Hello"),
        ("gmail:abi.message/19d8b24af30c6120", "slow day?", "Gmail, abi message: slow day?"),
        ("jira_history/660", "", "Jira history 660"),
        ("parcels_label/7", "Fragile", "Parcels label 7: Fragile"),
    ],
)
def test_what_differs_is_called_as_its_product_calls_it(path: str, words: str, name: str) -> None:
    assert thing_name(path, words) == name


def test_rows_are_the_same_by_what_the_world_calls_them_and_the_agents_stand_first(recorded: Path) -> None:
    whole, idle = (read_run(recorded / name).events for name in ("solved", "idle"))
    rows = {place for place, _ in _last(whole, {})}
    paths = {row: f"jira:BOX.issue/{row}" for row in rows}
    found = left_behind(whole, idle, (paths, {}))

    assert {one.place for one in found} <= {*paths.values(), *(place for place, _ in _last(idle, {}))}
    assert [one.by_agent for one in found] == sorted((one.by_agent for one in found), reverse=True)
    assert left_behind(whole, whole, (paths, paths)) == []
    assert all(field[0] != "id" for one in found for field in one.fields)


def test_the_page_says_what_differs_in_words_with_the_raw_place_as_a_hint(open_page: Open) -> None:
    app = open_page("compare", runs="solved,idle", part="State difference")

    assert not app.exception
    names = [str(row["What"]) for row in shown_tables(app)["What differs at the end"] if row["What"]]
    assert names
    assert not any(re.match(r"[a-z]+_[a-z_]+/\d+", name) for name in names)


def test_moments_that_differ_at_the_end_are_told_on_the_companys_clock(open_page: Open) -> None:
    app = open_page("compare", runs="solved,idle", part="State difference")

    rows = shown_tables(app)["What differs at the end"]
    told = [str(row[name]) for row in rows for name in ("First", "Second")]
    assert any(re.fullmatch(r"24 Mar \d\d:\d\d:\d\d", text) for text in told)
    assert not any(re.fullmatch(r"\d{15,}", text) for text in told)


def test_the_page_compares_two_runs_of_a_link(open_page: Open) -> None:
    app = open_page("compare", runs="solved,halfway")

    assert not app.exception
    assert "First divergence" in texts(app)
    assert app.toggle(key="flips_only").label == "Flips only"
    assert "told-room" in [row["Criterion"] for row in shown_tables(app)["Criteria of both runs"]]
    app.button(key="swap").click().run()
    assert app.query_params["runs"] == "halfway,solved"
    app = open_page("compare")
    assert app.button(key="swap").disabled
    app.selectbox(key="compare_first").select("solved").run()
    app.selectbox(key="compare_second").select("idle").run()
    app.button(key="swap").click().run()
    assert app.query_params["runs"] == "idle,solved"
    assert "Run r-9 not found" in texts(open_page("compare", runs="solved,r-9"))


# -- annotating ---------------------------------------------------------------------------------------------


def test_a_queue_is_made_and_resumed(open_page: Open, runs: Path) -> None:
    app = open_page("annotate")
    app.text_input(key="annotator").set_value("ida").run()
    app.text_input(key="queue_name").set_value("First look").run()
    app.number_input(key="queue_most").set_value(2).run()
    app.button(key="make_queue").click().run()
    assert not app.exception

    queue = QueueStore(runs / "annotations").read("First look")
    assert queue is not None
    assert len(queue.runs) == 2
    store(runs).add("ida", Draft(run=queue.runs[0], kind="done"))
    app.run()
    assert app.button(key="start_First look").label == "Resume"
    app.button(key="start_First look").click().run()
    assert app.title[0].value.replace("\\", "") == queue.runs[1]
    assert app.toggle(key="annotate_on").value


def test_disagreements_are_listed_and_settled(open_page: Open, runs: Path) -> None:
    for author, call in (("ida", 3), ("max", 5)):
        drafts = [Draft(run="halfway", kind="first_error", step=call, call=call), Draft(run="halfway", kind="done")]
        store(runs).add(author, *drafts)
    app = open_page("annotate", part="Agreement")

    assert not app.exception
    assert app.metric[0].label == "First error: which call"
    app.selectbox(key="settle_0").select("5").run()
    assert any(one.kind == "adjudication" and one.value == "5" for one in store(runs).standing())


def test_a_preference_is_given_without_knowing_whose(open_page: Open, runs: Path) -> None:
    app = open_page("annotate", part="Blind A/B")
    shown = texts(app)
    assert "oracle" not in shown
    app.button(key="blind_tie").click().run()

    (one,) = store(runs).standing()
    assert (one.kind, one.value) == ("preference", "tie")


def test_a_wrong_file_of_labels_is_told(open_page: Open, runs: Path) -> None:
    (runs / "annotations").mkdir()
    (runs / "annotations" / "taxonomy.yaml").write_text("labels: []")
    app = open_page("replay", run="halfway", annotate="1")

    assert not app.exception
    assert "taxonomy.yaml" in app.error[0].value.replace("\\", "")


Post = Callable[..., tuple[int, JsonObject]]


@pytest.fixture
def post(at_home: pytest.MonkeyPatch, runs: Path) -> Post:
    """Send a route what one of the studio's own pages would."""

    def sent(path: str, body: object, origin: str = "http://127.0.0.1:8501") -> tuple[int, JsonObject]:
        return asyncio.run(_posted(path, orjson.dumps(body), origin))

    return sent


async def _posted(path: str, body: bytes, origin: str) -> tuple[int, JsonObject]:
    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        answers.append(message)

    headers = {"host": "127.0.0.1:8501", TOKEN_HEADER: TOKEN, "origin": origin, "content-type": "application/json"}
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "client": None, "server": None,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }  # fmt: skip
    handler = app._build_starlette_app() if app._starlette_app is None else app._starlette_app
    app._starlette_app = handler
    await handler(scope, receive, send)
    return answers[0]["status"], orjson.loads(b"".join(message.get("body", b"") for message in answers[1:]))


def _values(said: JsonObject) -> list[object]:
    records = said["records"]
    assert isinstance(records, list)
    return [one["value"] for one in records if isinstance(one, dict)]


def test_what_is_sent_is_kept_and_taken_back(post: Post, runs: Path) -> None:
    step = next(one for one in steps_of(read_run(runs / "halfway").events, {}) if one.actor == "agent")
    label = {"run": "halfway", "kind": "label", "step": step.event.seq, "call": 1, "value": "loop"}
    asked = {"author": "ida", "run": "halfway"}

    status, said = post("/api/annotations/add", {**asked, "drafts": [label]})
    assert (status, _values(said)) == (200, ["loop"])
    status, said = post("/api/annotations/undo", asked)
    assert (status, said["undone"], said["records"]) == (200, "label", [])


@pytest.mark.parametrize(
    ("draft", "says"),
    [
        ({"kind": "label", "step": 999_999, "value": "loop"}, "is no step"),
        ({"kind": "label", "step": 1, "value": "praise"}, "Label praise not found"),
        ({"kind": "note", "text": " "}, "needs a text"),
        ({"kind": "note", "text": "x", "run": "../elsewhere"}, "not found"),
        ({"kind": "undo", "supersedes": "max/1"}, "no record of ida"),
    ],
)
def test_what_is_about_nothing_is_refused(post: Post, runs: Path, draft: dict[str, object], says: str) -> None:
    status, said = post(
        "/api/annotations/add", {"author": "ida", "run": "halfway", "drafts": [{"run": "halfway", **draft}]}
    )

    assert status in (404, 422)
    assert says in str(said["error"])
    assert store(runs).everything() == []


def test_a_span_must_stand_where_it_says(post: Post, runs: Path) -> None:
    step = next(one for one in steps_of(read_run(runs / "solved").events, {}) if one.event.kind == "call")
    span = {"run": "solved", "kind": "span", "step": step.event.seq, "call": 1, "about": "arguments/0"}

    status, _ = post(
        "/api/annotations/add",
        {"author": "ida", "run": "solved", "drafts": [{**span, "start": 0, "end": 1, "quote": "{"}]},
    )
    assert status == 200
    status, said = post(
        "/api/annotations/add",
        {"author": "ida", "run": "solved", "drafts": [{**span, "start": 0, "end": 1, "quote": "x"}]},
    )
    assert status == 422
    assert "does not say" in str(said["error"])


def test_a_verdict_is_kept_with_the_run_and_its_undo_too(post: Post, runs: Path) -> None:
    path = runs / "halfway" / "run.json"
    given = orjson.loads(path.read_bytes())
    left = {"criterion": "tone", "grader": "judge", "worth": 4, "because": "unread", "why": "nobody reads it"}
    path.write_bytes(orjson.dumps({**given, "complete": False, "left_out": [left]}))
    verdict = {"run": "halfway", "kind": "verdict", "about": "tone", "value": "met"}

    status, _ = post("/api/annotations/add", {"author": "ida", "run": "halfway", "drafts": [verdict]})
    anew = find_run(runs, "halfway")
    assert status == 200
    assert anew is not None
    assert anew.result is not None
    assert anew.reward is not None
    assert anew.reward > given["reward"]
    assert (anew.result.before, anew.result.answered_by) == (given["reward"], ["ida"])

    post("/api/annotations/undo", {"author": "ida", "run": "halfway"})
    back = find_run(runs, "halfway")
    assert back is not None
    assert (back.reward, (runs / "halfway" / "answers.json").exists()) == (given["reward"], False)


def test_no_other_site_annotates(post: Post, runs: Path) -> None:
    status, _ = post("/api/annotations/undo", {"author": "ida", "run": "halfway"}, origin="http://evil.example")

    assert status == 403


def test_a_queue_leads_on_to_the_next_run(post: Post, runs: Path) -> None:
    QueueStore(runs / "annotations").write(Queue(name="q", runs=("halfway", "idle")))

    done = {"author": "ida", "run": "halfway", "queue": "q", "drafts": [{"run": "halfway", "kind": "done"}]}
    status, said = post("/api/annotations/add", done)

    assert (status, said["next"], said["done"], said["total"]) == (200, "idle", 1, 2)


def test_a_page_of_another_name_needs_no_annotator(open_page: Callable[..., AppTest], runs: Path) -> None:
    app = open_page("replay", run="halfway")

    assert not app.exception
    assert not app.toggle(key="annotate_on").value
