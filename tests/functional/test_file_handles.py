"""What is opened is closed again, and a machine that has no file handle left is not taken for a damaged package."""

import errno
import gc
import os
import resource
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.core.errors import BrownoutError, PackageError
from brownout.engine.world import World
from brownout.exporters.exporter import export_world
from brownout.exporters.inside.opened_export import open_export
from worlds.package import Package

FEW = 200


def handles() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


@contextmanager
def nearly_none_left(left: int) -> Iterator[None]:
    """A process that can open so many files more, and no further one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FEW, hard))
        with suppress(OSError):
            while True:
                taken.append(os.open("/dev/null", os.O_RDONLY))
        for _ in range(left):
            os.close(taken.pop())
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        for each in taken:
            os.close(each)


def test_a_closed_session_holds_no_file(tiny_package: Package) -> None:
    with brownout.open_session(tiny_package, task="find-the-change"):
        pass
    before = handles()
    gc.disable()
    try:
        for _ in range(5):
            with brownout.open_session(tiny_package, task="find-the-change") as session:
                session.call("jira_get_issue", {"issue": "BOX-32"})
        assert handles() == before
    finally:
        gc.enable()


def test_a_closed_world_and_its_preview_hold_no_file(tiny_package: Package) -> None:
    with brownout.open_world(tiny_package) as world:
        world.preview()
    before = handles()
    for _ in range(5):
        with brownout.open_world(tiny_package) as world:
            world.preview()
    assert handles() == before


def test_a_world_that_cannot_be_opened_holds_no_file(tiny_package: Package, tmp_path: Path) -> None:
    folder = copytree(tiny_package.folder, tmp_path / "package")
    package = brownout.open_package(folder)
    (folder / "outages.json").write_text("[")
    before = handles()
    with pytest.raises(PackageError, match=r"outages\.json is damaged"):
        World(package)
    assert handles() == before


def test_a_task_that_is_not_there_leaves_no_file_open(tiny_package: Package) -> None:
    before = handles()
    with pytest.raises(BrownoutError):
        brownout.open_session(tiny_package, task="nowhere")
    assert handles() == before


@pytest.mark.parametrize("left", range(4))
def test_without_a_file_handle_it_says_so_and_blames_no_package(left: int, tiny_package: Package) -> None:
    with brownout.open_session(tiny_package.folder, task="find-the-change"):
        pass  # what is imported late is here now
    before = handles()
    with (
        pytest.raises(OSError, match="Too many open files") as raised,
        ExitStack() as opened,
        nearly_none_left(left),
    ):
        for _ in range(4):
            opened.enter_context(brownout.open_session(tiny_package.folder, task="find-the-change"))
    assert raised.value.errno == errno.EMFILE
    assert handles() == before


def test_an_export_without_a_file_handle_was_not_changed(tiny_package: Package, tmp_path: Path) -> None:
    folder = export_world("trl", tiny_package, tmp_path / "out")
    with pytest.raises(OSError, match="Too many open files"), nearly_none_left(0):
        open_export(folder / "brownout_tiny")
