"""What was being done when something failed that nobody foresaw, in the words of the author's world: notes that the error carries."""

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["doing", "notes_of"]


@contextmanager
def doing(what: str) -> Iterator[None]:
    """A block whose errors carry what was being done in it: `what is said of the outage slack-out`.

    The innermost block's words come first. An error that has a message for the author keeps it; notes are beside it.
    """
    try:
        yield
    except Exception as error:
        error.add_note(what)
        raise


def notes_of(error: BaseException) -> list[str]:
    """What was being done, the innermost first; empty where nothing is known of it."""
    return list(dict.fromkeys(getattr(error, "__notes__", [])))
