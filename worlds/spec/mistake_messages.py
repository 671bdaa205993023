"""What the models find wrong with a value, in an author's words."""

from collections.abc import Callable, Mapping
from typing import Final

from brownout.core.vocabulary import near

__all__ = ["plain", "shown"]

_Found = Mapping[str, object]

_MOST_SHOWN: Final = 200
_NAME: Final = r"^[a-z][a-z0-9-]*$"
_PATTERNS: Final = {
    _NAME: "expected a short name of lower-case letters, digits and hyphens",
    r"^[a-z][a-z0-9_]*$": "expected a short name of lower-case letters, digits and underscores",
    r"^[a-z0-9.-]+\.test$": "expected a domain that ends in .test, so that nothing leaves",
    r"^[^@\s]+@[a-z0-9.-]+\.test$": "expected a mail address below .test, so that nothing leaves",
}


def _least(what: str) -> Callable[[_Found], str]:
    return lambda found: f"expected at least {found.get('min_length', 1)} {what}"


def _bound(limit: object) -> object:
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit


_WHOLE, _TEXT, _LIST, _MAPPING = (
    "expected a whole number",
    "expected a text",
    "expected a list",
    "expected a mapping of words to values",
)
_PLAIN: Final[Mapping[str, str | Callable[[_Found], str]]] = {
    "int_parsing": _WHOLE,
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "float_parsing": "expected a number",
    "float_type": "expected a number",
    "bool_parsing": "expected true or false",
    "bool_type": "expected true or false",
    "string_type": _TEXT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _MAPPING,
    "mapping_type": _MAPPING,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "too_short": _least("entry"),
    "string_too_short": "expected a text that is not empty",
    "greater_than_equal": lambda found: f"expected at least {_bound(found.get('ge'))}",
    "greater_than": lambda found: f"expected more than {_bound(found.get('gt'))}",
    "less_than_equal": lambda found: f"expected at most {_bound(found.get('le'))}",
    "less_than": lambda found: f"expected less than {_bound(found.get('lt'))}",
    "literal_error": lambda found: f"expected {found.get('expected')}",
    "string_pattern_mismatch": lambda found: _PATTERNS.get(
        str(found.get("pattern")), f"expected a text like {found.get('pattern')}"
    ),
}
"""By pydantic's name for what is wrong, what was expected, given the limits that it was checked against."""


def plain(detail: _Found) -> str:
    """What was expected, what was found and what was probably meant."""
    kind, given = str(detail["type"]), detail.get("input")
    if kind == "value_error":
        return str(detail["msg"]).removeprefix("Value error, ")
    expected = _PLAIN.get(kind)
    ctx = detail.get("ctx")
    limits: _Found = ctx if isinstance(ctx, Mapping) else {}
    text = str(detail["msg"]) if expected is None else expected if isinstance(expected, str) else expected(limits)
    if kind == "too_short":
        return f"{text}, found {limits.get('actual_length', 0) or 'none'}"
    options = [part.strip("'") for part in str(limits.get("expected", "")).replace(" or ", ", ").split(", ")]
    return f"{text}, found {shown(given)}" + (near(given, options) if isinstance(given, str) else "")


def shown(given: object) -> str:
    """What was found instead: `nothing`, `a list`, `'soon'`; a long text as it begins."""
    match given:
        case None:
            return "nothing"
        case dict() | list() | tuple():
            return f"a {'mapping' if isinstance(given, dict) else 'list'}"
        case str() if len(given) > _MOST_SHOWN:
            return f"{given[:_MOST_SHOWN]!r} …"
        case _:
            return repr(given)
