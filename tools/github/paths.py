"""How GitHub's things are called: `github:pennywhistle/boxoffice.pull/12`.

What hangs on a branch or a pull has a path below it, so a rubric that permits `github:pennywhistle/boxoffice.pull/12`
permits its comments, and one that permits `….branch/fix-*` what is pushed there.
"""

from brownout.store.git.refs import BRANCHES, TAGS

__all__ = ["branch_path", "commit_path", "pull_path", "ref_path", "repository_path", "split_path", "user_path"]

_PULLS = "refs/pull/"


def repository_path(full_name: str) -> str:
    """`github:pennywhistle/boxoffice`."""
    return f"github:{full_name}"


def branch_path(full_name: str, branch: str) -> str:
    """`github:pennywhistle/boxoffice.branch/main`."""
    return f"github:{full_name}.branch/{branch}"


def commit_path(full_name: str, sha: str) -> str:
    """`github:pennywhistle/boxoffice.commit/3f2a…`."""
    return f"github:{full_name}.commit/{sha}"


def pull_path(full_name: str, number: int) -> str:
    """`github:pennywhistle/boxoffice.pull/12`."""
    return f"github:{full_name}.pull/{number}"


def user_path(login: str) -> str:
    """`github:user/ida`."""
    return f"github:user/{login}"


def ref_path(full_name: str, ref: str) -> str:
    """The path of a ref by its full name; the ref that keeps a pull's head belongs to the pull."""
    if ref.startswith(BRANCHES):
        return branch_path(full_name, ref.removeprefix(BRANCHES))
    if ref.startswith(TAGS):
        return f"github:{full_name}.tag/{ref.removeprefix(TAGS)}"
    if ref.startswith(_PULLS):
        return f"github:{full_name}.pull/{ref.removeprefix(_PULLS).replace('/', '.')}"
    return f"github:{full_name}.ref/{ref}"


def split_path(path: str) -> tuple[str, str, str]:
    """Full name, kind and item of a path or of one below it: `("pennywhistle/boxoffice", "pull", "12")`.

    All empty where the path names nothing in a repository.
    """
    name, dot, rest = path.removeprefix("github:").partition(".")
    kind, slash, item = rest.partition("/")
    if not path.startswith("github:") or not dot or not slash:
        return "", "", ""
    return name, kind, item.partition(".")[0] if kind in ("pull", "commit") else item
