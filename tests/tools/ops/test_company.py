"""The ops products in a built world: its services come from systems.yaml, and the engine sees what is changed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

import brownout
from brownout.engine.session import Session
from tests.calm import write_outages

SYSTEMS = """
boxoffice:
  repo: boxoffice
  on_call: wren
  needs: {database: {is: aws-rds/eu-central-1, can_be: [aws-rds/eu-west-1]}}
  shows: {alert: "error_rate > 5% for 3m -> page on_call"}
doorlist: {}
"""
OUTAGES = (
    "rds: {on: aws-rds/eu-central-1, from: 2026-03-24 11:30, for: 2h, mode: slow, latency: 9s, announced: 5m late}\n"
)


@pytest.fixture
def session(spec_folder: Path, tmp_path: Path) -> Iterator[Session]:
    (spec_folder / "prose" / "systems.yaml").unlink()
    (spec_folder / "systems.yaml").write_text(SYSTEMS)
    write_outages(spec_folder, OUTAGES)
    package = brownout.build(spec_folder, out=tmp_path / "package")
    with brownout.open_session(package, task="find-the-change") as session:
        yield session


def ask(session: Session, name: str, **arguments: Any) -> Any:
    """The answer to a call that succeeds."""
    observation = session.call(name, arguments)
    assert not observation.is_error, observation.content
    return cast(Any, observation.structured)


def test_a_failover_ends_the_trouble_that_monitoring_saw(session: Session) -> None:
    [alert] = ask(session, "ops_list_alerts", service="boxoffice")["alerts"]
    [page] = ask(session, "ops_list_vendor_status", vendor="aws-rds/eu-central-1")["vendors"]
    before = ask(session, "ops_get_service", service="boxoffice")
    ask(session, "ops_failover", service="boxoffice", resource="database", to="aws-rds/eu-west-1")
    after = ask(session, "ops_get_service", service="boxoffice")

    assert alert["assigned_to"] == "wren"
    assert page["incidents"][0]["status"] == "investigating"
    assert (before["health"]["status"], after["health"]["status"]) == ("degraded", "healthy")
    assert ask(session, "ops_get_alert", alert=alert["id"])["resolved_by"] == "monitoring"


def test_what_monitoring_shows_fits_what_the_operations_promise(session: Session) -> None:
    metric = ask(session, "ops_get_metrics", service="boxoffice", metric="error_rate", minutes=30, step_minutes=5)
    logs = ask(session, "ops_get_logs", service="boxoffice", limit=5)

    assert metric["points"][0]["value"] < 5 < metric["points"][-1]["value"]
    assert len(logs["lines"]) == 5
    assert logs["older_left_out"] is True
