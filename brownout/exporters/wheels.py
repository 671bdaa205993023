"""The wheels that an export carries: the runtime, which is Brownout without what only authors need, and others' plug-ins.

Both are versioned by their content (`0.1.0+3f2a…`), so a package that asks for one gets that very one from pip or nothing.
"""

from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import Distribution, distribution

from brownout.core.errors import BrokenPlugin, ExportError
from brownout.core.plugins import Kind, plugin_files, plugin_package
from brownout.core.top_level_packages import built_files, room_folder
from brownout.exporters.archive import zipped

__all__ = ["Wheel", "installed_runtime", "plugin_wheel", "runtime_wheel"]

_AUTHORS_ONLY = (
    "brownout/generators/packs/",
    "brownout/starter_app/",
    "brownout/studio/",
    "brownout/worlds/catalog/",
    "brownout/worlds/starter/",
)
"""What no session reads: phrase packs, the studio, and the shipped worlds with their reference solutions."""


@dataclass(frozen=True)
class Wheel:
    """A wheel.

    Attributes:
        distribution: its name as pip knows it.
        version: with a digest of what is in it.
    """

    distribution: str
    version: str
    data: bytes

    @property
    def file(self) -> str:
        """Its file's name."""
        return f"{self.distribution.replace('-', '_')}-{self.version}-py3-none-any.whl"

    @property
    def requirement(self) -> str:
        """What asks pip for this very wheel."""
        return f"{self.distribution}=={self.version}"

    @property
    def sha256(self) -> str:
        """Of the file, in hexadecimal."""
        return sha256(self.data).hexdigest()


@cache
def runtime_wheel() -> Wheel:
    """The runtime: everything that runs, serves and grades sessions, under names that are ours alone.

    It is the same whether Brownout is a checkout here or was installed from a wheel; a runtime packs itself.

    Raises:
        ExportError: Brownout is not installed here, or a module of it cannot be renamed.
    """
    try:
        files = built_files(room_folder("brownout").parent)
    except ValueError as error:
        raise ExportError(str(error)) from error
    kept = {name: data for name, data in files.items() if not name.startswith(_AUTHORS_ONLY)}
    return _packed(distribution("brownout"), kept)


def plugin_wheel(kind: Kind, name: str) -> Wheel:
    """The package that a stranger's plug-in comes with.

    Raises:
        BrokenPlugin: it was not installed as a package.
    """
    found = plugin_package(kind, name)
    if found is None:
        raise BrokenPlugin(f"{kind} plug-in {name!r} was not installed as a package, so it cannot be carried along")
    return _packed(found, dict(plugin_files(kind, name)))


@cache
def installed_runtime() -> str:
    """The version of what runs here, as a lock names it."""
    version = distribution("brownout").version
    return version if "+" in version else runtime_wheel().version


def _packed(of: Distribution, files: Mapping[str, bytes]) -> Wheel:
    state = sha256()
    for name, data in sorted(files.items()):
        state.update(f"{name}\0{len(data)}\0".encode() + data)
    name = of.metadata["Name"]
    version = f"{of.version.partition('+')[0]}+{state.hexdigest()[:12]}"
    info = f"{name.replace('-', '_')}-{version}.dist-info"
    told = {
        f"{info}/METADATA": _versioned(of.read_text("METADATA") or "", version),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: brownout\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": of.read_text("entry_points.txt") or "",
        f"{info}/licenses/LICENSE": of.read_text("licenses/LICENSE") or "",
    }
    whole = {**files, **{path: text.encode() for path, text in told.items() if text}}
    record = "".join(f"{path},sha256={_record_digest(data)},{len(data)}\n" for path, data in sorted(whole.items()))
    whole[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return Wheel(name, version, zipped(whole))


def _versioned(metadata: str, version: str) -> str:
    """The headers under another version; the description is left out, for the export has a README of its own."""
    headers = metadata.partition("\n\n")[0].splitlines()
    return "".join(f"Version: {version}\n" if line.startswith("Version: ") else f"{line}\n" for line in headers)


def _record_digest(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
