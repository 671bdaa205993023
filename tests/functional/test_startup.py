"""What a command imports, and that the table of commands says what the commands say of themselves."""

import json
import subprocess
import sys
from importlib import import_module
from inspect import getclosurevars, signature

import pytest

from brownout.cli.commands import COMMANDS, GROUPS, load_command
from brownout.qa import TIERS
from tests.functional.commands import Commands
from worlds.shipped_worlds import shipped_worlds, summary_of
from worlds.spec import read_world

HEAVY = (
    "aiohttp",
    "apsw",
    "dulwich",
    "jinja2",
    "litellm",
    "numpy",
    "pygit2",
    "ruamel",
    "sqlalchemy",
    "streamlit",
)
LIGHT = [
    (),
    ("--help",),
    ("--version",),
    ("list",),
    ("list", "--json"),
    ("lisst",),
    *((group, "--help") for group in GROUPS),
]

ALONE = {"list", "new world", "new app", "new kind", "studio"}
"""Commands that do their work where they are declared."""


def imported(*arguments: str) -> list[str]:
    """The top-level modules that are loaded when a command has ended."""
    code = (
        "import json, sys\n"
        "from brownout.cli import main\n"
        "try: main()\n"
        "except SystemExit: print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    found: list[str] = json.loads(done.stderr.splitlines()[-1])
    return found


@pytest.mark.parametrize("arguments", LIGHT, ids=" ".join)
def test_a_command_that_only_lists_imports_nothing_heavy(arguments: tuple[str, ...]) -> None:
    found = imported(*arguments)

    assert "typer" in found
    assert [name for name in HEAVY if name in found] == []


def test_the_help_of_all_commands_together_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from brownout.cli.commands import COMMANDS, load_command\n"
        "for command in COMMANDS.values(): load_command(command)\n"
        "print([name for name in sys.argv[1:] if name in sys.modules])"
    )
    heavy = (*HEAVY, "brownout.engine", "generators.build", "worlds.spec")
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_the_help_of_qa_names_every_tier(command: Commands) -> None:
    assert all(tier in command("qa", "--help").out for tier in TIERS)


def test_help_needs_not_even_what_reads_arguments() -> None:
    assert "pydantic" not in imported("--help")


def test_a_command_that_works_imports_what_it_needs() -> None:
    assert {"sqlalchemy"} <= set(imported("validate", "tiny"))


@pytest.mark.parametrize("words", COMMANDS)
def test_a_commands_line_in_the_list_is_its_own_first_line(words: str) -> None:
    command = COMMANDS[words]
    own = (load_command(command).__doc__ or "").strip().splitlines()[0]

    assert command.summary == own


@pytest.mark.parametrize("words", [words for words in COMMANDS if words not in ALONE])
def test_what_a_command_takes_is_what_its_work_takes(words: str) -> None:
    command = load_command(COMMANDS[words])
    module, _, name = getclosurevars(command).nonlocals["address"].partition(":")

    assert list(signature(command).parameters) == list(signature(getattr(import_module(module), name)).parameters)


@pytest.mark.parametrize("words", COMMANDS)
def test_every_command_is_found_and_shows_its_own_help(command: Commands, words: str) -> None:
    done = command(*words.split(), "--help")

    assert done.code == 0
    assert f"brownout {words}" in done.out


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_lists_its_commands(command: Commands, group: str) -> None:
    done = command(group, "--help")

    assert done.code == 0
    assert all(words.split()[1] in done.out for words in COMMANDS if words.startswith(f"{group} "))


@pytest.mark.parametrize(
    "arguments", [("show",), ("show", "peple"), ("show", "--why"), ("--nonsense", "list"), ("new", "list")]
)
def test_half_a_command_or_a_wrong_one_is_a_usage_error(command: Commands, arguments: tuple[str, ...]) -> None:
    done = command(*arguments)

    assert done.code == 2
    assert "Traceback" not in done.err


@pytest.mark.parametrize("name", shipped_worlds())
def test_the_list_says_of_a_world_what_its_whole_text_says(name: str) -> None:
    folder = shipped_worlds()[name]
    spec, line = read_world(folder), summary_of(folder)

    assert (line.title, line.people, line.tasks) == (spec.world.title, len(spec.people), tuple(spec.tasks))
