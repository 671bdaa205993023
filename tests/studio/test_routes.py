"""The routes: who may ask, and what they answer."""

from collections.abc import Callable
from urllib.parse import urlencode

import pytest

from studio.serving.request_guard import TOKEN
from tests.studio.asking import asked

Ask = Callable[..., tuple[int, dict[str, str], object]]


@pytest.fixture
def ask(at_home: pytest.MonkeyPatch) -> Ask:
    """Ask a route, by default as one of the studio's own pages would."""

    def ask_as(
        path: str, method: str = "GET", host: str = "127.0.0.1:8501", token: str = TOKEN, **query: str
    ) -> tuple[int, dict[str, str], object]:
        headers = {"host": host, "x-studio-token": token}
        answer = asked(path, method=method, query=urlencode(query), headers=headers)
        return answer.status, dict(answer.headers), answer.json

    return ask_as


LINES = "/api/worlds/tiny/lines"
START = {"viewer": "v", "at": "1774352400000000", "as": "ida", "surface": "issues"}


def test_a_page_of_the_studio_is_answered(ask: Ask) -> None:
    status, headers, body = ask(LINES, **START)
    while status == 202:
        status, headers, body = ask(LINES, **START)

    assert status == 200, body
    assert isinstance(body, dict)
    assert any(line["id"] == "BOX-32" for line in body["lines"])
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"token": ""}, 403),
        ({"token": "guess"}, 403),
        ({"method": "POST"}, 403),
        ({"method": "PUT"}, 405),
        ({"host": "evil.example"}, 400),
    ],
)
def test_nobody_else_is_answered(ask: Ask, change: dict[str, str], status: int) -> None:
    assert ask(LINES, **change, **START)[0] == status


@pytest.mark.parametrize(
    ("path", "query", "status", "says"),
    [
        ("/api/worlds/atlantis/calendar", {}, 404, "World atlantis not found"),
        ("/api/worlds/tiny/lines", {**START, "surface": "fax"}, 404, "Surface fax not found"),
        ("/api/worlds/tiny/lines", {**START, "as": "nobody"}, 422, "Person nobody not found"),
        ("/api/worlds/tiny/reading", {**START, "item": "BOX-999"}, 422, "Issue BOX-999 not found"),
        ("/api/worlds/tiny/moment", {**START, "at": "noon"}, 422, "at: expected a whole number, found 'noon'"),
        ("/api/runs/steps", {"run": "r-9"}, 404, "Run r-9 not found"),
        ("/api/runs/steps", {"run": "../../etc"}, 404, "Run ../../etc not found"),
        ("/api/runs/step", {"run": "idle", "step": "99"}, 404, "Step 99 not found"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_sentence(
    ask: Ask, path: str, query: dict[str, str], status: int, says: str
) -> None:
    found, _, body = ask(path, **query)
    while found == 202:
        found, _, body = ask(path, **query)

    assert (found, isinstance(body, dict)) == (status, True)
    assert says in body["error"]  # type: ignore[index]


def test_a_run_is_served_step_by_step(ask: Ask) -> None:
    _, _, run = ask("/api/runs/steps", run="halfway")
    assert isinstance(run, dict)
    assert run["can_replay"]
    changed = next(step for step in run["steps"] if step["changes"])

    step: object = {"named": False}
    while isinstance(step, dict) and not step["named"]:
        _, _, step = ask("/api/runs/step", run="halfway", step=str(changed["n"]))
    status, _, grade = ask("/api/runs/reward", run="halfway", calls="0")
    while status == 202:
        assert isinstance(grade, dict)
        assert grade["doing"]
        status, _, grade = ask("/api/runs/reward", run="halfway", calls="0")

    assert isinstance(step, dict)
    assert all(change["path"].startswith("jira:") for change in step["changes"])
    assert isinstance(grade, dict)
    assert grade["reward"] == 0.0


def test_the_next_stale_reading_of_a_run_is_found(ask: Ask) -> None:
    def stale(after: int) -> object:
        status, _, body = ask("/api/runs/stale", run="solved", after=str(after))
        while status == 202:
            status, _, body = ask("/api/runs/stale", run="solved", after=str(after))
        assert isinstance(body, dict)
        return body["step"]

    found = stale(0)
    assert isinstance(found, int)
    assert found > 0
    _, _, step = ask("/api/runs/step", run="solved", step=str(found))
    assert isinstance(step, dict)
    assert any(one["differs"] and one["note"] for one in step["saw"])
    assert stale(10_000) == 0
