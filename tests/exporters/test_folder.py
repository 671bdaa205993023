"""An export replaces an export that nobody touched, and nothing else; what fails leaves no trace."""

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from brownout.core.errors import ExportError
from brownout.exporters.export_folder import ExportFolder, foreign_files
from brownout.exporters.lock import LOCK, Lock, LockedWheel

WHEEL = LockedWheel(distribution="brownout", version="1", file="brownout.whl", sha256="")
NOTHING = Lock(
    to="nothing",
    requires=(),
    module="pack",
    world="w",
    package="p",
    seed=0,
    tools={},
    tasks={},
    runtime=WHEEL,
    plugins=(),
)


def write(place: Path, text: str = "hello") -> Path:
    with ExportFolder(place, NOTHING) as folder:
        folder.write("pack/a.txt", text)
        return folder.finish()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_export_is_whole_and_says_what_it_holds(tmp_path: Path) -> None:
    place = write(tmp_path / "deep" / "out")

    assert names(place) == [LOCK, "pack"]
    assert foreign_files(place) == []
    assert names(tmp_path / "deep") == ["out"]


def test_an_earlier_export_is_replaced(tmp_path: Path) -> None:
    write(tmp_path / "out", "old")
    write(tmp_path / "out", "new")

    assert (tmp_path / "out/pack/a.txt").read_text() == "new"
    assert names(tmp_path) == ["out"]


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()

    assert write(tmp_path / "out").is_dir()


def test_a_folder_that_is_no_export_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")

    with pytest.raises(ExportError, match=r"expected .* to be empty or an earlier export, found other files; choose"):
        write(tmp_path)
    assert names(tmp_path) == ["thesis.tex"]


def test_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")

    with pytest.raises(ExportError, match="expected a folder at"):
        write(tmp_path / "out")


@pytest.mark.parametrize("name", ["logs/one.eval", "pack/a.txt"])
def test_work_inside_an_export_is_not_thrown_away(tmp_path: Path, name: str) -> None:
    place = write(tmp_path / "out")
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).write_text("mine")

    with pytest.raises(ExportError, match=f"not the export's own: {name}; move them away"):
        write(place)
    assert (place / name).read_text() == "mine"


def test_compiled_python_is_nobodys_work(tmp_path: Path) -> None:
    place = write(tmp_path / "out")
    (place / "pack/__pycache__").mkdir()
    (place / "pack/__pycache__/a.pyc").write_bytes(b"x")

    assert write(place) == place


def test_what_stops_half_way_leaves_nothing(tmp_path: Path) -> None:
    write(tmp_path / "out", "old")
    with pytest.raises(KeyboardInterrupt), ExportFolder(tmp_path / "out", NOTHING) as folder:
        folder.write("pack/a.txt", "new")
        raise KeyboardInterrupt

    assert names(tmp_path) == ["out"]
    assert (tmp_path / "out/pack/a.txt").read_text() == "old"


@pytest.mark.parametrize("doing", ["write", "copy_tree", "finish"])
def test_a_full_disk_is_an_error_and_leaves_the_earlier_export(
    doing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "out", "old")
    (tmp_path / "world").mkdir()
    (tmp_path / "world/a.sqlite").write_bytes(b"x" * 100)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with (
        pytest.raises(ExportError, match="No space left on device"),
        ExportFolder(tmp_path / "out", NOTHING) as folder,
        monkeypatch.context() as patched,
    ):
        if doing == "finish":
            folder.write("pack/a.txt", "new")
        patched.setattr(Path, "write_bytes", full)
        patched.setattr("brownout.exporters.export_folder.copyfile", full)
        match doing:
            case "write":
                folder.write("pack/a.txt", "new")
            case "copy_tree":
                folder.copy_tree("pack/world", tmp_path / "world")
            case _:
                folder.finish()

    assert names(tmp_path) == ["out", "world"]
    assert (tmp_path / "out/pack/a.txt").read_text() == "old"
    assert foreign_files(tmp_path / "out") == []


def test_what_is_put_there_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="other files"), ExportFolder(tmp_path / "out", NOTHING) as folder:
        (tmp_path / "out").mkdir()
        (tmp_path / "out/mine").write_text("x")
        folder.finish()

    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == ["mine"]


@pytest.mark.parametrize("kind", ["link", "link to nothing", "link to a folder", "pipe", "notes among compiled files"])
def test_what_is_no_plain_file_is_not_thrown_away_either(tmp_path: Path, kind: str) -> None:
    place = write(tmp_path / "out")
    (tmp_path / "work").mkdir()
    mine = place / "mine"
    match kind:
        case "link":
            (place / "pack/a.txt").rename(tmp_path / "work/a.txt")
            (mine := place / "pack/a.txt").symlink_to(tmp_path / "work/a.txt")
        case "link to nothing":
            mine.symlink_to("nowhere")
        case "link to a folder":
            mine.symlink_to(tmp_path / "work")
        case "pipe":
            os.mkfifo(mine)
        case _:
            (place / "pack/__pycache__").mkdir()
            (mine := place / "pack/__pycache__/notes.txt").write_text("mine")

    with pytest.raises(ExportError, match="not the export's own"):
        write(place)
    assert os.path.lexists(mine)


@pytest.mark.parametrize("name", ["x" * 300, "y/" * 3000, "a\0b", "loop"])
def test_a_place_that_cannot_be_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")

    with pytest.raises(ExportError, match="cannot look at"):
        write(tmp_path / name)
    assert names(tmp_path) == ["loop"]


def test_exports_to_one_place_at_once_are_moved_there_one_after_the_other(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        placed = list(pool.map(lambda number: write(tmp_path / "out", str(number)), range(24)))

    assert set(placed) == {tmp_path / "out"}
    assert names(tmp_path) == ["out"]
    assert foreign_files(tmp_path / "out") == []
