"""Making branches and commits."""

from base64 import b64encode

import pytest
from sqlalchemy import select

from brownout.core.values import JsonObject
from brownout.store import compile_query
from brownout.store.git.objects import object_id
from tests.tools.github.shop import APP, Shop
from tools.github.tables import repository


def sha_of(shop: Shop, path: str, ref: str = "") -> str:
    return str(shop.ask("wren", "get_file", repo="shop", path=path, ref=ref)["sha"])


def test_a_branch_begins_where_it_is_told_to(shop: Shop) -> None:
    made = shop.ask("wren", "create_branch", repo="shop", branch="refs/heads/fix/price", from_ref="greeting")

    assert made["object"]["sha"] == shop.head(branch="greeting") == shop.head(branch="fix/price")
    assert shop.paths() == ["github:acme/shop.branch/fix/price", "github:acme/shop.branch/fix/price.push/1"]
    assert shop.said() == [], "commits that were there already are not said again"


def test_a_branch_that_is_there_or_cannot_be_is_refused(shop: Shop) -> None:
    status, body = shop.refused("wren", "create_branch", repo="shop", branch="greeting")
    assert (status, body["message"]) == (422, "Reference already exists")
    for name in ("a..b", "-x", "with space", "main/below"):
        assert shop.refused("wren", "create_branch", repo="shop", branch=name)[0] == 422, name
    assert shop.refused("wren", "create_branch", repo="shop", branch="x", from_ref="nope")[0] == 404


def test_a_new_file_is_a_commit_on_the_branch(shop: Shop) -> None:
    before = shop.head(branch="greeting")
    made = shop.ask("wren", "put_file", repo="shop", branch="greeting", path="a/b.md", content="ü\n", message="Say ü")

    assert made["content"]["sha"] == object_id("blob", "ü\n".encode())
    assert made["commit"]["parents"] == [{"sha": before}]
    assert made["commit"]["sha"] == shop.head(branch="greeting")
    assert shop.ask("wren", "get_file", repo="shop", path="a/b.md", ref="greeting")["content"] == "ü\n"
    assert shop.said() == [("Say ü", {"ida", "tomas", "owen", "wren"})]
    assert shop.paths() == ["github:acme/shop.branch/greeting", "github:acme/shop.branch/greeting.push/1"]


def test_a_file_is_replaced_by_whoever_knows_its_sha(shop: Shop) -> None:
    sha = sha_of(shop, "src/app.py")
    shop.ask("wren", "put_file", repo="shop", path="src/app.py", content=APP, message="Back", sha=sha)

    assert shop.ask("wren", "get_file", repo="shop", path="src/app.py")["content"] == APP


def test_base64_is_taken_too(shop: Shop) -> None:
    data = b64encode(b"\x00\x01").decode()
    shop.ask("wren", "put_file", repo="shop", path="x.bin", content=data, message="x", encoding="base64")

    assert shop.ask("wren", "get_file", repo="shop", path="x.bin")["content"] == data
    assert (
        shop.refused("wren", "put_file", repo="shop", path="y", content="a", message="y", encoding="base64")[0] == 422
    )


def test_a_stale_sha_is_a_conflict(shop: Shop) -> None:
    sha = sha_of(shop, "src/app.py")
    shop.ask("tomas", "put_file", repo="shop", path="src/app.py", content="x = 1\n", message="Theirs", sha=sha)
    status, body = shop.refused(
        "wren", "put_file", repo="shop", path="src/app.py", content="x = 2\n", message="Ours", sha=sha
    )

    assert (status, body["message"], body["status"]) == (409, f"src/app.py does not match {sha}", "409")


def test_a_file_that_is_there_is_not_replaced_without_its_sha(shop: Shop) -> None:
    status, body = shop.refused("wren", "put_file", repo="shop", path="README.md", content="", message="x")
    assert (status, '"sha" wasn\'t supplied' in body["message"]) == (422, True)
    assert shop.refused("wren", "put_file", repo="shop", path="new", content="", message="x", sha="a" * 40)[0] == 409


def test_paths_that_lead_elsewhere_are_refused(shop: Shop) -> None:
    for path in ("../etc/passwd", ".git/config", "README.md/below"):
        assert shop.refused("wren", "put_file", repo="shop", path=path, content="", message="x")[0] in (404, 422), path


def test_a_protected_branch_is_changed_by_pull_requests_only(shop: Shop) -> None:
    new = {"repo": "vault", "path": "new.md", "content": "", "message": "x"}
    status, body = shop.refused("wren", "put_file", **new)

    assert status == 409
    assert body["message"] == "Could not create file: Changes must be made through a pull request."
    files = [{"path": "x", "content": ""}]
    assert shop.refused("wren", "push_files", repo="vault", branch="main", message="x", files=files)[0] == 409
    assert shop.refused("wren", "delete_branch", repo="vault", branch="main")[0] == 422
    shop.ask("wren", "create_branch", repo="vault", branch="release/1")
    status, body = shop.refused("wren", "delete_branch", repo="vault", branch="release/1")
    assert (status, body["message"]) == (422, "Cannot delete protected branch")
    shop.ask("wren", "create_branch", repo="vault", branch="mine")
    shop.ask("wren", "put_file", branch="mine", **new)


def test_several_files_change_with_one_commit(shop: Shop) -> None:
    files = [{"path": "docs/notes.md", "content": None}, {"path": "docs/new.md", "content": "new\n"}]
    made = shop.ask("wren", "push_files", repo="shop", branch="greeting", message="Move", files=files)

    changed = shop.ask("wren", "get_commit", repo="shop", sha=made["commit"]["sha"])["files"]
    assert [(file["filename"], file["status"]) for file in changed] == [
        ("docs/new.md", "added"),
        ("docs/notes.md", "removed"),
    ]


def test_files_are_pushed_onto_what_the_caller_knows(shop: Shop) -> None:
    files = [{"path": "x", "content": "x"}]
    head = shop.head()
    shop.ask("wren", "push_files", repo="shop", branch="main", message="x", files=files, expected_head=head)

    again = {"repo": "shop", "branch": "main", "message": "x", "files": files}
    assert shop.refused("wren", "push_files", expected_head=head, **again)[0] == 409
    gone = [{"path": "nope", "content": None}]
    assert shop.refused("wren", "push_files", repo="shop", branch="main", message="x", files=gone)[0] == 404
    assert shop.refused("wren", "push_files", repo="shop", branch="nope", message="x", files=files)[0] == 404
    assert shop.refused("wren", "push_files", repo="shop", branch="main", message="x", files=[])[0] == 422


def test_a_deleted_branch_closes_its_pull(shop: Shop) -> None:
    number = shop.pull()["number"]
    shop.ask("wren", "delete_branch", repo="shop", branch="greeting")

    assert shop.ask("wren", "get_pull", repo="shop", number=number)["state"] == "closed"
    assert shop.refused("wren", "get_file", repo="shop", path="README.md", ref="greeting")[0] == 404
    assert (
        shop.refused("wren", "delete_branch", repo="shop", branch="greeting")[1]["message"]
        == "Reference does not exist"
    )
    assert shop.refused("wren", "delete_branch", repo="shop", branch="main")[0] == 422


def test_the_executable_bit_of_a_replaced_file_stays(shop: Shop) -> None:
    sha = sha_of(shop, "README.md")
    made = shop.ask("wren", "put_file", repo="shop", path="README.md", content="# Shop\n", message="Short", sha=sha)

    [file] = shop.ask("wren", "get_commit", repo="shop", sha=made["commit"]["sha"])["files"]
    assert file["status"] == "modified"


def test_what_is_pushed_to_the_default_branch_is_deployed_a_few_minutes_later(shop: Shop) -> None:
    first = shop.ask("wren", "put_file", repo="shop", path="a.md", content="", message="One")["commit"]["sha"]
    shop.ask("wren", "put_file", repo="shop", path="b.md", content="", message="Two", branch="greeting")
    second = shop.ask("ida", "put_file", repo="shop", path="c.md", content="", message="Three")["commit"]["sha"]
    shop.wait(15 * 60_000_000)

    deployed = [
        tuple(map(str, row))
        for row in shop.rows.execute(
            "SELECT version, \"commit\", who FROM ops_release WHERE who <> '' ORDER BY version"
        )
    ]
    assert deployed == [("2026.3.24-1", first, "wren"), ("2026.3.24-2", second, "ida")]


def test_a_write_leaves_the_same_rows_in_every_session(shop: Shop, twin: Shop) -> None:
    for one in (shop, twin):
        one.ask("wren", "create_branch", repo="shop", branch="fix")
        one.ask("wren", "put_file", repo="shop", path="a.md", content="a\n", message="A", branch="fix")
        one.pull(head="fix", body="Hello @ida", reviewers=["tomas"])

    assert shop.head(branch="fix") == twin.head(branch="fix")
    for table in ("engine_git_object", "engine_git_ref", "github_push", "github_pull", "github_check"):
        assert shop.table(table) == twin.table(table)


@pytest.mark.parametrize("path", ["a" * 300 + ".py", "/".join(["folder"] * 200) + "/x.py"])
def test_a_file_that_nobody_could_check_out_is_refused(shop: Shop, path: str) -> None:
    before = shop.ask("wren", "list_commits", repo="shop")
    files: list[JsonObject] = [{"path": path, "content": "x"}]

    assert shop.refused("wren", "push_files", repo="shop", branch="main", message="x", files=files)[0] == 422
    assert shop.refused("wren", "put_file", repo="shop", path=path, content="x", message="x")[0] == 422
    assert shop.ask("wren", "list_commits", repo="shop") == before


def test_what_is_deployed_by_hand_is_built_and_waits(shop: Shop) -> None:
    found = shop.rows.one(compile_query(select(repository).where(repository.c.name == "shop")))
    assert found is not None
    shop.rows.update(repository, found.number("id"), deploys=0)
    before = [
        tuple(row) for row in shop.rows.execute("SELECT version, \"commit\" FROM ops_service WHERE name = 'shop'")
    ]
    sha = shop.ask("wren", "put_file", repo="shop", path="a.md", content="", message="One")["commit"]["sha"]
    shop.wait(15 * 60_000_000)

    built = [
        tuple(map(str, row))
        for row in shop.rows.execute("SELECT version, \"commit\" FROM ops_release WHERE who = 'wren'")
    ]
    assert built == [("2026.3.24-1", sha)]
    assert before == [
        tuple(row) for row in shop.rows.execute("SELECT version, \"commit\" FROM ops_service WHERE name = 'shop'")
    ]
