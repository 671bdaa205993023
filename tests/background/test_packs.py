"""Phrase packs: what is shipped has no mistake, and a mistake is told with its line."""

from collections import Counter
from pathlib import Path

import pytest

from brownout.background.packs import Pack
from brownout.core.errors import AuthoringError
from generators.background.pack_files import pack_mistakes, packs_folder, read_packs, read_work_packs

GOOD = """\
area: kitchen
words:
  dish: [the soup, the pie]
short:
  ack: |
    ok
    fine
joints: [", "]
subjects:
  food:
    acts:
      report:
        heads: |
          {dish} is on the stove
          {dish} is cold again
        tails: |
          it needs salt
          I can't look now
prose:
  - {subject: food, act: report, text: "one two three four five six seven eight nine ten eleven twelve thirteen {dish} fourteen fifteen"}
"""


def _mistakes(folder: Path, text: str) -> list[tuple[int, str]]:
    path = folder / "kitchen.yaml"
    path.write_text(text)
    return [(mistake.line, mistake.message) for mistake in pack_mistakes(path)]


def test_the_shipped_packs_have_no_mistake() -> None:
    assert len(read_packs()) >= 6
    assert len(read_work_packs()) >= 2
    assert all(path.stem in {pack.area for pack in read_packs()} for path in packs_folder().glob("*.yaml"))


def test_every_form_of_a_ticket_has_exchanges_for_what_may_happen_to_it() -> None:
    for pack in read_work_packs():
        for symptom in pack.symptoms:
            said = Counter(
                one.when
                for one in pack.exchanges
                if (not one.types or symptom.type in one.types) and (not one.of or not {*one.of}.isdisjoint(symptom.of))
            )
            assert said["asked"] > 1, symptom.title
            assert min(said[when] for when in ("blocked", "handed", "fixed", "dropped", "reopened")) > 0, symptom.title


def test_a_good_pack_has_none(tmp_path: Path) -> None:
    assert _mistakes(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("{dish} is cold", "{dihs} is cold", 15, "did you mean 'dish'?"),
        ("{dish} is cold", "{customer} is cold", 2, "customer is used"),
        ("I can't look", "Nobody can look", 18, "expected a small letter"),
        ("    fine\n", "    fine with me as far as I know\n", 7, "at most 5 words"),
        ("{dish} is cold again", "{dish} is on the stove", 15, "stands twice"),
        ("act: report, text", "act: ask, text", 20, "food has no ask"),
        ("subject: food", "subject: fool", 20, "did you mean 'food'?"),
        ("      report:", "      answer:", 10, "nothing begins a conversation"),
        ("  dish: [", "  unused: [a]\n  dish: [", 3, "nothing in this pack has the slot unused"),
        ("joints: [", "joint: [", 8, "joint"),
        ("fourteen fifteen", "", 20, "expected more than 15 words"),
        ("area: kitchen", "area: [", 3, "broken YAML"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, told: str) -> None:
    assert old in GOOD
    found = _mistakes(tmp_path, GOOD.replace(old, new, 1))

    assert any(told in message for _, message in found), found
    assert line in [place for place, message in found if told in message], found


WIDE = """\
area: kitchen
words:
  tool: [the spoon]
pastes:
  - {act: report, subjects: [food], text: "{dish}: {n} {tool} by {clock_ahead}"}
pages: ["https://soup.example/{id}"]
"""


def _with_wide(folder: Path, text: str) -> tuple[Pack, ...]:
    for name, content in (("talk", GOOD), ("wide", text)):
        (folder / name).mkdir()
        (folder / name / "kitchen.yaml").write_text(content)
    return read_packs(folder / "talk")


def test_what_goes_with_every_subject_joins_its_pack(tmp_path: Path) -> None:
    [pack] = _with_wide(tmp_path, WIDE)

    assert [paste.subjects for paste in pack.pastes] == [("food",)]
    assert pack.pages == ("https://soup.example/{id}",)
    assert {*pack.words} == {"dish", "tool"}


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("area: kitchen", "area: kitchne", 1, "did you mean 'kitchen'?"),
        ("{clock_ahead}", "{clock_ahed}", 5, "did you mean 'clock_ahead'?"),
        (
            "{clock_ahead}",
            "{clock}",
            5,
            "'clock' does not say when it is: expected clock_ahead or clock_past or clock_any",
        ),
        ("{dish}: {n} {tool}", "{dish}: {n", 5, "expected slots as {word}"),
        ("subjects: [food]", "subjects: [fodo]", 5, "did you mean 'food'?"),
        ("tool: [", "dish: [the soup]\n  tool: [", 3, "words for dish already"),
        ("tool: [", "pan: [the pan]\n  tool: [", 3, "nothing here has the slot pan"),
    ],
)
def test_a_mistake_in_it_is_told_with_its_line(tmp_path: Path, old: str, new: str, line: int, told: str) -> None:
    assert old in WIDE
    with pytest.raises(AuthoringError) as caught:
        _with_wide(tmp_path, WIDE.replace(old, new, 1))

    assert any(told in mistake.message and mistake.line == line for mistake in caught.value.mistakes), caught.value
