"""What is declared is used, what is used is declared, and constraints.txt is what an install with all extras installs."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import distribution, packages_distributions, version
from pathlib import Path

from packaging.requirements import Requirement

from brownout.core.extras import EXTRAS

ROOT = Path(__file__).parent.parent
ROOMS = ("brownout", "generators", "graders", "studio", "tools", "worlds")
BESIDE = ("tests", "benchmarks", "docs", "examples")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MINORS = ("3.11", "3.12", "3.13")
OF_A_FRAMEWORK = {
    "datasets", "fastapi", "inspect_ai", "nemo_gym", "openenv", "tokenizers", "torch", "transformers", "trl", "verifiers",
}  # fmt: skip
"""Imported by what is written for a framework, which runs in the framework's own environment."""
WITH_A_FRAMEWORK = {"httpx", "mcp"}
"""Comes with a framework that an export is written for; our own tests have it too."""


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def names(requirements: Iterable[str]) -> set[str]:
    return {canonical(Requirement(one).name) for one in requirements}


BASE = names(PROJECT["dependencies"])
EXTRA = {extra: names(listed) for extra, listed in PROJECT["optional-dependencies"].items()}


def sources(*folders: str) -> Iterator[Path]:
    for folder in folders:
        for path in (ROOT / folder).rglob("*.py"):
            if not path.is_relative_to(ROOT / "worlds" / "catalog"):  # companies' own code
                yield path


def imported(*folders: str) -> set[str]:
    """The distributions that modules import, read files of or load by name; ours and Python's own left out."""
    found: set[str] = set()
    for path in sources(*folders):
        beside = {near.stem for near in path.parent.iterdir()}
        found |= {_home(top) for top in _tops_in(path) - beside}
    return found


@cache
def _tops_in(path: Path) -> frozenset[str]:
    """The packages that a module names, ours and Python's own left out."""
    named = {module.partition(".")[0] for node in ast.walk(ast.parse(path.read_bytes())) for module in _named(node)}
    return frozenset(named - sys.stdlib_module_names - {*ROOMS, *BESIDE, *OF_A_FRAMEWORK})


def _named(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names)
        case ast.ImportFrom(level=0, module=str(module)):
            yield module
        case ast.Call(func=ast.Name(id="files" | "import_module"), args=[ast.Constant(value=str(module)), *_]):
            yield module


@cache
def _home(module: str) -> str:
    homes = packages_distributions().get(module, [])
    return canonical(homes[0]) if homes else f"{module}, which is not installed"


def test_what_the_rooms_import_is_declared() -> None:
    assert imported(*ROOMS) - BASE - EXTRA["studio"] - EXTRA["llm"] - EXTRA["serve"] - WITH_A_FRAMEWORK == set()


def test_what_is_declared_is_imported_by_the_rooms() -> None:
    declared = BASE.union(*(listed for extra, listed in EXTRA.items() if extra != "dev"))

    assert declared - imported(*ROOMS) == set()


def test_an_extra_is_imported_where_its_absence_is_told() -> None:
    assert {extra: listed for extra, listed in EXTRA.items() if extra != "dev"} == {
        extra: {_home(module) for module in modules} for extra, modules in EXTRAS.items()
    }
    assert (
        imported(
            "brownout/core",
            "brownout/client",
            "brownout/engine",
            "brownout/store",
            "worlds",
            "tools",
            "graders",
            "generators",
        )
        <= BASE
    )


def test_what_developers_install_is_imported_or_run() -> None:
    used = imported(*BESIDE)
    run = (ROOT / "Makefile").read_text("utf-8")
    words = {"import-linter": "lint-imports", "pytest-xdist": "--dist loadfile"}

    assert {name for name in EXTRA["dev"] - used if words.get(name, name) not in run} == set()
    assert used - EXTRA["dev"] - BASE.union(*EXTRA.values()) == set()


def test_constraints_are_what_an_install_with_all_extras_installs() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pinned = {canonical(name): held for name, _, held in (line.partition("==") for line in lines)}

    assert lines == sorted(lines, key=str.lower)
    assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
    assert set(pinned) == _closure()
    assert {name: version(name) for name in pinned if _is_installed(name)} == {
        name: held for name, held in pinned.items() if _is_installed(name)
    }


def _closure() -> set[str]:
    """What the project needs with all extras, and what that needs, on any Python that we run on."""
    wanted = [
        *PROJECT["dependencies"],
        *(one for listed in PROJECT["optional-dependencies"].values() for one in listed),
    ]
    waiting = [(Requirement(one), "") for one in wanted]
    found: dict[str, set[str]] = {}
    while waiting:
        requirement, extra = waiting.pop()
        if not _applies(requirement, extra):
            continue
        name = canonical(requirement.name)
        for asked in {"", *requirement.extras} - found.setdefault(name, set()):
            found[name].add(asked)
            if _is_installed(name):
                waiting += [(Requirement(one), asked) for one in distribution(name).requires or ()]
    return set(found)


def _applies(requirement: Requirement, extra: str) -> bool:
    if requirement.marker is None:
        return True
    return any(
        requirement.marker.evaluate({"extra": extra, "python_version": minor, "python_full_version": f"{minor}.0"})
        for minor in MINORS
    )


@cache
def _is_installed(name: str) -> bool:
    try:
        version(name)
    except ModuleNotFoundError:
        return False
    return True
