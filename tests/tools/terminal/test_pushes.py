"""What is pushed from a terminal, and what GitHub makes of it."""

import pytest

from brownout.core.calls import Observation
from brownout.core.instants import SECOND
from tests.tools.terminal.company import NAME, Desk

pytestmark = pytest.mark.sandbox

COMMIT = "git checkout -qb {0}; echo {0} > {0}.txt; git add .; git commit -qm 'Add {0}'; "
MIRROR = f"/tmp/.github.com/{NAME}.git"


def start(desk: Desk, branch: str = "fix", more: str = "git push -q -u origin fix") -> Observation:
    """Commit a file to a new branch and push it."""
    found = desk.call("run", command=COMMIT.format(branch) + more, cwd="boxoffice")
    assert '"exit_code":0' in found.content, found.content
    return found


def tables(answer: Observation) -> set[str]:
    return {effect.table for effect in answer.effects if not effect.harmless}


def tip(desk: Desk) -> str:
    return desk.says("git rev-parse HEAD", cwd="boxoffice").strip()


# -- what a push does ---------------------------------------------------------------------------------------


def test_a_new_branch_is_everybodys(desk: Desk) -> None:
    made = start(desk)
    assert tables(made) == {"engine_git_ref", "github_push"}
    assert "remote:      https://github.com/pennywhistle/boxoffice/pull/new/fix" in str(made.structured)
    assert desk.git.refs.get("refs/heads/fix") == tip(desk)
    assert desk.git.read_file("fix", "fix.txt") == b"fix\n"
    pushed = desk.rows("SELECT ref, before, after, text FROM github_push ORDER BY id DESC LIMIT 1")
    assert pushed == [("refs/heads/fix", "", tip(desk), "Add fix")]
    assert [said.text for said in desk.session.said] == ["Add fix"]
    assert desk.says("git fetch; git status -sb | head -1", cwd="boxoffice") == "## fix...origin/fix\n"


def test_a_pull_follows_its_branch_and_its_tests_run(desk: Desk) -> None:
    start(desk)
    number = desk.pull("fix")["number"]
    broken = (
        "echo 'def test_broken(): assert False' > tests/test_broken.py; git add .; git commit -qm Break; git push -q"
    )
    desk.says(broken, cwd="boxoffice")
    found = desk.rows("SELECT head_sha, files FROM github_pull WHERE number = ?", number)
    assert found == [(tip(desk), '["fix.txt","tests/test_broken.py"]')]
    checks = desk.rows("SELECT sha, conclusion, failed FROM github_check ORDER BY id DESC LIMIT 1")
    assert checks == [(tip(desk), "failure", 1)]


def test_a_protected_branch_is_refused_in_githubs_words(desk: Desk) -> None:
    before = desk.git.refs.all()
    command = "echo x >> README.md; git commit -qam x; git push; git push origin :main; git push -f origin HEAD~2:main"
    answer = desk.call("run", command=command, cwd="boxoffice")
    told = str(answer.structured)
    assert "remote: error: GH006: Protected branch update failed for refs/heads/main." in told
    assert "remote: error: Changes must be made through a pull request." in told
    assert " ! [remote rejected] main -> main (protected branch hook declined)" in told
    assert "refusing to delete the current branch: refs/heads/main" in told
    assert desk.git.refs.all() == before
    assert tables(answer) == set()
    assert "note" not in dict(answer.structured)  # type: ignore[arg-type]


def test_what_may_be_pushed_beside_what_may_not_is_taken(desk: Desk) -> None:
    odd = "HEAD:refs/pull/999/head HEAD:refs/heads/$(printf 'x\\377')"
    told = desk.run(COMMIT.format("one") + f"git push origin HEAD:one HEAD:main {odd}", cwd="boxoffice")
    assert told["exit_code"] == 1
    assert "(deny updating a hidden ref)" in told["output"]
    assert "(funny refname)" in told["output"]
    assert desk.git.refs.get("refs/heads/one") == tip(desk)
    desk.run(COMMIT.format("two") + "git push --atomic origin HEAD:two HEAD:main", cwd="boxoffice")
    assert desk.git.refs.get("refs/heads/two") is None


def test_branches_can_go_back_and_away(desk: Desk) -> None:
    start(desk)
    desk.pull("fix")
    desk.says("git commit -q --amend -m 'Add it otherwise'; git push -qf", cwd="boxoffice")
    assert desk.git.refs.get("refs/heads/fix") == tip(desk)
    gone = desk.call("run", command="git push origin :fix", cwd="boxoffice")
    assert desk.git.refs.get("refs/heads/fix") is None
    assert desk.rows("SELECT state FROM github_pull ORDER BY id DESC LIMIT 1") == [("closed",)]
    assert tables(gone) == {"engine_git_ref", "github_push", "github_pull"}


def test_tags_are_pushed(desk: Desk) -> None:
    desk.says("git tag light; git tag -am Heavy heavy; git push -q --tags; git push -q origin :light", cwd="boxoffice")
    assert set(desk.git.refs.tags()) >= {"heavy"}
    assert "light" not in desk.git.refs.tags()
    assert desk.git.tag(desk.git.refs.tags()["heavy"]).message == "Heavy\n"


def test_several_pushes_of_one_command_are_one(desk: Desk) -> None:
    again = "git push -q -u origin fix; echo 2 >> fix.txt; git commit -qam Two; git push -q"
    start(desk, more=again)
    pushed = desk.rows("SELECT before, after, text FROM github_push ORDER BY id DESC LIMIT 1")
    assert pushed == [("", tip(desk), "Add fix\n\nTwo")]


def test_what_others_push_can_be_fetched(desk: Desk) -> None:
    desk.run("true")
    made = desk.session.call("github_create_branch", {"repo": NAME, "branch": "theirs"})
    assert not made.is_error
    files = {"repo": NAME, "branch": "theirs", "message": "Theirs", "files": [{"path": "new.txt", "content": "hi\n"}]}
    assert not desk.session.call("github_push_files", files).is_error  # type: ignore[arg-type]
    assert desk.says("git fetch -q; git show origin/theirs:new.txt", cwd="boxoffice") == "hi\n"
    assert desk.says("git checkout -q theirs; git log -1 --format=%s", cwd="boxoffice") == "Theirs\n"


def test_a_push_over_work_not_seen_is_refused(desk: Desk) -> None:
    start(desk)
    files = {"repo": NAME, "branch": "fix", "message": "Theirs", "files": [{"path": "new.txt", "content": "hi\n"}]}
    assert not desk.session.call("github_push_files", files).is_error  # type: ignore[arg-type]
    told = desk.run("echo y > y; git add y; git commit -qm y; git push", cwd="boxoffice")
    assert "! [rejected]        fix -> fix (fetch first)" in told["output"]
    desk.says("git pull -q --rebase; git push -q", cwd="boxoffice")
    assert [commit.subject for commit in desk.git.log("fix", limit=3)] == ["y", "Theirs", "Add fix"]


def test_a_shallow_clone_pushes_too(desk: Desk) -> None:
    shallow = "git clone -q --depth 1 git@github.com:pennywhistle/boxoffice.git s; cd s; "
    desk.says(shallow + COMMIT.format("deep") + "git push -q origin deep", cwd="/tmp")
    assert desk.git.read_file("deep", "deep.txt") == b"deep\n"


# -- what is done to the mirrors by hand --------------------------------------------------------------------


def test_refs_written_by_hand_are_no_push(desk: Desk) -> None:
    before = desk.git.refs.all()
    desk.run(f"git rev-parse HEAD~1 > {MIRROR}/refs/heads/main; git --git-dir {MIRROR} branch odd", cwd="boxoffice")
    assert desk.git.refs.all() == before
    assert desk.says("git ls-remote origin main | cut -f1", cwd="boxoffice").strip() == before["refs/heads/main"]


def test_a_forged_journal_gains_nothing(desk: Desk) -> None:
    before = desk.git.refs.all()
    forged = (
        f"old=$(git rev-parse HEAD); new=$(git rev-parse HEAD~1); cd {MIRROR}; "
        "echo $old $new refs/heads/main > journal; "
        f"echo $old {'0' * 40} refs/heads/main >> journal; "
        f"echo {'0' * 40} $new refs/heads/../../x >> journal; "
        f"echo {'0' * 40} $new refs/heads/-x >> journal; "
        f"echo {'0' * 40} {'1' * 40} refs/heads/missing >> journal; "
        f"echo {'0' * 40} $new refs/pull/99/head >> journal; "
        f"echo $new $old refs/heads/stale >> journal; "
        f"printf '%s %s refs/heads/\\377\\n' {'0' * 40} $new >> journal; "
        f"head -c 100000 /dev/urandom >> journal"
    )
    answer = desk.call("run", command=forged, cwd="boxoffice")
    assert desk.git.refs.all() == before
    assert tables(answer) == set()
    note = str(answer.structured["note"])  # type: ignore[index, call-overload]
    for reason in ("missing necessary objects", "funny refname", "stale info", "hidden ref", "current branch"):
        assert reason in note, note


def test_objects_that_are_not_sound_are_not_taken(desk: Desk) -> None:
    make = """
blob=$(echo hi | git hash-object -w --stdin)
tree=$(python3 -c "import sys; sys.stdout.buffer.write(b'100644 ..' + bytes(1) + bytes.fromhex('$blob'))" |
  git hash-object -w -t tree --literally --stdin)
git push origin $(git commit-tree $tree -m evil):refs/heads/evil
"""
    before = desk.git.refs.all()
    answer = desk.call("run", command=make, cwd="boxoffice")
    assert "which no checkout should hold" in str(answer.structured)
    assert desk.git.refs.all() == before
    assert tables(answer) == set()


@pytest.mark.parametrize("folders", ["$tree\\ta\\n040000 tree $tree\\tb", "$tree\\ta"])
def test_trees_that_unfold_without_end_are_not_taken(desk: Desk, folders: str) -> None:
    make = f"""
blob=$(echo x | git hash-object -w --stdin); tree=$(printf "100644 blob $blob\\tf\\n" | git mktree)
for i in $(seq 120); do tree=$(printf "040000 tree {folders}\\n" | git mktree); done
git push origin $(git commit-tree $tree -m bomb):refs/heads/bomb
"""
    answer = desk.run(make, cwd="boxoffice")
    assert "too many files, or folders too deep" in answer["note"]
    assert desk.git.refs.get("refs/heads/bomb") is None


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /tmp/.github.com",
        f"rm -rf {MIRROR}",
        f"rm -rf {MIRROR}; ln -s $HOME/boxoffice/.git {MIRROR}",
        "mv /tmp/.github.com /tmp/elsewhere; ln -s elsewhere /tmp/.github.com",
        f"chmod 000 {MIRROR}/objects",
        f"echo garbage > {MIRROR}/config; rm {MIRROR}/hooks/*; echo x > {MIRROR}/HEAD",
        "mkdir /tmp/.github.com/other; echo x > /tmp/.github.com/file",
        "chmod 000 /tmp/.github.com",
    ],
)
def test_a_mirror_that_was_spoiled_is_whole_again(desk: Desk, command: str) -> None:
    before = desk.git.refs.all()
    desk.run(command)
    assert desk.git.refs.all() == before
    start(desk)
    assert desk.git.refs.get("refs/heads/fix") == tip(desk)
    assert desk.run("git push origin HEAD:main", cwd="boxoffice")["exit_code"] == 1


def test_a_push_that_is_too_large_is_refused(desk: Desk) -> None:
    large = "head -c 17000000 /dev/urandom > big; git add big; git commit -qm Big; git push origin HEAD:big"
    told = desk.run(large, cwd="boxoffice")
    assert "pack exceeds maximum allowed size" in told["output"]
    assert desk.git.refs.get("refs/heads/big") is None


# -- while GitHub has an outage ------------------------------------------------------------------------------

UNREAD = (
    "fatal: Could not read from remote repository.\n\n"
    "Please make sure you have the correct access rights\nand the repository exists.\n"
)


def at(desk: Desk, hour: int, minute: int = 5) -> Desk:
    """The desk at that time of the day, when Wren has committed a change."""
    since = 11 * 60 + 40
    desk.session.call("wait", {"minutes": hour * 60 + minute - since, "until_notice": False})
    desk.says("git checkout -qb fix; echo y > y; git add y; git commit -qm y", cwd="boxoffice")
    return desk


@pytest.mark.parametrize(
    ("hour", "minute", "says"),
    [
        (15, 5, "kex_exchange_identification: read: Connection reset by peer"),
        (15, 35, "git@github.com: Permission denied (publickey)."),
        (16, 5, "ssh: connect to host github.com port 22: Connection timed out"),
        (17, 5, "Connection to github.com closed by remote host."),
    ],
)
def test_an_outage_of_github_reaches_git_in_its_words(desk: Desk, hour: int, minute: int, says: str) -> None:
    at(desk, hour, minute)
    for command in ("git push -u origin fix", "git fetch"):
        answer = desk.run(command, cwd="boxoffice")
        assert (answer["exit_code"], answer["output"]) == (128, f"{says}\n{UNREAD}")
    assert desk.git.refs.get("refs/heads/fix") is None


def test_what_is_pushed_by_hand_in_an_outage_does_not_arrive(desk: Desk) -> None:
    at(desk, 15, 35)
    desk.run(f"git push {MIRROR} HEAD:by-hand", cwd="boxoffice")
    assert desk.git.refs.get("refs/heads/by-hand") is None


def test_a_github_that_is_read_only_can_be_fetched_from(desk: Desk) -> None:
    at(desk, 14, 35)
    assert desk.says("git fetch; git ls-remote origin main | wc -l", cwd="boxoffice") == "1\n"
    answer = desk.run("git push -u origin fix", cwd="boxoffice")
    says = "ERROR: GitHub is in read-only mode while we recover. Please try again later."
    assert (answer["exit_code"], answer["output"]) == (128, f"{says}\n{UNREAD}")
    desk.session.call("wait", {"minutes": 180, "until_notice": False})
    desk.says("git push -q -u origin fix", cwd="boxoffice")
    assert desk.git.refs.get("refs/heads/fix") == tip(desk)


def test_a_slow_github_takes_the_worlds_time_only_from_who_asks_it(desk: Desk) -> None:
    at(desk, 16, 35)
    assert desk.run("true")["sim_seconds"] == 5
    before = desk.session.now
    answer = desk.run("git push -q -u origin fix && git fetch -q", cwd="boxoffice")
    assert answer["exit_code"] == 0
    assert 5 + 2 * 5 <= answer["sim_seconds"] <= 5 + 2 * 15
    assert (desk.session.now - before) // SECOND == 30 + answer["sim_seconds"]
    assert desk.git.refs.get("refs/heads/fix") == tip(desk)


def test_an_outage_of_other_operations_leaves_git_alone(desk: Desk) -> None:
    at(desk, 17, 35)
    desk.says("git push -q -u origin fix; git fetch", cwd="boxoffice")
    assert desk.git.refs.get("refs/heads/fix") == tip(desk)


def test_what_was_asked_of_github_leaves_no_trace(desk: Desk) -> None:
    before = desk.says("ls -la /tmp/.github.com")
    desk.says("git fetch", cwd="boxoffice")
    assert desk.says("ls -la /tmp/.github.com") == before


def test_nothing_is_reached_while_github_is_down(desk: Desk) -> None:
    start(desk)
    desk.session.call("wait", {"minutes": 90, "until_notice": False})
    told = desk.run("echo y > y; git add y; git commit -qm y; git push; git fetch", cwd="boxoffice")
    assert told["output"].count("ssh: connect to host github.com port 22: Connection timed out") == 2
    desk.run(f"git push {MIRROR} HEAD:by-hand", cwd="boxoffice")
    assert desk.git.refs.get("refs/heads/by-hand") is None
    desk.session.call("wait", {"minutes": 60, "until_notice": False})
    desk.says("git push -q", cwd="boxoffice")
    assert desk.git.refs.get("refs/heads/fix") == tip(desk)
