"""Logarithms, powers and ranks in integers."""

from math import exp, log

import pytest

from brownout.background.dealing import Dealer, permuted
from brownout.background.numbers import ONE, at_rank, minus_log, mixed, power


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


def test_a_day_is_dealt_no_pair_twice_while_there_are_others() -> None:
    dealer = Dealer(7, 3, 10)
    found = [dealer.pair("greetings", 100, wish) for wish in (5, 5, 5, 99, 2**60, *range(95))]

    assert sorted(found) == [*range(100)]


def test_days_are_dealt_from_slices_of_their_own() -> None:
    dealt = [{Dealer(7, day, 10).pair("greetings", 1000, wish) for wish in range(100)} for day in range(10)]

    assert len(set.union(*dealt)) == 1000


def test_a_single_card_comes_once_in_a_world() -> None:
    found = []
    for day in range(30):
        dealer = Dealer(1, day, 30)
        while (card := dealer.single("passages", 12)) is not None:
            found.append(card)

    assert sorted(found) == [*range(12)]
