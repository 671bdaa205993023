"""Our patches against `git apply`, and our reading of git's own."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from brownout.store.git import BadName, File, PatchError, Repository, apply_patch, create_repository, mirror
from brownout.store.git.differences import patch_text
from brownout.store.git.object_sources import DraftObjects
from tests.store_git.histories import content, edited, tangle, text
from tests.store_git.sample import git, history, lines

WHO = "d/file name.txt"


def patch_of(old: bytes | None, new: bytes | None) -> str:
    """The patch between two contents of one file, made in memory."""
    draft = DraftObjects(None, "patches")
    trees = []
    for data in (old, new):
        blob = draft.write("blob", data or b"").encode()
        folder = draft.write_tree({} if data is None else {b"file name.txt": (0o100644, blob)}).encode()
        trees.append(draft.write_tree({} if data is None else {b"d": (0o040000, folder)}))
    return patch_text(draft, None, *trees)


def applied_by_git(folder: Path, before: bytes | None, patch: str) -> bytes | str | None:
    """The file after `git apply`, None where it is gone, "refused" where git would not."""
    place = folder / WHO
    place.unlink(missing_ok=True)
    if before is not None:
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(before)
    (folder / "p.patch").write_text(patch, newline="")
    git(folder, "apply", "--whitespace=nowarn", "p.patch", check=False)
    after = place.read_bytes() if place.exists() else None
    return "refused" if after == before else after


def applied_by_us(before: bytes | None, patch: str) -> bytes | str | None:
    try:
        file = apply_patch({} if before is None else {WHO: before}, patch)[WHO]
    except PatchError:
        return "refused"
    return None if file is None else file.data


SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.fuzz) for seed in range(6, 200))]


@pytest.mark.parametrize("seed", SEEDS)
def test_hunks_land_where_git_puts_them_or_are_refused_as_by_git(tmp_path: Path, seed: int) -> None:
    draw = Random(seed)
    outcomes = {True: 0, False: 0}
    for _ in range(25):
        old = text(draw, draw.randint(0, 30))
        new = edited(draw, edited(draw, old))
        met = old if draw.random() < 0.3 else edited(draw, old)  # the file has moved on since the patch was made
        one, other, before = (content(side, draw.random() < 0.85) for side in (old, new, met))
        patch = patch_of(one, other)
        if one == other:
            continue
        told, found = applied_by_git(tmp_path, before, patch), applied_by_us(before, patch)
        if found != before:  # a patch that changes nothing cannot be told from a refused one
            assert found == told, (patch, before)
            outcomes[found == "refused"] += 1
    assert all(outcomes.values())


def test_every_difference_of_a_history_applies_to_give_the_other_side(repository: Repository) -> None:
    draw = Random(11)
    tangle(draw, repository, 40)
    commits = repository.log("b0", limit=40)
    for new, old in zip(commits, commits[4:], strict=False):
        before = repository.archive(old.sha)
        changes = apply_patch(before, repository.patch(old.sha, new.sha)) if old.tree != new.tree else {}
        after = {path: file for path, file in {**before, **changes}.items() if file is not None}
        assert after == repository.archive(new.sha)


def test_git_takes_our_patches_with_moves_modes_and_odd_names(repository: Repository, tmp_path: Path) -> None:
    repository.commit_files("main", {
        "src/app.py": None, "lib/ünïcode\tname.py": lines(*range(1, 25)), "run.sh": File(b"#!/bin/sh\n", 0o100755),
        "link": File(b"README.md", 0o120000), "empty": b"", "a b": b"no end", "docs/notes.md": b"\r\nx\r\n",
    }, "Much", repository.log("main")[0].author)  # fmt: skip
    before, after = repository.archive("main~1"), repository.archive("main")
    patch = repository.patch("main~1", "main")
    changes = apply_patch(before, patch)
    assert {path: file for path, file in {**before, **changes}.items() if file is not None} == after
    git(tmp_path, "clone", "-q", str(mirror(repository, tmp_path / "mirror")), "work")
    git(tmp_path / "work", "checkout", "-q", "main~1")
    git(tmp_path / "work", "apply", "--index", "--whitespace=nowarn", "-", stdin=patch.encode())
    assert git(tmp_path / "work", "write-tree").decode().strip() == repository.tree_at("main")


def test_we_take_patches_as_git_and_its_mails_spell_them(repository: Repository, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(mirror(repository, tmp_path / "mirror")), "work")
    work = tmp_path / "work"
    git(work, "mv", "README.md", "docs/read me.md")
    git(work, "mv", "src/app.py", 'q"uote.py')
    (work / "run.sh").chmod(0o755)
    (work / "docs/notes.md").unlink()
    (work / "docs/notes.md").symlink_to("read me.md")
    git(work, "add", "-A")
    git(work, "commit", "-qm", "Subject\n\ndiff is mentioned here\n--- and here\n")
    before = repository.archive("main")
    for options in (["-M"], ["--no-renames"], ["-C", "--find-copies-harder"], ["-U0", "-M"], ["--full-index"]):
        patch = git(work, "format-patch", "--stdout", "-1", *options)
        changes = apply_patch(before, patch)
        after = {path: file for path, file in {**before, **changes}.items() if file is not None}
        assert after == {
            "docs/read me.md": File(b"# Shop\n"),
            'q"uote.py': before["src/app.py"],
            "run.sh": File(b"#!/bin/sh\n", 0o100755),
            "docs/notes.md": File(b"read me.md", 0o120000),
        }, options


def test_two_files_may_exchange_their_names() -> None:
    patch = (
        "diff --git a/one b/two\nsimilarity index 100%\nrename from one\nrename to two\n"
        "diff --git a/two b/one\nsimilarity index 100%\nrename from two\nrename to one\n"
    )
    assert apply_patch({"one": b"1", "two": b"2"}, patch) == {"one": File(b"2"), "two": File(b"1")}


CHANGE = "diff --git a/f b/f\n--- a/f\n+++ b/f\n"
NEW = "diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n"
REFUSED = {
    "hunk 2: these lines, expected at line 9": CHANGE + "@@ -1,2 +1,2 @@\n-line 1\n+x\n line 2\n@@ -9,2 +9,1 @@\n-no\n line 9\n",
    "f, hunk 1: line 7 of the patch is not part of the hunk": CHANGE + "@@ -1,4 +1,4 @@\n-line 1\n+x\nOops\n",
    "f, hunk 1: the hunk has more lines": CHANGE + "@@ -1,1 +1,2 @@\n-line 1\n-line 2\n+x\n",
    "g: there is no such file": CHANGE.replace("/f", "/g") + "@@ -1 +1 @@\n-a\n+b\n",
    "f: the file is there already": NEW,
    "leaves lines in it": "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,4 +1,3 @@\n-line 1\n line 2\n line 3\n line 4\n",
    "binary": "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nliteral 0\n",
    "no line begins": "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n",
    "names no files": "diff --git nonsense\n",
    "out of place": CHANGE + "@@ -1 +1 @@\n-line 1\n+x\n\n@@ -5 +5 @@\n-line 5\n+y\n",
}  # fmt: skip


@pytest.mark.parametrize("reason", REFUSED)
def test_a_patch_that_does_not_fit_says_which_file_and_hunk(reason: str) -> None:
    with pytest.raises(PatchError) as caught:
        apply_patch({"f": lines(*range(1, 13))}, REFUSED[reason])
    assert reason in str(caught.value)


@pytest.mark.parametrize("path", ["../up", ".git/hooks/pre-commit", "a//b"])
def test_a_patch_cannot_reach_outside(path: str) -> None:
    with pytest.raises(BadName):
        apply_patch({}, NEW.replace("b/f", f"b/{path}").replace("a/f", f"a/{path}"))


def test_a_history_of_patches_is_the_history_of_changes(tmp_path: Path) -> None:
    plain = create_repository(tmp_path / "plain.git", history())
    patched = []
    for number, commit in enumerate(history()):
        sha = plain.commits[number]
        parents = git(plain.path, "rev-parse", f"{sha}^@").decode().split()
        patch = git(plain.path, "diff-tree", "-p", "--root", "--no-commit-id", *(parents or []), sha).decode()
        patched.append(replace(commit, changes=None, patch=patch))
    again = create_repository(tmp_path / "patched.git", patched)
    assert again.refs == plain.refs
