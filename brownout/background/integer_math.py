"""Logarithms, powers and normal draws in integers: floating-point ones differ between processors."""

from collections.abc import Sequence
from functools import cache
from typing import Final

__all__ = ["ONE", "at_points", "at_rank", "exponential", "minus_log", "mixed", "power", "rank_of"]

ONE: Final = 1 << 16
"""What stands for 1 in fixed point."""
_STEPS: Final = 256
_REACH: Final = 8000
_MASK: Final = (1 << 64) - 1


@cache
def _logs() -> tuple[int, ...]:
    """ln(1 + i / 256) in 1 / 65,536, for i from 0 to 256, by squaring."""
    ln2 = 45_426
    found = []
    for step in range(_STEPS):
        value, bits = ((_STEPS + step) << 40) // _STEPS, 0
        for _ in range(24):
            value = (value * value) >> 40
            bits <<= 1
            if value >> 41:
                bits |= 1
                value >>= 1
        found.append((bits * ln2) >> 24)
    return (*found, ln2)


def minus_log(bits: int) -> int:
    """-ln of (bits + 1) / 2^64 in 1 / 65,536: an exponential draw from 64 random bits."""
    value = bits + 1
    whole = value.bit_length() - 1
    rest = (value << 16 >> whole) - ONE  # of the mantissa, 16 bits
    table, index = _logs(), rest >> 8
    log = table[index] + (((table[index + 1] - table[index]) * (rest & 255)) >> 8)
    return max((64 - whole) * 45_426 - log, 1)


@cache
def _powers() -> tuple[int, ...]:
    """e^(i / 100) in 1 / 65,536 for i from -800 to 800."""
    step, below = 18_632_136_933_809_219_535, 18_263_195_903_389_592_620  # e^.01 and e^-.01 in 1 / 2^64
    up, down = [1 << 64], [1 << 64]
    for _ in range(_REACH // 10):
        up.append((up[-1] * step) >> 64)
        down.append((down[-1] * below) >> 64)
    return tuple(value >> 48 for value in (*down[:0:-1], *up))


def power(thousandths: int) -> int:
    """e^(thousandths / 1000) in 1 / 65,536, at least 1; beyond +-8 as at 8."""
    place = min(max(thousandths + _REACH, 0), 2 * _REACH - 1)
    table, index = _powers(), place // 10
    return max(table[index] + (table[index + 1] - table[index]) * (place % 10) // 10, 1)


def exponential(bits: int, weight: int) -> int:
    """How long somebody of that weight takes in an exponential race; the least wins."""
    return (minus_log(bits) << 16) // weight


def at_rank(table: Sequence[int], rank: int) -> int:
    """The value of a table of evenly spaced quantiles at a rank of 0 to 65,535, interpolated."""
    position = rank * (len(table) - 1)
    index, rest = position >> 16, position & 0xFFFF
    return table[index] + (((table[index + 1] - table[index]) * rest + 0x8000) >> 16)


def at_points(points: Sequence[tuple[int, int]], rank: int) -> int:
    """The value at a rank of 0 to 65,535, interpolated between points of percent and value, from 0 to 100."""
    place = rank * 100
    after = next(number for number, (percent, _) in enumerate(points) if place < percent << 16)
    (low, first), (high, last) = points[after - 1], points[after]
    return first + ((last - first) * (place - (low << 16)) // (high - low) + 0x8000 >> 16)


def rank_of(cumulative: Sequence[int], thousandths: int) -> int:
    """The rank of a normal value in thousandths; `cumulative` is its distribution from -4 to 4 by 1 / 50."""
    place = min(max(thousandths + 4000, 0), 20 * (len(cumulative) - 1) - 1)
    index, rest = place // 20, place % 20
    return min(cumulative[index] + (cumulative[index + 1] - cumulative[index]) * rest // 20, ONE - 1)


def mixed(one: int, other: int) -> int:
    """64 bits that two numbers of 64 bits determine: a draw for each pair without a stream for each."""
    value = (one ^ (other * 0x9E3779B97F4A7C15)) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)
