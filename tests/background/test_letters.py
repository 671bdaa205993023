"""Letters to everybody: what is below a subject belongs to it, and numbers are of a size."""

import re

from brownout.background.desk_hours import day_of, day_start
from brownout.background.life_sources import Life
from brownout.background.machine_mails import letters
from brownout.background.matter_steps import MatterStep
from generators.background.outside_senders import read_letters
from tests.background.lives import START, life_of_people


def _life() -> Life:
    return life_of_people(30).model_copy(
        update={"volumes": {"machines": 3000}, "apps": {"mails": "mail"}, "letters": read_letters(), "inboxes": tuple(f"p{n:02d}" for n in range(30))}
    )  # fmt: skip


def _sent() -> list[MatterStep]:
    life = _life()
    first = day_of(START, life.zone)
    return [step for day in range(first, first + 28) for step in letters(life, day, day_start(day, life.zone))]


def test_no_slot_is_left_and_every_number_is_of_its_range() -> None:
    sent = _sent()
    said = [f"{step.intent.subject}\n{step.intent.text}" for step in sent]
    percents = [int(found) for text in said for found in re.findall(r"within (\d+) percent", text)]

    assert len(said) > 200
    assert not [text for text in said if "{" in text]
    assert percents
    assert max(percents) <= 14


def test_an_item_comes_only_below_a_subject_that_it_is_written_for() -> None:
    together = {
        (sender.short, subject.split("{")[0], item.split("{")[0])
        for sender in read_letters()
        for issue in sender.issues
        for subject in issue.subject
        for item in issue.items
    }
    for step in _sent():
        for item in re.findall(r"^- (.*)$", step.intent.text, re.M):
            assert any(
                step.intent.who == short and step.intent.subject.startswith(subject) and item.startswith(start)
                for short, subject, start in together
            ), (step.intent.subject, item)


def test_a_weekly_letter_is_the_same_for_everybody_and_counts_on() -> None:
    weekly = {one.short for one in read_letters() if one.weekly}
    found: dict[int, set[str]] = {}
    for step in _sent():
        if step.intent.who in weekly:
            found.setdefault(day_of(step.at, "Europe/Berlin") // 7, set()).add(step.intent.subject)

    assert len(found) >= 3
    assert all(len(subjects) == 1 for subjects in found.values())
    numbers = [int(re.findall(r"\d+", next(iter(found[week])))[0]) for week in sorted(found)]
    assert numbers == [numbers[0] + place for place in range(len(numbers))]


def test_nobody_gets_two_letters_of_one_sender_on_a_day() -> None:
    got = [(step.intent.who, step.intent.to, day_of(step.at, "Europe/Berlin")) for step in _sent()]

    assert len({*got}) == len(got)
