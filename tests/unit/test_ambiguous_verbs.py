"""A verb that two of a world's apps have is refused with the cure, never given to the first of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import brownout
from brownout.core.errors import AuthoringError
from brownout.engine.simulation_setting import load_app

BEAT = """
facts: {}
beats:
  two-trackers:
    at: 2026-03-10 10:00
    who: priya
    opens: {%s project: BOX, title: "Which tracker takes this", text: "One of two."}
"""


@pytest.fixture
def _two_trackers() -> Iterator[None]:
    """`docs` has jira's verb too."""
    app = load_app("docs")
    verbs = app.verbs
    object.__setattr__(app, "verbs", verbs | {"opens"})
    yield
    object.__setattr__(app, "verbs", verbs)


def _mistakes(folder: Path, via: str) -> str:
    (folder / "storylines" / "two-trackers.yaml").write_text(BEAT % via)
    with pytest.raises(AuthoringError) as caught:
        brownout.build(folder, out=folder.parent / "package")
    return str(caught.value)


@pytest.mark.usefixtures("_two_trackers")
def test_validate_says_which_apps_take_it_and_how_to_name_one(spec_folder: Path) -> None:
    found = _mistakes(spec_folder, "")
    assert "opens: jira and docs of this world both take it" in found or "docs and jira of this world both" in found
    assert "via: " in found


@pytest.mark.usefixtures("_two_trackers")
def test_one_that_is_named_takes_it(spec_folder: Path) -> None:
    found = _mistakes(spec_folder, "via: jira,")
    assert "two-trackers" not in [line for line in found.splitlines() if "both take it" in line]
    assert not any("both take it" in line and "two-trackers.yaml" in line for line in found.splitlines())
