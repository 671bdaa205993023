"""How people speak of fault modes: each says it itself."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from brownout.core.faults import ModeWords
from brownout.core.plugins import is_built_in, plugin_names
from brownout.engine import outages
from brownout.engine.outages import load_mode, words_of


def _built_in() -> Iterator[str]:
    return (name for name in plugin_names("faults") if is_built_in("faults", name))


def test_every_mode_of_ours_says_how_people_speak_of_it() -> None:
    spoken = {name: words_of(name) for name in _built_in()}
    assert len(spoken) >= 9
    assert all(getattr(load_mode(name), "words", None) == words for name, words in spoken.items())
    assert len({words.said for words in spoken.values()}) == len(spoken)
    assert len({words.badge for words in spoken.values()}) == len(spoken)


def test_a_strangers_mode_is_spoken_of_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    own = ModeWords("loses packets", "Losing packets", "packet loss", "errors")
    monkeypatch.setattr(outages, "load_mode", lambda name: SimpleNamespace(words=own))
    assert words_of("packet_loss") == own


def test_a_mode_without_words_and_one_that_is_not_installed_are_called_by_their_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert words_of("packet_loss") == ModeWords("packet loss", "Packet loss")
    monkeypatch.setattr(outages, "load_mode", lambda name: SimpleNamespace())
    assert words_of("packet_loss") == ModeWords("packet loss", "Packet loss")
