"""What of a long output is seen."""

import pytest

from tools.terminal.cut_output import MOST_CHARACTERS, MOST_LINES, screen_of


@pytest.mark.parametrize("text", ["", "a\n", "x" * MOST_CHARACTERS, "\n" * MOST_LINES])
def test_what_fits_is_shown_as_it_is(text: str) -> None:
    screen = screen_of(text)

    assert (screen.text, screen.is_cut) == (text, False)


def test_of_many_lines_the_first_and_the_last_are_shown_and_the_rest_is_counted() -> None:
    screen = screen_of("".join(f"{number}\n" for number in range(1, 5001)))
    lines = screen.text.splitlines()

    assert screen.is_cut
    assert lines[:500] == [str(number) for number in range(1, 501)]
    assert lines[501:] == [str(number) for number in range(4501, 5001)]
    assert lines[500].startswith("[... 4,000 lines, ")


def test_of_one_long_line_the_beginning_and_the_end_are_shown() -> None:
    screen = screen_of("a" * 50_000 + "b" * 50_000)

    assert screen.is_cut
    assert screen.text.startswith("a" * 15_000 + "\n[... 0 lines, 70,000 characters left out")
    assert screen.text.endswith("]\n" + "b" * 15_000)
