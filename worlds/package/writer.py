"""Writes a package beside its place and moves it there when it is whole; a failed build leaves nothing."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from errno import EEXIST, ENOTEMPTY
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import orjson
from pydantic import BaseModel

from brownout.core.errors import PackageError
from brownout.core.values import Json, canonical, digest_of
from worlds.package.integrity import checksum
from worlds.package.manifest import Manifest
from worlds.package.package_records import TaskRecord, ToolSchema

__all__ = ["PackageWriter"]


class PackageWriter:
    """A package being written.

    with PackageWriter(Path("build/tiny")) as package:
        package.folder / "world.sqlite"       # written by the store
        package.write_tools(...)
        package.finish(manifest)
    """

    def __init__(self, place: Path) -> None:
        """Start writing.

        Raises:
            PackageError: `place` is something other than a package, or cannot be written.
        """
        self.place = place
        if place.exists() and not (place / "manifest.json").is_file() and any(place.iterdir()):
            raise PackageError(
                f"expected {place} to be empty or a world package, found other files there; choose another --out"
            )
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            self.folder = Path(mkdtemp(prefix=f".{place.name}-", dir=place.parent))
        except OSError as error:
            raise PackageError(f"cannot write to {place.parent}: {error.strerror}") from error
        self.digests: dict[str, str] = {}

    def __enter__(self) -> "PackageWriter":
        return self

    def __exit__(self, *_: object) -> None:
        rmtree(self.folder, ignore_errors=True)

    def write_json(self, name: str, value: Mapping[str, object] | Sequence[object] | Json) -> None:
        """Write a JSON file and note its digest."""
        self.write_bytes(name, orjson.dumps(value, option=orjson.OPT_INDENT_2))
        self.digests[name] = digest_of(canonical(value))

    def write_bytes(self, name: str, data: bytes) -> None:
        """Write a file and note its digest.

        Raises:
            PackageError: it cannot be written (a full disk, say).
        """
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise PackageError(f"cannot write {self.place / name}: {error.strerror}") from error
        self.digests[name] = digest_of(data)

    def write_tools(self, app: str, tools: Sequence[ToolSchema]) -> None:
        """Freeze an app's tool schemas."""
        self.write_json(f"tools/{app}.json", _plain(tools))

    def write_tasks(self, tasks: Sequence[TaskRecord]) -> None:
        """Write tasks.jsonl, a line for each task."""
        self.write_bytes("tasks.jsonl", b"".join(canonical(task.model_dump()) + b"\n" for task in tasks))

    def finish(self, manifest: Manifest) -> Path:
        """Write the manifest and move the package to its place.

        Raises:
            PackageError: it cannot be moved there.
        """
        files = {path.name: checksum(path) for path in sorted(self.folder.glob("*.sqlite"))}
        whole = manifest.model_copy(update={"files": files})
        self.write_bytes("manifest.json", orjson.dumps(whole.model_dump(), option=orjson.OPT_INDENT_2))
        while not self._moved():
            pass  # another build of the same has come first: it is replaced
        return self.place

    def _moved(self) -> bool:
        """Move the package to its place, instead of one that is there; False where another build puts one there meanwhile."""
        old = None
        try:
            if self.place.exists():
                old = Path(mkdtemp(prefix=f".{self.place.name}-old-", dir=self.place.parent))
                with suppress(FileNotFoundError):
                    self.place.rename(old / "package")
            self.folder.rename(self.place)
        except OSError as error:
            if error.errno in (EEXIST, ENOTEMPTY):
                return False
            if old is not None and not self.place.exists():
                (old / "package").rename(self.place)
            raise PackageError(f"cannot move the package to {self.place}: {error.strerror}") from error
        finally:
            if old is not None:
                rmtree(old, ignore_errors=True)
        return True


def _plain(models: Sequence[BaseModel]) -> list[object]:
    return [model.model_dump() for model in models]
