"""What is built for others: it holds every room and nothing else, and works in a folder far from the checkout."""

import ast
import json
import os
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from shutil import unpack_archive
from zipfile import ZipFile

import pytest

from brownout.core.top_level_packages import ROOMS, built_files
from brownout.exporters.wheels import runtime_wheel
from tests.wheel.installation import ROOT, Installation, build_wheel

STARTER = {f"brownout/starter_app/{name}" for name in ("pyproject.toml", "todo_app/__init__.py")}


def test_a_wheel_holds_the_rooms_whole_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as opened:
        names = {name for name in opened.namelist() if ".dist-info/" not in name}
    ours = {
        path.relative_to(ROOT).as_posix()
        for room in ("brownout", *ROOMS)
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    ours = {name if name.startswith("brownout/") else f"brownout/{name}" for name in ours}

    assert {name.partition("/")[0] for name in names} == {"brownout"}
    assert ours - names == set()
    assert {name for name in names - ours if not name.startswith("brownout/starter_app/")} == set()
    assert names >= STARTER
    assert any(name.startswith("brownout/worlds/catalog/tiny/repos/boxoffice/hidden/") for name in names)


@pytest.mark.release
def test_the_source_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)], cwd=ROOT, check=True
    )
    [source] = tmp_path.glob("*.tar.gz")
    unpack_archive(source, tmp_path / "source", filter="data")
    [unpacked] = (tmp_path / "source").iterdir()
    again = build_wheel(tmp_path / "again", unpacked)

    assert again.read_bytes() == wheel.read_bytes()


def test_no_import_of_a_rooms_short_name_is_left(wheel: Path) -> None:
    left = []
    with ZipFile(wheel) as opened:
        modules = [name for name in opened.namelist() if name.endswith(".py") and "/catalog/" not in name]
        for module in modules:
            for node in ast.walk(ast.parse(opened.read(module))):
                names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                left += [f"{module}: {name}" for name in names if name.partition(".")[0] in ROOMS]

    assert len(modules) > 400
    assert left == []


def test_a_module_that_could_not_be_renamed_stops_the_build(tmp_path: Path) -> None:
    for room in ("brownout", *ROOMS):
        (tmp_path / room).mkdir()
    (tmp_path / "tools" / "broken.py").write_text("import tools.slack as slack\n")

    with pytest.raises(
        ValueError, match=r"brownout/tools/broken\.py: write `from … import …` instead of 'import tools"
    ):
        built_files(tmp_path)


BESIDE_MINE = """
import tools, worlds
import brownout
package = brownout.build("tiny", out="beside")
with brownout.open_session(package, task="find-the-change") as session:
    assert not session.call("slack_list_channels", {}).is_error
import sys
from tools import mine
from worlds import yours
mixed = [name for name in sys.modules if name.partition(".")[0] in ("tools", "worlds", "graders", "generators", "studio")]
print(mine, yours, sorted(mixed))
"""


@pytest.mark.parametrize("first", ["mine", "ours"])
def test_a_users_own_tools_and_worlds_beside_it_do_no_harm(installed: Installation, tmp_path: Path, first: str) -> None:
    for room, content in {"tools": "mine = 1\n", "worlds": "yours = 2\n"}.items():
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text(content)
    lines = BESIDE_MINE.lstrip().splitlines(True)
    script = tmp_path / "script.py"
    script.write_text("".join(lines if first == "mine" else lines[1:]))
    done = installed.run(str(installed.python), str(script))

    assert done.code == 0, done.err
    assert done.out.split() == ["1", "2", "['tools',", "'worlds']"]


def test_the_runtime_of_an_export_is_the_same_from_a_wheel_as_from_a_checkout(installed: Installation) -> None:
    code = "from brownout.exporters.wheels import runtime_wheel; print(runtime_wheel().sha256)"
    done = installed.run(str(installed.python), "-c", code)

    assert done.out.strip() == runtime_wheel().sha256, done.err


def test_the_shipped_worlds_are_listed(installed: Installation) -> None:
    done = installed.brownout("list", "--json")

    assert [world["world"] for world in json.loads(done.out)["worlds"]] == ["larkspur", "tiny"]


def test_a_shipped_world_is_built_played_and_exported(installed: Installation) -> None:
    built = installed.brownout("build", "tiny", "--out", "tiny", "--json")
    assert built.code == 0, built.err
    played = installed.brownout("demo", "tiny", "--out", "runs", "--json")
    assert played.code == 0, played.err
    tasks = ("--tasks", "find-the-change")
    exported = installed.brownout("export", "tiny", "--to", "trl", "--out", "exported", *tasks, "--json")
    assert exported.code == 0, exported.err

    assert [run["reward"] for run in json.loads(played.out)["runs"]] == [1.0, 0.0]
    assert json.loads(played.out)["matches"] is True
    smoke = installed.run(
        str(installed.python), "-m", "brownout_tiny.smoke", PYTHONPATH=str(installed.home / "exported")
    )
    assert smoke.out.splitlines() == [
        "find-the-change@0: the reference solution earns 1.0", "find-the-change@0: doing nothing earns 0.0",
    ], smoke.err  # fmt: skip


@pytest.mark.release
@pytest.mark.sandbox
def test_code_is_run_and_judged(installed: Installation) -> None:
    done = installed.brownout("run", "tiny", "--task", "release-the-seats", "--agent", "oracle", "--json")

    assert [run["reward"] for run in json.loads(done.out)["runs"]] == [1.0], done.err


def test_what_is_started_from_is_there_and_works(installed: Installation) -> None:
    world = installed.brownout("new", "world", "my-world", "--starter")
    app = installed.brownout("new", "app", "menu")
    checked = installed.brownout("qa", "my-world", "--json")

    assert (world.code, app.code, checked.code) == (0, 0, 0), (world.err, app.err, checked.err)
    code = "import menu_app; print(menu_app.app.name)"
    found = installed.run(str(installed.python), "-c", code, PYTHONPATH=str(installed.home / "menu"))
    assert found.out.strip() == "menu", found.err


def test_a_company_is_written_and_built_anywhere(installed: Installation) -> None:
    written = installed.brownout("new", "world", "acme", "--trade", "clinics", "--people", "8", "--tasks", "2")
    built = installed.brownout("build", "acme", "--json")

    assert (written.code, built.code) == (0, 0), (written.err, built.err)
    assert json.loads(built.out)["counts"]["tasks"] == 2


def test_the_studio_serves_its_page_and_what_the_page_loads(installed: Installation) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = installed.home / "studio.log"
    with log.open("wb") as stream:
        command = [str(installed.folder / "bin" / "brownout"), "studio", "--port", str(port)]
        studio = subprocess.Popen(
            command, cwd=installed.home, env=installed.environment, stdout=stream, stderr=stream, start_new_session=True
        )
    try:
        _wait_for(port, studio, log)
        status, page = _get(port, "/")
    finally:
        os.killpg(studio.pid, signal.SIGTERM)
        studio.wait(30)

    assert (status, "<title>" in page) == (200, True)
    assert "Traceback" not in log.read_text("utf-8")


def test_the_studio_draws_its_pages(installed: Installation) -> None:
    code = (
        "import brownout.studio.page_frame; from pathlib import Path; from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file(str(Path(brownout.studio.page_frame.__file__).with_name('streamlit_script.py')), default_timeout=60).run()\n"
        "for name in ('home', 'runs', 'replay', 'preview', 'overview'):\n"
        "    app.switch_page(f'views/{name}.py')\n"
        "    assert not app.run().exception, (name, app.exception)\n"
    )
    done = installed.run(str(installed.python), "-P", "-c", code)

    assert done.code == 0, done.err


def _wait_for(port: int, studio: "subprocess.Popen[bytes]", log: Path) -> None:
    for _ in range(300):
        assert studio.poll() is None, log.read_text("utf-8")
        try:
            if _get(port, "/_stcore/health")[0] == 200:
                return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text("utf-8"))


def _get(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read().decode("utf-8", "replace")
    finally:
        connection.close()
