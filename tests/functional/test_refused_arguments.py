"""A call that cannot be read costs its agent no work, only the moment that it takes to be told so."""

from collections.abc import Iterator

import pytest

import brownout
from brownout.core.calls import ToolCall
from brownout.core.instants import SECOND
from brownout.engine.session import Session


@pytest.fixture
def session() -> Iterator[Session]:
    with brownout.open_session("tiny", task="mend-the-help-page") as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("slack_read_thread", "did you mean 'channel'?"),
        ("slack_red_thread", "did you mean 'slack_read_thread'?"),
        ("wait", "no argument 'chanel'"),
    ],
)
def test_it_takes_a_second(session: Session, name: str, hint: str) -> None:
    before = session.now
    answer = session.call(name, {"chanel": "#ops"})

    assert answer.is_error
    assert hint in answer.content
    assert session.now - before == SECOND


def test_a_turn_with_one_call_that_is_made_takes_its_time(session: Session) -> None:
    before = session.now
    wrong, right = session.turn(
        [ToolCall("slack_read_thread", {}, "a"), ToolCall("slack_read_channel", {"channel": "#ops"}, "b")]
    )

    assert (wrong.is_error, right.is_error) == (True, False)
    assert session.now - before == session.setting.turn_cost + SECOND
