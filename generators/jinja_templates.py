"""How templates become text: jinja2 with delimiters of its own, since `{{slot}}` belongs to the world's author."""

import json
from collections.abc import Mapping
from types import FrameType
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateError, TemplateSyntaxError

from brownout.core.errors import AuthoringError, Mistake, UsageError
from worlds.editing.quotation_marks import stands_plain

__all__ = ["environment", "quoted", "rendered"]


def environment(loader: BaseLoader) -> Environment:
    """Templates with `<< value >>`, `<% block %>` and `<# comment #>`; a value that there is not is an error.

    `| q` writes a text as YAML reads it back, `| indented(4)` puts further lines of it below each other.
    """
    found = Environment(
        loader=loader,
        undefined=StrictUndefined,
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    found.filters |= {"q": quoted, "indented": indented}
    return found


def rendered(templates: Environment, place: str, shown: str, values: Mapping[str, Any]) -> str:
    """A template's text.

    Args:
        place: the template's path, as its loader knows it.
        shown: its path as messages call it.

    Raises:
        AuthoringError: the template does not come out, with file and line.
    """
    try:
        return templates.get_template(place).render(values)
    except TemplateSyntaxError as error:
        raise AuthoringError([Mistake(shown, error.lineno, str(error))]) from error
    except (TemplateError, UsageError, LookupError, TypeError, ValueError) as error:
        lines = [line for frame, line in _frames(error) if frame.f_code.co_filename.endswith(place)]
        raise AuthoringError([Mistake(shown, lines[-1] if lines else 0, f"{type(error).__name__}: {error}")]) from error


def _frames(error: BaseException) -> list[tuple[FrameType, int]]:
    found, frame = [], error.__traceback__
    while frame is not None:
        found.append((frame.tb_frame, frame.tb_lineno))
        frame = frame.tb_next
    return found


def quoted(value: object) -> str:
    """A value in YAML on one line: plain where that is read as the same text, else between quotation marks."""
    if isinstance(value, str):
        return value if stands_plain(value, flow=True, is_key=False) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return f"[{', '.join(quoted(part) for part in value)}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(name)}: {quoted(part)}" for name, part in value.items()) + "}"
    return json.dumps(value)


def indented(text: str, width: int) -> str:
    """A text of several lines as it stands in a block: all lines but the first so many blanks in."""
    return text.strip("\n").replace("\n", "\n" + " " * width)
