"""Git in a session against git processes, in one run: `python -m benchmarks.git [--sizes S,L]`.

Ratios are what counts, since both sides share the machine's mood. The other side is the real git on a mirror of the
same session, the start of its process included, because that is what a session would pay for it.
"""

import argparse
import os
import random
import statistics
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import pygit2

from brownout.store import Base, Pool, StoreSession, create_world
from brownout.store.git import (
    BaseRepository,
    NewCommit,
    Repository,
    Signature,
    create_repository,
    metadata,
    mirror,
    receive_pack,
    seed_refs,
)

SIZES = {"S": (300, 150), "L": (400, 2000)}
NAME = "acme/shop"
ROUNDS = 30
WORDS = ("return", "value", "self", "index", "for", "if", "else", "raise", "order", "seat", "price", "=", "+")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: milliseconds here and in git processes."""

    name: str
    ours: float
    theirs: float | None = None
    note: str = ""


def signed(number: int) -> Signature:
    return Signature("Mara", "mara@acme.test", 1_770_000_000 + number * 600)


def text(draw: random.Random) -> bytes:
    lines = (" ".join(draw.choices(WORDS, k=7)) for _ in range(draw.randint(30, 90)))
    return "\n".join([*lines, ""]).encode()


def build(path: Path, commits: int, files: int) -> tuple[dict[str, str], float]:
    """The refs of a repository with that many commits on main and some on a branch, and the seconds it took."""
    draw = random.Random(5)
    width = max(5, files // 40)
    content = {f"src/d{number % width}/f{number}.py": text(draw) for number in range(files)}
    history = [NewCommit("Begin\n", signed(0), changes=dict(content))]
    paths = sorted(content)
    for number in range(1, commits):
        name = "src/d1/f1.py" if number % 10 == 0 else draw.choice(paths)
        lines = content[name].split(b"\n")
        lines[draw.randrange(len(lines) - 1)] = f"edited {number}".encode()
        content[name] = b"\n".join(lines)
        history.append(NewCommit(f"Edit {number}\n", signed(number), changes={name: content[name]}))
    for number in range(4):
        name = f"src/d0/new{number}.py"
        parents = (commits - 40,) if not number else None
        edit = NewCommit(
            f"Work {number}\n", signed(commits + number), branch="work", parents=parents, changes={name: text(draw)}
        )
        history.append(edit)
    began = perf_counter()
    built = create_repository(path, history)
    return dict(built.refs), perf_counter() - began


def timed(work: Callable[[int], object], rounds: int = ROUNDS) -> float:
    """Median milliseconds."""
    samples = []
    for number in range(rounds):
        began = perf_counter()
        work(number)
        samples.append(perf_counter() - began)
    return statistics.median(samples) * 1000


def git(folder: Path, *arguments: str, stdin: bytes = b"", index: str = "") -> bytes:
    environment = {"PATH": os.defpath, "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
    if index:
        environment["GIT_INDEX_FILE"] = index
    for role in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@test", f"GIT_{role}_DATE": "1770000000 +0000"}
    return subprocess.run(
        ["git", *arguments], cwd=folder, input=stdin, capture_output=True, check=True, env=environment
    ).stdout


def put_by_git(folder: Path, number: int) -> None:
    """What a contents PUT is in processes: blob, index, tree, commit, ref."""
    index = str(folder / "scratch.index")
    blob = git(folder, "hash-object", "-w", "--stdin", stdin=f"put {number}\n".encode()).decode().strip()
    git(folder, "read-tree", "main", index=index)
    git(folder, "update-index", "--add", "--cacheinfo", f"100644,{blob},src/d1/f1.py", index=index)
    tree = git(folder, "write-tree", index=index).decode().strip()
    commit = git(folder, "commit-tree", tree, "-p", "main", "-m", "Put").decode().strip()
    git(folder, "update-ref", "refs/heads/main", commit)


def content_lines(repository: Repository, folder: Path) -> Iterator[Line]:
    def put(number: int) -> None:
        repository.commit_files("main", {"src/d1/f1.py": f"put {number}\n".encode() * 30}, "Put", signed(9000 + number))

    yield Line("contents PUT", timed(put), timed(lambda n: put_by_git(folder, n), 8), "six processes")
    get = timed(lambda _: repository.read_file("main", "src/d1/f1.py"), 300)
    yield Line("contents GET", get, timed(lambda _: git(folder, "show", "main:src/d1/f1.py")))
    yield Line("blob written", timed(lambda n: repository.write_blob(b"%d" % n), 300))
    mirror(repository, folder)


def history_lines(repository: Repository, folder: Path) -> Iterator[Line]:
    def ours(name: str, work: Callable[[], object], *command: str, note: str = "") -> Line:
        return Line(name, timed(lambda _: work()), timed(lambda _: git(folder, *command), 12), note)

    yield ours("log, first page", lambda: repository.log("main"), "log", "-30", "--format=raw", "main")
    one = "src/d1/f1.py"
    yield ours(
        "log of one file", lambda: repository.log("main", one, limit=10**6), "log", "--format=raw", "main", "--", one
    )
    yield ours("blame", lambda: repository.blame("main~30", one), "blame", "--porcelain", "main~30", "--", one)
    yield ours("diff of 8 commits", lambda: repository.diff("main~48", "main~40"), "diff", "main~48", "main~40")
    yield ours("compare with a branch", lambda: repository.compare("main", "work"), "diff", "main...work")
    yield ours(
        "merge check", lambda: repository.merge_check("main", "work"), "merge-tree", "--write-tree", "main", "work"
    )
    yield ours("search code", lambda: repository.search_code("main", "edited 29"), "grep", "-in", "edited 29", "main")


def merge_line(pool: Pool, base: BaseRepository) -> Line:
    samples = []
    for _ in range(10):
        session = pool.open()
        repository = Repository(session.rows, NAME, base)
        began = perf_counter()
        repository.merge("main", "work", "merge", "Merge work", signed(9999))
        samples.append((perf_counter() - began) * 1000)
        session.close()
    return Line("merge", statistics.median(samples))


def transport_lines(repository: Repository, folder: Path, plain: Path, scratch: Path) -> Iterator[Line]:
    count = sum(1 for _ in repository.objects.rows())
    yield Line("mirror", timed(lambda _: mirror(repository, folder)), None, f"{count} objects of the session")
    for name, options in (("clone", ()), ("clone --depth 1", ("--depth", "1"))):

        def clone(source: Path, number: int, label: str, options: tuple[str, ...] = options) -> None:
            target = str(scratch / f"{label}-{len(options)}-{number}")
            git(scratch, "clone", "-q", "--no-checkout", *options, f"file://{source}", target)

        ours = timed(lambda n: clone(mirror(repository, folder), n, "ours"), 4)
        yield Line(name, ours, timed(lambda n: clone(plain, n, "plain"), 4), "of the package's plain repository")


def push_lines(pool: Pool, base: BaseRepository, scratch: Path) -> Iterator[Line]:
    session = pool.open()
    repository = Repository(session.rows, NAME, base)
    git(scratch, "clone", "-q", str(mirror(repository, scratch / "pushed")), "pusher")
    work = scratch / "pusher"
    for count in (1, 500):
        old = git(work, "rev-parse", "HEAD").decode().strip()
        for number in range(count):
            (work / f"pushed{count}-{number}.txt").write_text(f"{number} pushed\n" * 20)
        git(work, "add", "-A")
        git(work, "commit", "-qm", f"Push {count}")
        new = git(work, "rev-parse", "HEAD").decode().strip()
        pack = git(work, "pack-objects", "--thin", "--stdout", "--revs", "-q", stdin=f"{new}\n^{old}\n".encode())
        line = f"{old} {new} refs/heads/main\0report-status\n"
        body = f"{len(line) + 4:04x}{line}0000".encode() + pack
        began = perf_counter()
        push = receive_pack(repository, body)
        ours = (perf_counter() - began) * 1000
        assert push.updates, push.refused
        bare = scratch / f"bare{count}.git"
        git(scratch, "clone", "-q", "--bare", str(work), bare.name)
        git(bare, "update-ref", "refs/heads/main", old)
        began = perf_counter()
        git(bare, "receive-pack", "--stateless-rpc", ".", stdin=body)
        yield Line(f"receive, {count} new files", ours, (perf_counter() - began) * 1000, f"{len(body):,} bytes")
    session.close()


def state_lines(pool: Pool, base: BaseRepository) -> Iterator[Line]:
    session = pool.open()

    def edit(target: StoreSession) -> None:
        repository = Repository(target.rows, NAME, base)
        for number in range(10):
            files = {f"src/d{number % 4}/f{file}.py": f"{number}\n".encode() * 200 for file in range(3)}
            repository.commit_files("main", dict(files), f"Edit {number}", signed(9000 + number))

    edit(session)
    size = len(session.changeset())
    yield Line("digest of 10 commits", timed(lambda _: fresh_digest(session), 10), None, f"changeset {size:,} bytes")
    yield Line("fork and enter", timed(lambda _: session.fork().rows, 30))

    def reset(_: int) -> float:
        edit(session)
        began = perf_counter()
        session.reset()
        return (perf_counter() - began) * 1000

    yield Line("reset of 10 commits", statistics.median(reset(number) for number in range(20)))
    session.close()


def fresh_digest(session: StoreSession) -> str:
    twin = session.fork()
    return twin.digest()


def measure(size: str, scratch: Path) -> Iterator[Line]:
    commits, files = SIZES[size]
    plain = scratch / "shop.git"
    refs, seconds = build(plain, commits, files)
    packed = sum(path.stat().st_size for path in (plain / "objects" / "pack").iterdir())
    yield Line("repository built", seconds * 1000, None, f"{commits} commits, {files} files, {packed / 1e6:.1f} MB")
    yield Line("base opened", timed(lambda _: BaseRepository(plain), 5))
    base = BaseRepository(plain)
    with create_world(scratch / "world.sqlite", [metadata]) as world:
        seed_refs(world.rows, NAME, refs)
    store = Base(scratch / "world.sqlite")
    pool = Pool(store, hot=4)
    session = pool.open()
    repository = Repository(session.rows, NAME, base)
    folder = mirror(repository, scratch / "mirror")
    yield from content_lines(repository, folder)
    yield from history_lines(repository, folder)
    yield merge_line(pool, base)
    yield from transport_lines(repository, folder, plain, scratch)
    yield from push_lines(pool, base, scratch)
    yield from state_lines(pool, base)
    pool.close()
    store.close()


def show(line: Line) -> None:
    theirs = "" if line.theirs is None else f"{line.theirs:10.2f}"
    ratio = "" if line.theirs is None else f"{line.theirs / line.ours:8.1f}x"
    print(f"  {line.name:24}{line.ours:10.3f} ms{theirs:>11}{ratio:>10}  {line.note}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="S,L", help="S: 300 commits, 150 files; L: 400 commits, 2,000 files")
    version = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(
        f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {version}, libgit2 {pygit2.LIBGIT2_VERSION}; medians"
    )
    for size in parser.parse_args().sizes.split(","):
        print(f"\n{size}{'':30}ours        git     ratio")
        with tempfile.TemporaryDirectory() as scratch:
            for line in measure(size, Path(scratch)):
                show(line)


if __name__ == "__main__":
    main()
