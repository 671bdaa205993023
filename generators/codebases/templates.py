"""Reads the template of a code base from its folder: history, bugs, and files that show themselves step by step."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import jinja2

from brownout.core.errors import AuthoringError, BrownoutError
from brownout.core.vocabulary import near
from generators.codebases.nouns import capitalised, class_name, with_article
from generators.codebases.reflowed_text import filled, imports_sorted
from generators.codebases.template_files import BugText, CommitEntry, TemplateHistory
from generators.data_files import read_data
from generators.jinja_templates import environment

__all__ = ["CodebaseError", "CodebaseTemplate", "codebase_bugs", "codebase_names", "read_template"]

_ROOM: Final = Path(__file__).parent
_SUFFIX: Final = ".j2"
_DOCUMENT_WIDTH: Final = 88
_BARE_ARTICLE: Final = re.compile(r"\b[Aa]n? <<\w+>>")
_NOUN: Final = re.compile(r"{(\w+)}")

Read = TypeVar("Read")


class CodebaseError(BrownoutError):
    """A code base cannot be rendered: there is no such template, it is wrong, or what was asked for does not fit."""


class CodebaseTemplate:
    """A template in its folder: `history.yaml`, `bugs.yaml`, `files/**.j2` and `hidden/test_*.py.j2`.

    Attributes:
        history: the entries, oldest first.
        bugs: by name.
    """

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.history = _read(folder / "history.yaml", TemplateHistory)
        self.bugs = _read(folder / "bugs.yaml", dict[str, BugText])
        self._environment = environment(jinja2.BaseLoader())
        self._environment.filters |= {
            "a": with_article,
            "cap": capitalised,
            "cls": class_name,
        }
        self._files = self._sources(folder / "files")
        self._hidden = self._sources(folder / "hidden")
        self._check()

    def text(self, source: str, context: Mapping[str, object]) -> str:
        """A short text of the history, with its nouns.

        Raises:
            CodebaseError: it asks for what there is not.
        """
        return self._rendered(self._environment.from_string(source), context, source)

    def files(self, context: Mapping[str, object]) -> dict[str, bytes]:
        """The checkout at the steps that the context has as `at`; a file without text is not there yet."""
        return self._folder(self._files, context)

    def hidden(self, name: str, context: Mapping[str, object]) -> str:
        """The text of one hidden test, `test_x.py`.

        Raises:
            CodebaseError: the template has no such test.
        """
        if name not in self._hidden:
            raise CodebaseError(f"{self.name}/hidden: expected {name}{_SUFFIX}, found no such file")
        return self._finished(name, self._rendered(self._hidden[name], context, name), context).decode()

    def _folder(self, sources: Mapping[str, jinja2.Template], context: Mapping[str, object]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for place, template in sources.items():
            text = self._rendered(template, context, place)
            if text.strip():
                path = _NOUN.sub(lambda noun: _python_name(noun[1], context), place)
                if path in found:
                    raise CodebaseError(
                        f"{self.name}: two files are called {path}; a noun is the name of another module"
                    )
                found[path] = self._finished(path, text, context)
        return found

    def _finished(self, path: str, text: str, context: Mapping[str, object]) -> bytes:
        text = text.lstrip("\n").rstrip() + "\n"
        if path.endswith(".py"):
            text = imports_sorted(text, str(context["pkg"]))
        elif path.endswith(".md"):
            text = filled(text, _DOCUMENT_WIDTH)
        return text.encode()

    def _rendered(self, template: jinja2.Template, context: Mapping[str, object], place: str) -> str:
        try:
            return template.render(context)
        except jinja2.TemplateError as error:
            raise CodebaseError(f"{self.name}: {place[:80]}: {error}") from error

    def _sources(self, folder: Path) -> dict[str, jinja2.Template]:
        found: dict[str, jinja2.Template] = {}
        for path in sorted(folder.rglob(f"*{_SUFFIX}")):
            place = path.relative_to(folder).as_posix().removesuffix(_SUFFIX)
            try:
                found[place] = self._environment.from_string(_text(path))
            except jinja2.TemplateSyntaxError as error:
                raise CodebaseError(f"{self.name}/{folder.name}/{place}{_SUFFIX}:{error.lineno}: {error}") from error
        return found

    def _check(self) -> None:
        """Names that bugs and entries have of each other."""
        steps = [step for entry in self.history.entries for step in entry.steps]
        twice = sorted({step for step in steps if steps.count(step) > 1})
        brought = [entry.bug for entry in self.history.entries if entry.bug]
        wrong = [f"step {step} twice" for step in twice]
        wrong += [f"entry of bug {bug}, which bugs.yaml does not have" for bug in brought if bug not in self.bugs]
        wrong += [f"bug {bug} in {brought.count(bug)} entries" for bug in self.bugs if brought.count(bug) != 1]
        wrong += [f"{entry.step}: {fault}" for entry in self.history.entries for fault in _faults(entry)]
        if wrong:
            raise CodebaseError(f"{self.name}/history.yaml: {'; '.join(wrong)}")


@cache
def read_template(name: str) -> CodebaseTemplate:
    """The template of that name.

    Raises:
        CodebaseError: there is none, or it is wrong.
    """
    if name not in codebase_names():
        raise CodebaseError(f"no code base is called {name!r}{near(name, codebase_names())}")
    return CodebaseTemplate(_ROOM / name)


def codebase_names() -> tuple[str, ...]:
    """The templates that there are."""
    return tuple(sorted(path.parent.name for path in _ROOM.glob("*/history.yaml")))


def codebase_bugs(name: str) -> tuple[str, ...]:
    """The bugs that a template can have, in the sequence of their file.

    Raises:
        CodebaseError: there is no such template.
    """
    return tuple(read_template(name).bugs)


def _faults(entry: CommitEntry) -> list[str]:
    found = []
    if not entry.branch and (entry.review or entry.description or entry.comments or entry.fixups):
        found.append("expected `branch` where there is a review")
    if entry.branch and entry.review in (None, entry.who):
        found.append(f"expected a reviewer who is not {entry.who}")
    if any(fixup.after_comment > len(entry.comments) for fixup in entry.fixups):
        found.append(f"a fixup comes after more than its {len(entry.comments)} comments")
    return found


def _python_name(word: str, context: Mapping[str, object]) -> str:
    """What a word in braces stands for in the name of a file: `pkg`, or a noun."""
    return str(context[word if word == "pkg" else f"{word}_"])


def _text(path: Path) -> str:
    """A file of the template, whose articles must fit every noun.

    Raises:
        CodebaseError: an article is written before a noun; the filter `a` knows which one it takes.
    """
    text = path.read_text("utf-8")
    for number, line in enumerate(text.splitlines(), start=1):
        if found := _BARE_ARTICLE.search(line):
            raise CodebaseError(f"{path.name}:{number}: expected an article by the filter `a`, found {found[0]!r}")
    return text


def _read(path: Path, kind: type[Read]) -> Read:
    """A YAML file of the template.

    Raises:
        CodebaseError: what is wrong with it, with its line.
    """
    try:
        _text(path)
        return read_data(path, kind)
    except FileNotFoundError as error:
        raise CodebaseError(f"{path.parent.name}/{path.name}: no such file") from error
    except AuthoringError as error:
        raise CodebaseError(str(error.mistakes[0])) from error
