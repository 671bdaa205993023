"""The Python that runs inside the sandbox: a trimmed copy of the running interpreter, with pytest.

A copy, because the original may lie where the sandbox's user cannot go, because its site-packages hold the
world's hidden tests and graders, and because bind mounts show their source. Bound read-only at `/opt/python`.
"""

import marshal
import os
import re
import shutil
import struct
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from typing import Final

from brownout.core.errors import SandboxUnavailable
from brownout.sandbox.cache import built

__all__ = ["PYTHON", "PYTHON_HOME", "Runtime", "main", "runtime"]

PYTHON_HOME: Final = "/opt/python"
PYTHON: Final = f"{PYTHON_HOME}/bin/python3"

_ROOM: Final = Path(__file__).parent.parent.parent
_BOOT: Final = "import sys; sys.path.insert(0, sys.argv[1]); from brownout.sandbox.interpreter_copy import main; main()"
_FORMAT: Final = 3  # of the copy; raise it when the code below changes what is copied
_LEFT_OUT: Final = (
    "test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "pydoc_data",
    "site-packages", "dist-packages", "config-*", "__pycache__",
)  # fmt: skip
_VERSION: Final = f"{sys.version_info.major}.{sys.version_info.minor}"
_MADE_OF: Final = struct.Struct("<3I")
"""The head of a compiled file: flags, and of its source the time in seconds since 1970 and the size (PEP 552)."""
_UNCHECKED: Final = struct.pack("<I", 1)
_CONSOLE: Final = f"#!{PYTHON}\nimport sys\n\nimport pytest\n\nsys.exit(pytest.main())\n"


@dataclass(frozen=True, slots=True)
class Runtime:
    """A copied interpreter.

    Attributes:
        folder: where it lies on the host.
        packages: names and versions of what was copied into its site-packages; empty where pytest is not installed.
    """

    folder: Path
    packages: tuple[str, ...]

    @property
    def has_pytest(self) -> bool:
        return any(package.startswith("pytest==") for package in self.packages)


@cache
def runtime() -> Runtime:
    """The copy for the running interpreter, made at first use (about a second, 70 MB).

    Raises:
        SandboxUnavailable: the interpreter could not be copied.
    """
    packages = tuple(sorted(f"{each.name}=={each.version}" for each in _packages()))
    identity = f"{_FORMAT} {sys.version} {sys.base_prefix} {packages}"
    digest = blake2b(identity.encode(), digest_size=6).hexdigest()
    return Runtime(built(f"python-{_VERSION}-{digest}", _copy_apart), packages)


def _copy_apart(draft: Path) -> None:
    """Fill the folder in a process of its own: it is work for a whole core, and whoever waits has other things to do."""
    command = [sys.executable, "-I", "-c", _BOOT, str(_ROOM), str(draft)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise SandboxUnavailable(done.stderr.strip()[-2000:] or "the interpreter's copy could not be made")


def main() -> None:
    """What that process does: `sys.argv` ends with the folder."""
    try:
        _copy(Path(sys.argv[-1]), _packages())
    except SandboxUnavailable as error:
        sys.exit(str(error))


def _packages() -> list[Distribution]:
    """What the copy has beside the standard library."""
    return list(_with_requirements("pytest", set()))


def _with_requirements(name: str, seen: set[str]) -> Iterator[Distribution]:
    """The installed distribution and what it needs, extras left out; nothing where it is not installed."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen:
        return
    seen.add(key)
    try:
        found = distribution(name)
    except PackageNotFoundError:
        return
    yield found
    for requirement in found.requires or ():
        needed = re.match(r"[\w.-]+", requirement)
        if needed and "extra ==" not in requirement:
            yield from _with_requirements(needed[0], seen)


def _copy(draft: Path, packages: list[Distribution]) -> None:
    base = Path(sys.base_prefix)
    library = draft / "lib" / f"python{_VERSION}"
    origins = {library: Path(sysconfig.get_path("stdlib"))}
    shutil.copytree(origins[library], library, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    site = library / "site-packages"
    site.mkdir()
    (draft / "lib" / "python3").mkdir()
    (draft / "lib" / "python3" / "dist-packages").symlink_to(f"../python{_VERSION}/site-packages")  # Debian's name
    for package in packages:
        origins[site] = Path(str(package.locate_file("")))
        _copy_package(package, site)
    binaries = draft / "bin"
    binaries.mkdir()
    original = base / "bin" / f"python{_VERSION}"
    if not original.is_file():
        raise SandboxUnavailable(f"expected the interpreter at {original}; run brownout with a complete Python")
    shutil.copy(original.resolve(), binaries / f"python{_VERSION}")
    for alias in ("python3", "python"):
        (binaries / alias).symlink_to(f"python{_VERSION}")
    if packages:
        (binaries / "pytest").write_text(_CONSOLE)
        (binaries / "pytest").chmod(0o755)
    if not base.is_relative_to("/usr"):  # else its libraries are below the sandbox's own /usr
        for shared in (base / "lib").glob("*.so*"):
            if shared.is_file() and not shared.is_symlink():
                shutil.copy(shared, draft / "lib" / shared.name)
    _forget_origin(draft, library, os.fsencode(base))
    _compile(draft, [path for path in library.rglob("*.py") if not _take_compiled(draft, path, origins)])


def _copy_package(package: Distribution, site: Path) -> None:
    for file in package.files or ():
        if ".." in file.parts or file.suffix == ".pyc" or file.is_absolute():
            continue
        source, target = Path(str(package.locate_file(file))), site / file
        if source.is_file() and file.name not in ("direct_url.json", "RECORD"):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


def _forget_origin(draft: Path, library: Path, base: bytes) -> None:
    """Replace the original prefix: libraries are then found, and the host's folders are not told.

    In a binary a path is a zero-terminated string. The library path becomes shorter in its place; any other
    keeps its length and its last part, because linkers let a short string share the tail of a longer one.
    """
    home = PYTHON_HOME.encode()
    last = base[base.rfind(b"/") :]
    same_length = home.ljust(len(base) - len(last), b"/") + last
    if len(same_length) == len(base) and not base.startswith(b"/usr"):
        runpath = re.compile(re.escape(base) + rb"/lib(?=[\0:])")
        for path in (draft / "bin" / f"python{_VERSION}", *(draft / "lib").glob("*.so*"), *library.rglob("*.so")):
            data = path.read_bytes()
            if base in data:
                data = runpath.sub(lambda found: (home + b"/lib").ljust(len(found[0]), b"\0"), data)
                path.write_bytes(data.replace(base, same_length))
    for path in library.glob("_sysconfigdata*.py"):
        path.write_bytes(path.read_bytes().replace(base, home))


def _take_compiled(draft: Path, path: Path, origins: Mapping[Path, Path]) -> bool:
    """Whether the original's compiled form could be taken over, under the name that the copy has inside.

    Args:
        origins: folder of the copy -> the folder that it was copied from.
    """
    home = next(folder for folder in path.parents if folder in origins)
    source = origins[home] / path.relative_to(home)
    inside = f"{PYTHON_HOME}/{path.relative_to(draft)}"
    try:
        data, found = Path(cache_from_source(source)).read_bytes(), source.stat()
    except OSError:
        return False
    made_of = _MADE_OF.pack(0, int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF)
    text = path.read_bytes()
    if data[:16] != MAGIC_NUMBER + made_of or text != source.read_bytes():
        return False
    name = marshal.loads(data[16:]).co_filename
    code = data[16:].replace(_short(name), _short(inside))
    if name.encode() in code or marshal.loads(code).co_filename != inside:
        return False
    _write_compiled(path, MAGIC_NUMBER + _UNCHECKED + source_hash(text) + code)
    return True


def _short(name: str) -> bytes:
    """A name as marshal writes it, its length first."""
    return bytes([min(len(name), 255)]) + name.encode()


def _write_compiled(path: Path, data: bytes) -> None:
    place = Path(cache_from_source(path))
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(data)


def _compile(draft: Path, paths: list[Path]) -> None:
    """Compile with the final names, never checked against source times: the copy is read-only."""
    names = ["-s", str(draft), "-p", PYTHON_HOME, "-i", "-"]
    command = [sys.executable, "-I", "-m", "compileall", "-q", "-j2", "--invalidation-mode", "unchecked-hash", *names]
    listed = "".join(f"{path}\n" for path in paths)
    done = subprocess.run(command, input=listed.encode(), capture_output=True, check=False)
    if done.returncode not in (0, 1):  # 1: a file that is no Python, such as a template
        raise SandboxUnavailable(f"the interpreter's copy could not be compiled: {done.stderr.decode()[-400:]}")
