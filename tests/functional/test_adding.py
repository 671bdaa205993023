"""`brownout new person|customer|service|outage` and `brownout fmt` on worlds of one's own."""

from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.catalog import find_spec
from brownout.engine.world import World
from generators.world_check import mistakes_in
from tests.functional.commands import Commands
from tests.functional.playing import play
from worlds.spec import read_world

STARTER = Path(__file__).parents[2] / "worlds/starter"


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    return copytree(find_spec("tiny"), tmp_path / "tiny")


@pytest.fixture
def bakery(tmp_path: Path) -> Path:
    return copytree(STARTER, tmp_path / "bakery")


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_person_joins_their_team_and_its_channels(command: Commands, tiny: Path) -> None:
    done = command("new", "person", tiny, "--name", "Wiktoria Nowak", "--role", "engineer", "--team", "engineering")
    spec = read_world(tiny)

    assert done.code == 0, done.err
    assert list(spec.people)[-2:] == ["owen", "wiktoria"]
    assert spec.people["wiktoria"].reads == ["slack", "gmail"]
    assert "+wiktoria:" in done.out.splitlines()
    channels = spec.world.apps["slack"]["channels"]
    assert isinstance(channels, dict)
    joined = [name for name, channel in channels.items() if "wiktoria" in str(channel)]
    assert joined == ["#ops"]  # the only one that all three engineers are in
    assert mistakes_in(tiny) == []


def test_a_namesake_gets_another_short_name(command: Commands, tiny: Path) -> None:
    done = command("new", "person", tiny, "--name", "Ida Öz", "--role", "x")

    assert done.code == 0, done.err
    assert read_world(tiny).people["ida-oz"].name == "Ida Öz"


def test_comments_and_other_files_stay(command: Commands, tiny: Path) -> None:
    before = content(tiny)
    command("new", "outage", tiny, "mail-late", "--on", "gmail", "--from", "slack-noon + 2h", "--for", "20m",
            "--mode", "slow", "--setting", "share=30%", "--setting", "latency=4s", "--announced", "never")  # fmt: skip
    after = content(tiny)

    line = b"mail-late: {on: gmail, from: slack-noon + 2h, for: 20m, mode: slow, share: 30%, latency: 4s, announced: never}\n"
    assert after == before | {"outages.yaml": before["outages.yaml"] + line}


def test_a_customer_and_a_service_are_added(command: Commands, bakery: Path) -> None:
    assert command("new", "customer", bakery, "--name", "Hotel Sol", "--contact", "Dr. Ana Sol").code == 0
    done = command(
        "new", "service", bakery, "tills", "--says", "Takes money.", "--on-call", "ben", "--needs", "bank=stripe"
    )

    assert done.code == 0, done.err
    spec = read_world(bakery)
    assert spec.customers["hotel-sol"].email == "ana@hotel-sol.test"
    assert spec.services["tills"].needs["bank"].on == "stripe"
    assert spec.services["tills"].shows.alert


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["person", "--name", "A B", "--role", "x", "--manager", "priyaa"], "did you mean 'priya'"),
        (["person", "--name", "A B", "--role", "x", "--team", "suport"], "did you mean 'support'"),
        (["person", "--name", "A B", "--role", "x", "--zone", "Europe/Warsow"], "not in the tz database"),
        (["person", "--name", "A B", "--role", "x", "--reads", "slak"], "did you mean 'slack'"),
        (["person", "--name", "A B", "--role", "x", "--hours", "9-5"], "hours"),
        (["person", "A B", "--name", "A B", "--role", "x"], "expected a short name"),
        (["person", "ida", "--name", "A B", "--role", "x"], "'ida' already"),
        (["person", "--name", "A B"], "expected --role"),
        (["customer", "--name", "A", "--contact", "B", "--owner", "marcu"], "did you mean 'marcus'"),
        (["customer", "--name", "A", "--contact", "B", "--email", "b@a.com"], "email"),
        (["service", "x", "--on-call", "owenn"], "did you mean 'owen'"),
        (["service", "x", "--needs", "database"], "expected NAME=VALUE for --needs"),
        (["outage", "x", "--on", "slack", "--from", "slack-nun + 3m", "--for", "3m"], "did you mean 'slack-noon'"),
        (["outage", "x", "--on", "slack", "--from", "2026-03-24 11:44", "--for", "3m", "--mode", "slwo"], "slow"),
        (["outage", "slack-noon", "--on", "slack", "--from", "2026-03-24 11:44", "--for", "3m"], "already"),
    ],
)
def test_what_the_world_does_not_know_is_refused_and_nothing_written(
    command: Commands, tiny: Path, arguments: list[str], said: str
) -> None:
    before = content(tiny)
    done = command("new", arguments[0], tiny, *arguments[1:])

    assert done.code == 2
    assert said in done.err
    assert content(tiny) == before


def test_a_dry_run_shows_and_writes_nothing(command: Commands, tiny: Path) -> None:
    before = content(tiny)
    done = command("new", "person", tiny, "--name", "Wim Oss", "--role", "x", "--team", "engineering", "--dry-run")

    assert done.code == 0
    assert "+wim:" in done.out.splitlines()
    assert "nothing was written" in done.out
    assert content(tiny) == before


def test_a_shipped_world_is_not_changed(command: Commands) -> None:
    done = command("new", "person", "tiny", "--name", "A B", "--role", "x")

    assert done.code == 2
    assert "tiny comes with Brownout" in done.err


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Answers typed at a terminal; what was asked is in the list that comes back."""

    def typed(*lines: str) -> list[str]:
        asked: list[str] = []
        left = iter(lines)

        def prompt(question: str, *, default: str | None = None, show_default: bool = True) -> str:
            asked.append(question)
            return next(left) or default or ""

        monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
        monkeypatch.setattr("typer.prompt", prompt)
        return asked

    return typed


def test_at_a_terminal_what_is_missing_is_asked_for(
    command: Commands, tiny: Path, answers: Callable[..., list[str]]
) -> None:
    asked = answers("Wim Oss", "engineer", "engineering", "", "", "")
    done = command("new", "person", tiny)
    wim = read_world(tiny).people["wim"]

    assert done.code == 0, done.err
    assert asked == ["name", "role", "team", "manager", "zone", "reads"]
    assert (wim.manager, wim.reads) == ("priya", ["slack", "gmail"])


def test_fmt_says_what_is_not_tidy_and_tidies_it(command: Commands, bakery: Path) -> None:
    before = content(bakery)
    assert command("fmt", bakery, "--check").code == 0
    (bakery / "people.yaml").write_bytes(before["people.yaml"].replace(b"\n", b" \r\n"))
    untidy = content(bakery)

    done = command("fmt", bakery, "--check")
    assert (done.code, "people.yaml" in done.out, content(bakery)) == (1, True, untidy)
    assert command("fmt", bakery).code == 0
    assert content(bakery) == before
    assert command("fmt", bakery, "--width", "60").code == 0
    assert "ana:\n  name: Ana Reis\n" in (bakery / "people.yaml").read_text()
    assert mistakes_in(bakery) == []


def test_fmt_writes_nothing_where_a_file_cannot_be_read(command: Commands, bakery: Path) -> None:
    (bakery / "people.yaml").write_text("ana: [1  \n")
    (bakery / "outages.yaml").write_text("x: 1  \n")
    before = content(bakery)
    done = command("fmt", bakery)

    assert (done.code, "people.yaml:1: broken YAML" in done.err) == (2, True)
    assert content(bakery) == before


def test_a_task_asks_for_facts_and_its_solution_is_paid(command: Commands, bakery: Path, tmp_path: Path) -> None:
    done = command("new", "task", bakery, "when-open", "--asks", "open-8", "--tell", "#shop")

    assert done.code == 0, done.err
    assert mistakes_in(bakery) == []
    package = brownout.build(bakery, out=tmp_path / "package")
    with World(package, hot=1) as world:
        assert play(world, tmp_path / "oracle", "when-open", "oracle").reward == 1.0
        assert play(world, tmp_path / "noop", "when-open", "noop").reward == 0.0


def test_a_task_in_a_world_without_chat_asks_to_record(command: Commands, tiny: Path) -> None:
    names = command("new", "task", tiny, "evening", "--asks", "slow-evening,slow-until", "--dry-run")

    assert names.code == 0, names.err
    assert 'record_findings: {slow_evening_from: "${fact:slow-evening}"' in names.out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["when-open"], "expected one fact at least"),
        (["when-open", "--asks", "open-9"], "has no fact 'open-9'; did you mean"),
        (["opening", "--asks", "open-8"], "has a task 'opening' already"),
        (["When Open", "--asks", "open-8"], "expected a short name"),
        (["when-open", "--asks", "open-8", "--requester", "anna"], "nobody in bakery is called 'anna'; did you mean 'ana'"),
        (["when-open", "--asks", "open-8", "--tell", "#shopp"], "#shopp"),
        (["when-open", "--asks", "open-8", "--start", "soon"], "soon"),
    ],
)  # fmt: skip
def test_a_task_that_could_not_be_is_not_written(
    command: Commands, bakery: Path, arguments: list[str], why: str
) -> None:
    before = content(bakery)
    done = command("new", "task", bakery, *arguments)

    assert done.code != 0
    assert why in " ".join((done.err + done.out).split())
    assert content(bakery) == before
