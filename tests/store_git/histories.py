"""Random histories of small text files, for comparison with the real git."""

from random import Random

from brownout.store.git import Commit, File, FileChange, Repository
from tests.store_git.sample import signed

WORDS = ("alpha", "beta", "gamma", "delta", "", "    return", "}", "def f():", "class C:", "x = 1")


def text(draw: Random, length: int) -> list[str]:
    return [f"{draw.choice(WORDS)} {draw.randrange(9)}".rstrip() for _ in range(length)]


def edited(draw: Random, lines: list[str]) -> list[str]:
    """The lines after a few insertions, deletions and replacements."""
    lines = list(lines)
    for _ in range(draw.choice([1, 1, 2, 3])):
        at = draw.randint(0, len(lines))
        count = draw.randint(0, 2)
        lines[at : at + count] = text(draw, draw.randint(0, 3))
    return lines


def content(lines: list[str], is_whole: bool = True) -> bytes:
    return ("\n".join(lines) + ("\n" if is_whole and lines else "")).encode()


def changes(draw: Random, repository: Repository, branch: str, renames: bool) -> dict[str, FileChange]:
    """Up to three edits, additions, deletions, moves or changes of mode on top of a branch."""
    found: dict[str, FileChange] = {}
    files = repository.archive(branch)
    for _ in range(draw.randint(1, 3)):
        kind = draw.choice(["edit"] * 5 + ["add", "mode", "delete"] + ["move"] * (3 * renames))
        paths = [path for path in sorted(files) if path not in found]
        if kind == "add" or not paths:
            path = f"d{draw.randrange(3)}/n{draw.randrange(6)}.txt"
            if path not in found:
                found[path] = content(text(draw, draw.randint(1, 12)), draw.random() < 0.8)
            continue
        path = draw.choice(paths)
        file = files[path]
        lines = file.data.decode().split("\n")[:-1]
        if kind == "delete":
            found[path] = None
        elif kind == "mode":
            found[path] = File(file.data, 0o100755 if file.mode == 0o100644 else 0o100644)
        elif kind == "move":
            target = f"m{draw.randrange(3)}/{draw.randrange(100)}.txt"
            if target not in files and target not in found:
                found[path] = None
                found[target] = File(content(edited(draw, lines) if draw.random() < 0.5 else lines), file.mode)
        else:
            found[path] = File(content(edited(draw, lines), draw.random() < 0.9), file.mode)
    return found


def begin(draw: Random, repository: Repository, branch: str, files: int, length: int) -> Commit:
    """A branch of its own with that many files."""
    made = {
        f"d{number % 3}/f{number}.txt": content(text(draw, draw.randint(length // 2, length)))
        for number in range(files)
    }
    return repository.commit_files(branch, dict(made), "Begin", signed(0))


def grow(draw: Random, repository: Repository, branch: str, hour: int, renames: bool = False) -> Commit | None:
    """One more commit on a branch; None where the draw changed nothing."""
    drawn = changes(draw, repository, branch, renames)
    tree = repository.write_tree(drawn, repository.tree_at(branch))
    if tree == repository.tree_at(branch):
        return None
    return repository.commit_files(branch, drawn, f"Commit {hour}", signed(hour, hour % 2))


def tangle(draw: Random, repository: Repository, commits: int) -> list[str]:
    """Branches that leave and join each other; returns their names. The clock sometimes stands still."""
    begin(draw, repository, "b0", 5, 20)
    branches = ["b0"]
    hour = 0
    for number in range(commits):
        hour += draw.randint(0, 2)
        branch = draw.choice(branches)
        roll = draw.random()
        if roll < 0.15 and len(branches) < 4:
            branches.append(f"b{len(branches)}")
            repository.set_ref(f"refs/heads/{branches[-1]}", repository.resolve(branch), None)
        elif roll < 0.4 and len(branches) > 1:
            other = draw.choice([name for name in branches if name != branch])
            ours, theirs = repository.resolve(branch), repository.resolve(other)
            if not repository.contains(branch, other):
                merged = repository.merge_check(branch, other)
                tree = merged.tree or repository.tree_at(draw.choice([branch, other]))
                if merged.tree:
                    repository.merge(branch, other, "merge", f"Merge {number}", signed(hour))
                else:
                    made = repository.commit(tree, (ours, theirs), signed(hour), signed(hour), f"Solved {number}")
                    repository.set_ref(f"refs/heads/{branch}", made.sha, ours)
        else:
            grow(draw, repository, branch, hour, renames=True)
    return branches
