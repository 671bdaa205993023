"""Who is called in a text."""

import pytest

from brownout.core.mentions import called


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@mara, please look", ["mara"]),
        ("one\n@daniel-k two (@mara) @daniel-k.", ["daniel-k", "mara"]),
        ("mara@larkspur.test and https://x.test/@mara are no calls", []),
        ("<@U0123> is one already", []),
        ("", []),
    ],
)
def test_names_behind_an_at_are_called(text: str, names: list[str]) -> None:
    assert called(text) == names
