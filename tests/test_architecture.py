"""The layers, names that are found once, and that nothing is imported before it is needed."""

import ast
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import brownout

_ROOT = Path(brownout.__file__).parents[1]
_ROOMS = ("brownout", "generators", "graders", "studio", "tools", "worlds")


def test_imports_go_down() -> None:
    found = subprocess.run([str(Path(sys.executable).parent / "lint-imports")], capture_output=True, text=True)

    assert found.returncode == 0, found.stdout + found.stderr


def test_the_session_path_imports_no_heavy_stranger() -> None:
    code = (
        "import sys, brownout.engine.world; "
        "print([m for m in ('litellm','streamlit','faker','mcp','ray','numpy','jinja2','typer') if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


def test_the_facade_imports_nothing_by_itself() -> None:
    code = "import sys, brownout; print([m for m in sys.modules if m.startswith(('generators','tools','worlds'))])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"


def test_a_class_name_is_found_once() -> None:
    homes = defaultdict(set)
    for room in _ROOMS:
        for path in sorted((_ROOT / room).rglob("*.py")):
            if _ROOT / "worlds" / "catalog" not in path.parents:  # what repositories in a world call their classes
                for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                    if isinstance(node, ast.ClassDef):
                        homes[node.name].add(str(path.relative_to(_ROOT)))
    twice = {name: sorted(at) for name, at in sorted(homes.items()) if len(at) > 1}

    assert not twice, "whoever searches for one of these finds another; name each for what it is"
