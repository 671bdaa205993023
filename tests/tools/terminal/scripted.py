"""A day's work at a terminal, played in a session of its own: what came of it, as one JSON document.

python -m tests.tools.terminal.scripted PACKAGE
"""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from brownout.engine.world import World
from tests.tools.terminal.company import NAME, Desk

STEPS: list[tuple[str, dict[str, Any]]] = [
    ("run", {"command": "ls -la; date; git status; git log --oneline | head -3; find . -name '*.py' | head", "cwd": "boxoffice"}),
    ("run", {"command": "git checkout -b fix; sed -i 's/Seat maps/Maps/' README.md; printf 'x = 1\n' > boxoffice/extra.py; "
                        "python3 -m pytest tests/test_clock.py; git add -A; git commit -m 'Say it shorter'; git show --stat",
             "cwd": "boxoffice"}),
    ("run", {"command": "git push -u origin fix; mktemp; python3 -c 'print(object())'; sleep 60 & echo $$ > /tmp/pid; "
                        "mkfifo /tmp/pipe; git tag -am Nine v9; git push --tags", "cwd": "boxoffice"}),
    ("write_file", {"path": "boxoffice/docs/new.md", "content": "# New\n"}),
    ("run", {"command": "git add .; git commit -qm Docs; git push; git log --format='%H %ad %cd' | head -3; cat /tmp/pid; "
                        "echo $$; ls -la /tmp .git; git gc -q; ls .git/objects/pack", "cwd": "boxoffice"}),
    ("list_files", {"path": "boxoffice/docs"}),
    ("run", {"command": "git clone -q git@github.com:pennywhistle/boxoffice.git two; git -C two log --oneline -1; "
                        "tar cf two.tar two/docs; sha256sum two.tar; rm -rf two; echo loose > loose; ls -laR . | sha256sum"}),
]  # fmt: skip


def play(desk: Desk, steps: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """What came of each step: the answer, the effects, the session's digest."""
    told = []
    for name, arguments in steps:
        made = desk.call(name, **arguments)
        told.append([made.content, [asdict(effect) for effect in made.effects], desk.session.digest()])
    return told


def work(world: World) -> list[Any]:
    """The day's work, with a pull opened on the way."""
    desk = Desk.at(world, seed=5)
    told = play(desk, STEPS[:3])
    desk.pull("fix")
    told += play(desk, STEPS[3:])
    told.append(desk.git.refs.all())
    told.append(desk.rows("SELECT sha, conclusion, summary, log FROM github_check ORDER BY id DESC LIMIT 2"))
    assert len(told[-1]) == 2, NAME
    return told


if __name__ == "__main__":
    with World(Path(sys.argv[1]), hot=2) as world:
        print(json.dumps(work(world)))
