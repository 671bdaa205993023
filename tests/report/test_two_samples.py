from hashlib import blake2b

from benchmarks.realism import held_out
from benchmarks.two_samples import separability


def _drawn(salt: str, shift: float) -> list[tuple[float, float]]:
    """200 rows of two numbers that look drawn, the same every time."""
    found = (blake2b(f"{salt}/{place}".encode(), digest_size=2).digest() for place in range(200))
    return [(one[0] / 256 + shift, one[1] / 256) for one in found]


def test_rows_of_one_kind_cannot_be_told_apart() -> None:
    assert 0.4 < separability(_drawn("a", 0), _drawn("b", 0)) < 0.6


def test_rows_that_are_shifted_can() -> None:
    assert separability(_drawn("a", 0), _drawn("b", 1)) > 0.99
    assert 0.6 < separability(_drawn("a", 0), _drawn("b", 0.2)) < 0.95


def test_the_held_out_rows_are_whole() -> None:
    found = held_out()

    assert {name: len(rows) for name, rows in found.items()} == {"racket": 1500, "elmlang": 1500, "clojurians": 1500}
    assert all(len(row) == 6 for rows in found.values() for row in rows)
