"""What an agent meets when a service fails, mode by mode; and what it does to everybody else."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

import pytest
from sqlalchemy import func, select

import brownout
from brownout.core.calls import Observation
from brownout.core.trajectory import OutageEvent, WorldEvent
from brownout.core.values import JsonObject
from brownout.engine.session import Session
from brownout.store import compile_query
from tests.calm import write_outages
from worlds.package.engine_tables import health

Open: TypeAlias = Callable[[str], Session]
START = "2026-03-24 11:40"


@pytest.fixture
def during(spec_folder: Path, tmp_path: Path) -> Iterator[Open]:
    """Opens `find-the-change` with an outage of Slack that begins five minutes after its start."""
    with ExitStack() as stack:

        def open_session(outage: str) -> Session:
            write_outages(spec_folder, f"broken: {{{outage}}}\n")
            package = brownout.build(spec_folder, out=tmp_path / "package")
            return stack.enter_context(brownout.open_session(package, task="find-the-change"))

        yield open_session


def at(offset: str, mode: str, *, lasts: str = "2h") -> str:
    return f'on: slack, from: "{START[:11]}{offset}", for: {lasts}, {mode}'


def post(session: Session, text: str = "hello") -> Observation:
    return session.call("slack_send_message", {"channel": "#ops", "text": text})


def read(session: Session) -> str:
    return session.call("slack_read_channel", {"channel": "#ops"}).content


def pass_time(session: Session, minutes: int = 6) -> None:
    session.call("wait", {"minutes": minutes, "until_notice": False})


def test_down_refuses_everything_while_it_lasts(during: Open) -> None:
    session = during(at("11:45", "mode: down", lasts="30m"))
    assert not post(session).is_error
    pass_time(session)

    failed = post(session)

    assert failed.is_error
    assert failed.fault == "broken"
    assert failed.structured == {
        "ok": False,
        "error": "service_unavailable",
        "response_metadata": {"messages": ["Slack is experiencing an outage."]},
    }
    assert not session.call("jira_get_issue", {"issue": "BOX-32"}).is_error
    pass_time(session, 31)
    assert not post(session).is_error


def test_errors_hit_their_share(during: Open) -> None:
    session = during(at("11:45", "mode: errors, share: 40%"))
    pass_time(session)

    failed = sum(post(session, str(n)).is_error for n in range(50))

    assert 10 <= failed <= 30


def test_slow_costs_world_time(during: Open) -> None:
    session = during(at("11:45", "mode: slow, latency: 10s"))
    pass_time(session)
    before = session.now

    answer = post(session)

    assert not answer.is_error
    assert 35_000_000 < session.now - before < 50_000_000


def test_too_slow_is_a_timeout(during: Open) -> None:
    session = during(at("11:45", "mode: slow, latency: 2m"))
    pass_time(session)

    assert post(session).structured == {"ok": False, "error": "request_timeout"}


def test_a_rate_limit_says_when_to_come_back(during: Open) -> None:
    session = during(at("11:45", "mode: rate_limited, per_minute: 1, retry_after: 40s"))
    pass_time(session)

    answers = [post(session, str(n)) for n in range(4)]

    limited = [answer for answer in answers if answer.is_error]
    assert limited
    assert isinstance(limited[0].structured, dict)
    assert limited[0].structured["error"] == "ratelimited"
    assert limited[0].structured["headers"] == {"Retry-After": "40"}


def test_read_only_reads(during: Open) -> None:
    session = during(at("11:45", "mode: read_only"))
    pass_time(session)

    assert post(session).is_error
    assert "Simplify hold store" in read(session)


def test_stale_reads_show_how_it_was(during: Open) -> None:
    session = during(at("11:45", "mode: stale_reads", lasts="1h"))
    post(session, "before it began")
    pass_time(session)
    assert not post(session, "written meanwhile").is_error

    stale = read(session)

    assert "before it began" in stale
    assert "written meanwhile" not in stale
    pass_time(session, 61)
    assert "written meanwhile" in read(session)


def test_a_fork_remembers_what_stale_reads_show(during: Open) -> None:
    session = during(at("11:45", "mode: stale_reads"))
    post(session, "before it began")
    pass_time(session)
    post(session, "written meanwhile")
    twin = session.fork()

    assert "before it began" in read(twin)
    assert "written meanwhile" not in read(twin)


def test_a_lost_answer_has_its_effect(during: Open) -> None:
    session = during(at("11:45", "mode: lost_ack", lasts="20m"))
    pass_time(session)

    lost = post(session, "did it arrive?")

    assert lost.is_error
    assert lost.effects
    pass_time(session, 30)
    assert read(session).count("did it arrive?") == 1


def test_delayed_delivery_answers_late(during: Open) -> None:
    question: JsonObject = {"channel": "@yuki", "text": "How many minutes do we hold seats?"}
    prompt = during('on: jira, from: "2026-03-24 11:45", for: 1h, mode: down')
    pass_time(prompt)
    prompt.call("slack_send_message", question)
    prompt.call("wait", {"minutes": 600})
    late = during(at("11:45", "mode: delayed_delivery, by: 2h", lasts="1h"))
    pass_time(late)
    late.call("slack_send_message", question)
    late.call("wait", {"minutes": 600})

    assert late.now - prompt.now >= 100 * 60_000_000


def test_expired_credentials_are_nobodys(during: Open) -> None:
    session = during(at("11:45", "mode: auth_expired"))
    pass_time(session)

    assert session.call("slack_list_users", {}).structured == {"ok": False, "error": "token_expired"}


def test_an_outage_has_its_scope(during: Open) -> None:
    session = during(at("11:45", 'mode: down, operations: ["slack_search*", "slack_read_*"], people: [wren]'))
    pass_time(session)

    assert not post(session).is_error
    assert session.call("slack_read_channel", {"channel": "#ops"}).is_error


def test_people_go_another_way_or_wait(during: Open) -> None:
    session = during(at("11:20", "mode: down", lasts="50m"))
    session.call("wait", {"minutes": 60, "until_notice": False})

    ended = [e.at for e in session.events if isinstance(e, OutageEvent) and (e.name, e.edge) == ("broken", "ended")]
    posted = [e.at for e in session.events if isinstance(e, WorldEvent) and e.app == "slack" and e.outcome == "done"]
    tried = [e for e in session.events if isinstance(e, WorldEvent) and e.outcome == "no channel works"]
    assert len(ended) == 1
    assert all(at >= ended[0] for at in posted)
    assert len(posted) >= len({e.key for e in tried})


def test_chance_repeats_under_the_same_seed(during: Open) -> None:
    session = during(at("11:45", "mode: errors, share: 50%"))

    def outcomes() -> list[bool]:
        pass_time(session)
        return [post(session, str(n)).is_error for n in range(20)]

    first = outcomes()
    session.reset()

    assert outcomes() == first


def test_a_service_feels_what_a_share_of_its_requests_needs(spec_folder: Path, tmp_path: Path) -> None:
    def worst(share: int) -> int:
        systems = spec_folder / "systems.yaml"
        systems.write_text(
            "boxoffice: {says: Seats., needs: {database: {is: aws-rds/eu-west-1}}, version: 1.0.0, repo: boxoffice}\n"
            f"doorlist: {{says: Lists., needs: {{boxoffice: {{is: boxoffice, share: {share}%}}}}, version: 1.0.0}}\n"
        )
        write_outages(spec_folder, "rds-monday: {on: aws-rds/eu-west-1, from: 2026-03-23 19:10, for: 2h, mode: down}\n")
        with brownout.open_world(brownout.build(spec_folder, out=tmp_path / f"package-{share}")) as world:
            preview = world.preview()
            preview.go(world.package.manifest.calendar[1])
            query = compile_query(select(func.max(health.c.error_percent)).where(health.c.service == "doorlist"))
            found = preview.rows.scalar(query)
        assert isinstance(found, int)
        return found

    assert (worst(100), worst(30)) == (100, 30)
