"""A session's repository as files, for the real git to read: `upload-pack`, clones, checkouts."""

from pathlib import Path
from typing import Final

from brownout.store.git.packs import PackedObject, write_pack
from brownout.store.git.refs import BRANCHES, packed_refs
from brownout.store.git.repository import Repository

__all__ = ["mirror"]

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


def mirror(repository: Repository, folder: Path) -> Path:
    """A bare repository in `folder` that is as the session is now; half a millisecond, so make it anew at will.

    The package's objects are named as an alternate, the session's lie in one pack, their streams copied. Nothing
    written into the folder comes back (see `import_pack`). No process may be reading a mirror that is made again.
    Run git in it without anybody's configuration: `HOME` empty, `GIT_CONFIG_NOSYSTEM=1`.
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
    (info / "alternates").write_text(f"{repository.base.objects_path}\n")
    (folder / "config").write_text(_CONFIG)
    (folder / "packed-refs").write_text(packed_refs(repository.objects, repository.refs.all()))
    (folder / "HEAD").write_text(f"ref: {BRANCHES}{repository.refs.default_branch}\n")
    return folder
