"""Work is ended by whoever cancels it, whenever that is."""

import pytest

from brownout.core.cancel_token import Cancelled, CancelToken


def test_what_was_cancelled_before_is_not_begun() -> None:
    token = CancelToken()
    token.cancel()

    with pytest.raises(Cancelled), token.ending(lambda: None):
        pytest.fail("begun")


def test_what_is_cancelled_meanwhile_is_ended_whatever_it_comes_to() -> None:
    token = CancelToken()
    ended: list[str] = []

    with pytest.raises(Cancelled), token.ending(lambda: ended.append("ended")):
        token.cancel()
        raise ValueError("what ending it did to it")

    assert ended == ["ended"]


def test_what_is_done_is_not_ended() -> None:
    token = CancelToken()

    with token.ending(lambda: pytest.fail("ended")):
        pass
    token.cancel()

    assert token.is_cancelled
