from brownout.engine.shared_state import SharedTexts


def test_equal_long_texts_are_one_object() -> None:
    texts = SharedTexts()
    first = texts.same("".join(["a long answer "] * 50))
    assert texts.same("".join(["a long answer "] * 50)) is first
    assert texts.same("".join(["another answer "] * 50)) is not first


def test_only_so_much_is_remembered() -> None:
    texts = SharedTexts()
    first = texts.same("0" * 1_000_000)
    for digit in "12345":
        assert texts.same(digit * 1_000_000) == digit * 1_000_000
    again = "0" * 999_999 + "0"
    assert texts.same(again) == first
    assert sum(map(len, texts._known)) == texts._held <= 4 << 20
