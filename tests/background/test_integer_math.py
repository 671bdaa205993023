"""Logarithms, powers and ranks in integers."""

from collections.abc import Iterable
from math import exp, log

import pytest

from brownout.background.dealer import Dealer, permuted
from brownout.background.integer_math import ONE, at_rank, minus_log, mixed, power


@pytest.mark.parametrize("bits", [0, 1, 2**20, 2**40 + 12_345, 2**63, 2**63 + 2**62, 2**64 - 1])
def test_a_logarithm_is_right_to_three_decimals(bits: int) -> None:
    assert abs(minus_log(bits) / ONE + log((bits + 1) / 2**64)) < 0.001


@pytest.mark.parametrize("thousandths", [-7990, -3007, -10, 0, 5, 693, 4242, 7999])
def test_a_power_is_right_to_a_part_in_a_thousand_or_the_last_digit(thousandths: int) -> None:
    assert abs(power(thousandths) - ONE * exp(thousandths / 1000)) <= max(2, ONE * exp(thousandths / 1000) / 1000)


def test_ranks_reach_both_ends_of_a_table() -> None:
    table = (3, 5, 5, 90)
    found = [at_rank(table, rank) for rank in range(0, ONE, 7)]

    assert found == sorted(found)
    assert (found[0], at_rank(table, ONE - 1)) == (3, 90)


def test_a_draw_for_a_pair_changes_with_either() -> None:
    assert len({mixed(one, other) for one in range(50) for other in range(50)}) == 2500


@pytest.mark.parametrize("size", [1, 2, 3, 17, 64, 1000])
def test_a_permutation_gives_everything_once(size: int) -> None:
    assert sorted(permuted(index, size, 42) for index in range(size)) == [*range(size)]


MONDAY = 20_514


def _dealt(day: int, size: int, wishes: Iterable[int], *, days: int = 14) -> list[int]:
    dealer = Dealer(7, MONDAY + day, MONDAY, MONDAY + days)
    found = [dealer.take("greetings", size, wish, lambda place: True) for wish in wishes]
    return [place for place in found if place is not None]


def test_a_calendar_is_dealt_every_card_once() -> None:
    found = [place for day in range(14) for place in _dealt(day, 100, range(100))]

    assert sorted(found) == [*range(100)]


def test_a_busy_day_has_more_of_a_deck_than_a_quiet_one() -> None:
    tuesday, saturday = (len(_dealt(day, 1000, range(1000))) for day in (1, 5))

    assert tuesday > 3 * saturday > 0


def test_a_day_outside_the_calendar_has_nothing() -> None:
    assert _dealt(-1, 100, range(100)) == _dealt(14, 100, range(100)) == []


def test_who_asks_later_changes_nothing_for_those_before() -> None:
    assert _dealt(2, 900, (5, 5, 2**60, 17)) == _dealt(2, 900, (5, 5, 2**60, 17, 5, 99))[:4]


def test_only_what_fits_is_dealt() -> None:
    dealer = Dealer(7, MONDAY, MONDAY, MONDAY + 1)
    found = [dealer.take("greetings", 20, wish, lambda place: place % 2 == 0) for wish in range(11)]

    assert sorted(place for place in found if place is not None) == [*range(0, 20, 2)]
    assert found[-1] is None
