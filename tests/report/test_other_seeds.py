"""What two seeds both say, and what there is more of while something is broken."""

from benchmarks.other_seeds import SharedTexts, shared_texts
from benchmarks.outage_surges import Surge, surges
from brownout.core.instants import DAY, HOUR, MINUTE
from tests.report.made import MONDAY, company, said, ticket
from worlds.package import Outage


def test_texts_of_six_words_that_both_say_and_no_author_wrote_are_shared() -> None:
    one = company(
        said("ann", 0, "the import of the north site failed"),
        said("ann", 1, "The import of the  north site failed"),
        said("bob", 2, "somebody moved my desk over the weekend"),
        said("bob", 3, "the author wrote this for every seed"),
        said("bob", 4, "yes"),
        said("bot", 5, "a machine says this in every world"),
    )
    other = company(*one.messages, said("cat", 9, "Somebody moved my desk over the weekend"))
    only = company(said("cat", 0, "the import of the north site failed"), said("cat", 1, "yes"))
    authored = {"the author wrote this for every seed"}

    assert shared_texts(one, other, authored) == [SharedTexts("", 2, 2), SharedTexts("chat", 2, 2)]
    assert shared_texts(one, only, authored) == [SharedTexts("", 2, 1), SharedTexts("chat", 2, 1)]


def test_an_outage_is_compared_with_the_same_hours_of_workdays_on_which_nothing_breaks() -> None:
    monday = 7 * 24 * 60
    people = company(
        *(said("ann", monday + minute) for minute in (10, 20, 70)),
        said("ann", monday + 130),
        *(said("ann", monday + day * 24 * 60 + 5) for day in (1, 2, 5)),
        ticket("A-1", days=7),
        causes={f"chat:#all/{MONDAY + (monday + 20) * MINUTE}/ann": "outage/out/asked.#all"},
    )
    broken = Outage(name="out", target="chat", mode="down", start=MONDAY + 7 * DAY, lasts=HOUR, announced=None)
    wednesday = broken.model_copy(update={"name": "later", "start": broken.start + 2 * DAY if broken.start else None})
    weeks_later = broken.model_copy(update={"name": "not yet", "start": MONDAY + 60 * DAY})
    found = [one for one in surges(people, [broken, wednesday, weeks_later]) if one.outage == "out"]

    # Tuesday's message is said then, Wednesday's does not count, Saturday is no workday
    days = 14
    assert found == [
        Surge("out", "messages about it", 1, 0),
        Surge("out", "messages", 3, 1 / days),
        Surge("out", "mails", 0, 0),
        Surge("out", "tickets", 1, 0),
        Surge("out", "mails from outside", 0, 0),
    ]
    assert {one.outage for one in surges(people, [broken, wednesday, weeks_later])} == {"out", "later"}
