"""What is built for others: it holds every room and nothing else, and works in a folder far from the checkout."""

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

from tests.wheel.installation import ROOT, Installation, build_wheel

ROOMS = ("brownout", "generators", "graders", "studio", "tools", "worlds")
STARTER = {f"brownout/starter_app/{name}" for name in ("pyproject.toml", "todo_app/__init__.py")}


def test_a_wheel_holds_the_rooms_whole_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as opened:
        names = {name for name in opened.namelist() if ".dist-info/" not in name}
    ours = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    assert {name.partition("/")[0] for name in names} == set(ROOMS)
    assert ours - names == set()
    assert {name for name in names - ours if not name.startswith("brownout/starter_app/")} == set()
    assert names >= STARTER
    assert any(name.startswith("worlds/catalog/tiny/repos/boxoffice/hidden/") for name in names)


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


def test_every_room_is_the_installed_one(installed: Installation) -> None:
    code = f"import json, {', '.join(ROOMS)}; print(json.dumps([one.__file__ for one in ({', '.join(ROOMS)})]))"
    done = installed.run(str(installed.python), "-c", code)

    assert done.code == 0, done.err
    assert all(Path(file).is_relative_to(installed.folder) for file in json.loads(done.out))


def test_the_shipped_worlds_are_listed(installed: Installation) -> None:
    done = installed.brownout("list", "--json")

    assert [world["world"] for world in json.loads(done.out)["worlds"]] == ["larkspur", "tiny"]


def test_a_shipped_world_is_built_played_and_exported(installed: Installation) -> None:
    built = installed.brownout("build", "tiny", "--out", "tiny", "--json")
    assert built.code == 0, built.err
    played = installed.brownout("demo", "tiny", "--out", "runs", "--json")
    assert played.code == 0, played.err
    exported = installed.brownout("export", "tiny", "--to", "inspect", "--out", "exported", "--json")
    assert exported.code == 0, exported.err

    assert [run["reward"] for run in json.loads(played.out)["runs"]] == [1.0, 0.0]
    assert json.loads(played.out)["matches"] is True
    assert (installed.home / "exported" / "brownout_tiny" / "_runtime" / "LICENSE").is_file()


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
        "import studio.frame; from pathlib import Path; from streamlit.testing.v1 import AppTest\n"
        "app = AppTest.from_file(str(Path(studio.frame.__file__).with_name('entry.py')), default_timeout=60).run()\n"
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
