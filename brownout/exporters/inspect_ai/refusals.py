"""How Inspect is told that something cannot be done here: it prints the reason, and no traceback."""
# mypy: disable-error-code="import-not-found"

from inspect_ai._util.error import PrerequisiteError

__all__ = ["refusal"]


def refusal(reason: object) -> Exception:
    """The error to raise. Inspect prints its text, in which it finds no markup of its own."""
    error: Exception = PrerequisiteError(str(reason).replace("[", r"\["))
    return error
