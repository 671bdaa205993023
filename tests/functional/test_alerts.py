"""An alert that somebody resolves while its trouble lasts fires again; one whose trouble is over does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import brownout
from brownout.core.instants import MINUTE
from brownout.core.trajectory import WorldEvent
from brownout.engine.session import Session
from tests.calm import write_outages

LASTING = 3
"""Minutes that boxoffice's errors must last before its alert fires."""


@pytest.fixture
def session(spec_folder: Path, tmp_path: Path) -> Iterator[Session]:
    """`find-the-change`, in which boxoffice fails from 11:42 to 12:42, looked at when its alert has fired."""
    write_outages(spec_folder, 'broken: {on: boxoffice, from: "2026-03-24 11:42", for: 1h, mode: errors, share: 20%}\n')
    package = brownout.build(spec_folder, out=tmp_path / "package")
    with brownout.open_session(package, task="find-the-change") as opened:
        pass_time(opened, 8)
        yield opened


def pass_time(session: Session, minutes: int) -> None:
    session.call("wait", {"minutes": minutes, "until_notice": False})


def open_alerts(session: Session) -> list[int]:
    answer = session.call("ops_list_alerts", {"service": "boxoffice"}).structured
    assert isinstance(answer, dict)
    alerts = answer["alerts"]
    assert isinstance(alerts, list)
    return [int(str(alert["id"])) for alert in alerts if isinstance(alert, dict)]


def resolve(session: Session, alert: int) -> int:
    session.call("ops_resolve_alert", {"alert": alert})
    return session.now


def fired(session: Session) -> list[int]:
    return [event.at for event in session.events if isinstance(event, WorldEvent) and event.act == "alert"]


def test_an_alert_resolved_while_its_trouble_lasts_fires_again_after_its_own_window(session: Session) -> None:
    (first,) = open_alerts(session)
    before = session.now
    resolve(session, first)

    pass_time(session, LASTING - 2)
    assert open_alerts(session) == []
    pass_time(session, LASTING)

    (second,) = open_alerts(session)
    assert second > first
    assert len(fired(session)) == 2
    assert before + LASTING * MINUTE <= fired(session)[1] <= before + (LASTING + 1) * MINUTE


def test_it_fires_as_often_as_it_is_resolved(session: Session) -> None:
    for _ in range(3):
        (alert,) = open_alerts(session)
        resolve(session, alert)
        pass_time(session, LASTING + 1)

    assert len(fired(session)) == 4


def test_an_alert_that_was_resolved_is_left_alone_once_its_trouble_is_over(session: Session) -> None:
    pass_time(session, 51)
    (alert,) = open_alerts(session)
    resolve(session, alert)
    pass_time(session, 30)

    assert open_alerts(session) == []
    assert len(fired(session)) == 1


def test_an_alert_that_stays_open_fires_once(session: Session) -> None:
    (alert,) = open_alerts(session)
    session.call("ops_acknowledge_alert", {"alert": alert})
    session.call("ops_add_alert_note", {"alert": alert, "text": "looking"})
    pass_time(session, 20)

    assert open_alerts(session) == [alert]
    assert len(fired(session)) == 1
