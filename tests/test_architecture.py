"""The layers, and that nothing is imported before it is needed."""

import subprocess
import sys
from pathlib import Path


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
