"""A session's repository as files, for the real git to read: `upload-pack`, clones, checkouts."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from brownout.store.git.packs import PackedObject, write_pack
from brownout.store.git.refs import BRANCHES, packed_refs
from brownout.store.git.repository import Repository

__all__ = ["GIT_ENVIRONMENT", "mirror", "upload_pack_command"]

_CONFIG: Final = """\
[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[pack]
	window = 0
[gc]
	auto = 0
"""


GIT_ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {"HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
)
"""What git runs with on a mirror, beside PATH: nobody's configuration."""


def upload_pack_command(folder: Path, *, advertises: bool) -> list[str]:
    """The process that answers a fetch over HTTP; the request goes in, the answer comes out, to be passed on at once.

    For `GET info/refs` (`advertises`) the answer wants a line `# service=git-upload-pack` before it. The header
    `Git-Protocol` goes into the environment as `GIT_PROTOCOL`.
    """
    asked = ["--http-backend-info-refs"] if advertises else []
    return ["git", "upload-pack", "--stateless-rpc", *asked, str(folder)]


def mirror(repository: Repository, folder: Path) -> Path:
    """A bare repository in `folder` that is as the session is now; half a millisecond, so make it anew at will.

    The package's objects are named as an alternate, the session's lie in one pack, their streams copied. Nothing
    written into the folder comes back (see `import_pack`). No process may be reading a mirror that is made again.
    Run git in it with `GIT_ENVIRONMENT`.
    """
    packs = folder / "objects" / "pack"
    packs.mkdir(parents=True, exist_ok=True)
    info = folder / "objects" / "info"
    info.mkdir(exist_ok=True)
    (folder / "refs").mkdir(exist_ok=True)
    made = (PackedObject(*row) for row in repository.objects.rows())
    name = write_pack(packs, made)
    for old in packs.iterdir():
        if old.stem != name:
            old.unlink()
    if repository.base.objects_path is not None:
        (info / "alternates").write_text(f"{repository.base.objects_path}\n")
    (folder / "config").write_text(_CONFIG)
    (folder / "packed-refs").write_text(packed_refs(repository.objects, repository.refs.all()))
    (folder / "HEAD").write_text(f"ref: {BRANCHES}{repository.refs.default_branch}\n")
    return folder
