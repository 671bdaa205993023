"""The extras: what is installed only for those who ask for it, and what to say where it is missing."""

from importlib.util import find_spec
from typing import Final

from brownout.core.errors import MissingExtra

__all__ = ["EXTRAS", "extra_of", "missing_extra", "need_extra"]

EXTRAS: Final = {
    "studio": ("streamlit", "altair", "starlette"),
    "llm": ("litellm",),
    "serve": ("starlette", "uvicorn"),
}
"""What each of them installs, by the names that are imported."""


def extra_of(error: BaseException) -> str:
    """The extra that a failed import asks for, empty where it is none of them."""
    top = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    return next((extra for extra, modules in EXTRAS.items() if top in modules), "")


def missing_extra(what: str, extra: str) -> MissingExtra:
    """The error that says what needs an extra, and how to install it."""
    modules = EXTRAS[extra]
    named = ", ".join(modules[:-1]) + " and " + modules[-1] if len(modules) > 1 else modules[0]
    return MissingExtra(f"{what} needs {named}: pip install 'brownout[{extra}]'")


def need_extra(what: str, extra: str) -> None:
    """Return if an extra is installed; nothing is imported.

    Raises:
        MissingExtra: it is not.
    """
    if not all(_is_installed(module) for module in EXTRAS[extra]):
        raise missing_extra(what, extra)


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
