"""The names that users rely on."""

import brownout


def test_the_facade_has_exactly_these_names() -> None:
    assert brownout.__all__ == sorted(brownout.__all__)
    for name in brownout.__all__:
        assert getattr(brownout, name) is not None, name
    for name in ("build", "open_package", "open_session", "open_world"):
        assert name in brownout.__all__
