"""Sources get their new names, and what could not be renamed is refused."""

from pathlib import Path

import pytest

from brownout.core.errors import ExportError
from brownout.exporters.runtime.rewriting import Renaming, rewritten
from brownout.exporters.runtime.sources import ModuleSource

RENAMING = Renaming(
    "acme._runtime",
    frozenset({"brownout", "tools"}),
    frozenset({"brownout", "brownout.core", "brownout.core.rows", "tools", "tools.slack"}),
    {"brownout.exporters.inspect_ai.module": "acme"},
)


def renamed(tmp_path: Path, text: str, module: str = "tools.slack") -> str:
    place = tmp_path / "source.py"
    place.write_text(text, "utf-8")
    return rewritten(ModuleSource(module, f"{module.replace('.', '/')}.py", place), RENAMING).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from brownout.core import rows", "from acme._runtime.brownout.core import rows"),
        ("from brownout.core.rows import Row as R  # why", "from acme._runtime.brownout.core.rows import Row as R  # why"),
        ("from brownout import core", "from acme._runtime.brownout import core"),
        ("import tools.slack as slack", "import acme._runtime.tools.slack as slack"),
        ("from brownout.exporters.inspect_ai.module.playing import play", "from acme.playing import play"),
        ("import os, re\nfrom toolshed import x", "import os, re\nfrom toolshed import x"),
        ('X = {"jira": "tools.jira:app"}', 'X = {"jira": "acme._runtime.tools.jira:app"}'),
        ('X = f"tools.slack:{name.upper()}"', 'X = f"acme._runtime.tools.slack:{name.upper()}"'),
        ('X = f"brownout.{kind}"', 'X = f"acme._runtime.brownout.{kind}"'),
        ("files('tools.slack')", "files('acme._runtime.tools.slack')"),
        ('BOOT = "import sys; from brownout.core.rows import m; m()"', 'BOOT = "import sys; from acme._runtime.brownout.core.rows import m; m()"'),
        ('é = "ü"; from tools.slack import x', 'é = "ü"; from acme._runtime.tools.slack import x'),
    ],
)  # fmt: skip
def test_names_of_ours_move_and_nothing_else(tmp_path: Path, before: str, after: str) -> None:
    assert renamed(tmp_path, f"{before}\n") == f"{after}\n"


@pytest.mark.parametrize(
    "text",
    [
        'X = "tools"',
        'X = "tools.x of the trade"',
        'X = f"tools/{app}.json"',
        'X = f"graders: {n}"',
        'X = "tools.unknown"',
        "raise TypeError('expected a brownout.core.rows.Row')",
        '"""Comes from tools of the trade."""',
    ],
)
def test_words_that_only_look_like_modules_stay(tmp_path: Path, text: str) -> None:
    assert renamed(tmp_path, text) == text


def test_a_folder_counted_from_the_file_is_counted_further_where_it_leaves_the_packages(tmp_path: Path) -> None:
    text = "INSIDE = Path(__file__).parent / 'x'\nTOP = Path(__file__).parent.parent\n"

    assert renamed(tmp_path, text) == (
        "INSIDE = Path(__file__).parent / 'x'\nTOP = Path(__file__).parent.parent.parent.parent\n"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("import tools.slack", "write `from … import …` for tools.slack"),
        ("import os, tools.slack as s", "write `from … import …`"),
        ("from tools.jira import app", "tools.jira, which is not exported"),
        ("from brownout import open_session", "from brownout itself"),
        ("def", "is not Python"),
    ],
)
def test_what_cannot_be_renamed_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ExportError, match=complaint):
        renamed(tmp_path, f"{text}\n")


def test_what_only_a_type_checker_reads_may_be_missing(tmp_path: Path) -> None:
    text = "if TYPE_CHECKING:\n    from tools.jira import app\n"

    assert renamed(tmp_path, text) == "if TYPE_CHECKING:\n    from acme._runtime.tools.jira import app\n"
