"""What is wrong with the fields of a value, without what was given: that may be long, or a secret."""

from pydantic import ValidationError

__all__ = ["wrong_fields"]

_MOST = 10


def wrong_fields(error: ValidationError) -> list[str]:
    """`place: what is wrong` for each mistake, the first ten; without a place where it is about the whole."""
    found = error.errors(include_url=False, include_context=False, include_input=False)[:_MOST]
    return [": ".join(part for part in (".".join(map(str, one["loc"])), _told(one["msg"])) if part) for one in found]


def _told(message: str) -> str:
    return message.removeprefix("Value error, ")  # pydantic's, before words of a validator of ours
