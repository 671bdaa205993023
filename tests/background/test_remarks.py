"""Remarks of pools that many share: a long one is said once by each person, whatever the week."""

from collections import Counter

from brownout.background.remarks import Remarks

LONG = [
    *(f"why {slot}?" for slot in ("{place}", "{thing}")),
    *(f"this is remark number {number} of the pool" for number in range(40)),
]
FREE = ["fine by me", "looks right to me"]


def test_everybody_may_say_each_long_remark_in_one_week_and_the_others_always() -> None:
    remarks = Remarks(3, 20_000, 20_000 + 10 * 7)
    weeks = [remarks.of_week(20_000 + 7 * number) for number in range(10)]
    may = {who: Counter(one for week in weeks for one in week.left(who, [*LONG, *FREE])) for who in ("ida", "tomas")}

    for counts in may.values():
        assert counts == Counter(LONG) + Counter(FREE * 10)
    assert weeks[3].left("ida", LONG) != weeks[3].left("tomas", LONG)


def test_what_is_said_is_gone_for_whoever_said_it() -> None:
    week = Remarks(3, 0, 7).of_week(0)
    week.say("ida", LONG[0])
    week.say("ida", FREE[0])

    assert LONG[0] not in week.left("ida", LONG)
    assert week.left("ida", FREE) == FREE
    assert week.left("tomas", LONG) == LONG
