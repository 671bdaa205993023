"""Bad input on the command line: a clear message, an exit code, nothing lost."""

import errno
import json
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest

import brownout
from brownout.cli.main import main
from brownout.core.errors import PackageError
from brownout.core.values import canonical, digest_of
from tests.functional.commands import Commands
from worlds.package import Package, PackageWriter


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["brownout", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    found = capsys.readouterr()
    return int(stop.value.code or 0), found.out, " ".join(found.err.split())


@pytest.fixture
def damaged(tiny_package: Package, tmp_path: Path) -> Path:
    return Path(copytree(tiny_package.folder, tmp_path / "damaged"))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["tasks", "nowhere"], "expected a folder with a world.yaml or a world's name"),
        (["tasks", "tinny"], "did you mean 'tiny'?"),
        (["run", "tiny", "--task", "find", "--agent", "noop"], "has no task 'find'; it has: find-the-change"),
        (["run", "tiny", "--task", "find-the-change", "--agent", "orakel"], "no agents named 'orakel'; installed:"),
        (["replay", "nowhere", "--check"], "expected a run in nowhere"),
        (["show", "why", "tiny", "BOX-99999"], "nothing before the first task's start is called"),
    ],
)
def test_what_does_not_exist_is_said_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: str
) -> None:
    code, out, err = run(capsys, monkeypatch, *arguments)

    assert expected in err
    assert code in (1, 2)
    assert out == ""


def test_a_mistyped_option_is_a_usage_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    code, _, _ = run(capsys, monkeypatch, "build", "tiny", "--sed", "3")

    assert code == 2


@pytest.mark.parametrize("name", ["tasks.jsonl", "world.sqlite", "origin.sqlite", "outages.json", "tools/slack.json"])
def test_a_damaged_package_is_refused(damaged: Path, name: str) -> None:
    path = damaged / name
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)

    with pytest.raises(PackageError, match=r"damaged.*build the world again"):
        brownout.open_session(damaged, task="find-the-change")


@pytest.mark.parametrize("name", ["tasks.jsonl", "world.sqlite", "phrases.json"])
def test_a_missing_part_is_named(damaged: Path, name: str) -> None:
    (damaged / name).unlink()

    with pytest.raises(PackageError, match=name):
        brownout.open_session(damaged, task="find-the-change")


def test_another_format_says_how_to_rebuild(damaged: Path) -> None:
    manifest = json.loads((damaged / "manifest.json").read_text())
    (damaged / "manifest.json").write_text(json.dumps(manifest | {"format": 99}))

    with pytest.raises(PackageError, match="found 99; run: brownout build tiny"):
        brownout.open_package(damaged)


def test_a_drifted_tool_is_noticed(damaged: Path) -> None:
    """An agent must not be given other tools than the package was built with."""
    tools = damaged / "tools" / "slack.json"
    changed = json.loads(tools.read_text())
    changed[0]["input_schema"]["properties"]["extra"] = {"type": "string"}
    tools.write_text(json.dumps(changed))
    manifest = json.loads((damaged / "manifest.json").read_text())
    manifest["digests"]["tools/slack.json"] = digest_of(canonical(changed))
    (damaged / "manifest.json").write_text(json.dumps(manifest))

    with pytest.raises(PackageError, match="not as it was when the package was built"):
        brownout.open_world(damaged)


def test_a_folder_with_other_files_is_not_overwritten(tmp_path: Path) -> None:
    precious = tmp_path / "out" / "thesis.txt"
    precious.parent.mkdir()
    precious.write_text("twelve chapters")

    with pytest.raises(PackageError, match="found other files"):
        brownout.build("tiny", out=tmp_path / "out")
    assert precious.read_text() == "twelve chapters"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_full_disk_leaves_the_old_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    brownout.build("tiny", out=tmp_path / "tiny")
    digest = brownout.open_package(tmp_path / "tiny").manifest.digest
    real = Path.write_bytes

    def full(self: Path, data: bytes) -> int:
        if self.name == "tasks.jsonl":
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(PackageError, match="No space left on device"):
        brownout.build("tiny", seed=9, out=tmp_path / "tiny")

    assert brownout.open_package(tmp_path / "tiny").manifest.digest == digest
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def test_a_failed_build_leaves_nothing(spec_folder: Path, tmp_path: Path) -> None:
    (spec_folder / "world.yaml").write_text(
        (spec_folder / "world.yaml").read_text().replace("lead: yuki", "lead: nobody")
    )

    with pytest.raises(Exception, match="nobody"):
        brownout.build(spec_folder, out=tmp_path / "out" / "package")
    assert not (tmp_path / "out").exists() or list((tmp_path / "out").iterdir()) == []


def test_ctrl_c_leaves_no_half_written_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: PackageWriter, *_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PackageWriter, "write_tasks", interrupt)
    with pytest.raises(KeyboardInterrupt):
        brownout.build("tiny", out=tmp_path / "tiny")

    assert list(tmp_path.iterdir()) == []


def test_a_package_that_another_build_puts_there_meanwhile_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, rename, races = tmp_path / "tiny", Path.rename, [True]

    def race(self: Path, target: Path) -> Path:
        if target == place and races.pop(0) if races else False:
            place.mkdir()
            (place / "manifest.json").write_text("{}")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", race)
    package = brownout.build("tiny", out=place)

    assert races == []
    assert brownout.open_package(place).manifest == package.manifest
    assert [*tmp_path.iterdir()] == [place]


def test_json_prints_one_document_and_nothing_else(command: Commands) -> None:
    for arguments in (["tasks", "tiny"], ["build", "tiny"], ["validate", "tiny"], ["show", "people", "tiny"]):
        assert command(*arguments, "--json").document
    program = str(Path(sys.executable).parent / "brownout")
    found = subprocess.run([program, "list", "--json"], capture_output=True, text=True, check=True)
    assert isinstance(json.loads(found.stdout), dict)


def test_a_hostile_file_name_is_only_a_name(spec_folder: Path) -> None:
    path = spec_folder / "storylines/holds.yaml"
    path.write_text(path.read_text().replace("file: runbook-boxoffice.md", 'file: "../../people.yaml"'))

    with pytest.raises(brownout.BrownoutError, match=r"expected documents/\.\./\.\./people.yaml, found no such file"):
        brownout.build(spec_folder, out=spec_folder.parent / "out")
