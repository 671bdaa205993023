"""Names for rubrics and graders: paths, things, trees."""

from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from brownout.core.app_roles import KeepsRepositories
from brownout.core.errors import PackageError
from brownout.store import create_world
from brownout.store.git import NewCommit, Signature, UnknownRevision, create_repository
from tests.tools.github.shop import FILES, PEOPLE, Shop
from tools.github import app, tree_of
from tools.github.paths import split_path


def found(shop: Shop, pattern: str) -> list[tuple[str, Any]]:
    return [(thing.path, thing.fields) for thing in app.find(shop.rows, pattern)]


def paths(shop: Shop, pattern: str) -> list[str]:
    return [path for path, _ in found(shop, pattern)]


def test_a_pull_is_found_by_number_path_or_title(shop: Shop) -> None:
    shop.pull("wren", body="Hello", reviewers=["tomas"])
    shop.ask("ida", "review_pull", repo="shop", number=1, event="APPROVE")
    shop.ask("owen", "review_pull", repo="shop", number=1, event="APPROVE")
    shop.ask("owen", "review_pull", repo="shop", number=1, event="REQUEST_CHANGES", body="no")

    for pattern in ("acme/shop.pull/1", "shop.pull/1", "shop.pull/*", "Say hello", "Say*", "acme/sh*.pull/1"):
        assert paths(shop, pattern) == ["github:acme/shop.pull/1"], pattern
    assert paths(shop, "#1") == paths(shop, "1") == ["github:acme/attic.pull/1", "github:acme/shop.pull/1"]
    [(_, fields)] = found(shop, "shop.pull/1")
    assert fields == {
        "repository": "acme/shop", "number": 1, "title": "Say hello", "body": "Hello", "state": "open", "merged": False,
        "author": "wren", "merged_by": "", "base": "main", "head": "greeting", "sha": shop.head(branch="greeting"),
        "merge_sha": "", "files": ["src/greeting.py", "tests/test_greeting.py"], "approved_by": ["ida"],
        "changes_requested_by": ["owen"], "reviewers": ["tomas"], "checks": "neutral",
    }  # fmt: skip


def test_an_approval_is_of_the_head_that_was_looked_at(shop: Shop) -> None:
    shop.pull("wren")
    shop.ask("ida", "review_pull", repo="shop", number=1, event="APPROVE")
    assert found(shop, "#1")[1][1]["approved_by"] == ["ida"]

    shop.ask("wren", "put_file", repo="shop", path="x", content="", message="Add x", branch="greeting")
    assert found(shop, "#1")[1][1]["approved_by"] == []
    shop.ask("ida", "review_pull", repo="shop", number=1, event="APPROVE")
    shop.ask("wren", "merge_pull", repo="shop", number=1)
    [_, (_, fields)] = found(shop, "#1")
    assert (fields["approved_by"], fields["merged"]) == (["ida"], True)


def test_a_merged_pull_is_found_by_its_commit(shop: Shop) -> None:
    shop.pull()
    shop.ask("wren", "merge_pull", repo="shop", number=1)
    [(path, fields)] = found(shop, f"acme/shop.commit/{shop.head()}")

    assert (path, fields["state"], fields["merged_by"]) == ("github:acme/shop.pull/1", "merged", "wren")


def test_a_pushed_commit_is_found_by_its_id(shop: Shop) -> None:
    sha = shop.ask("wren", "put_file", repo="shop", path="x", content="", message="Add x")["commit"]["sha"]
    [(path, fields)] = found(shop, f"shop.commit/{sha}")

    assert path == f"github:acme/shop.commit/{sha}"
    assert fields == {"sha": sha, "branch": "main", "message": "Add x"}
    assert found(shop, "shop.commit/" + "0" * 40) == []


def test_branches_and_repositories_are_found_by_pattern(shop: Shop) -> None:
    assert paths(shop, "shop.branch/*") == [f"github:acme/shop.branch/{n}" for n in ("conflicting", "greeting", "main")]
    assert found(shop, "acme/vault.branch/main") == [
        ("github:acme/vault.branch/main", {"name": "main", "sha": shop.head("vault")})
    ]
    assert paths(shop, "vault") == paths(shop, "acme/vault") == ["github:acme/vault"]
    assert paths(shop, "acme/*") == ["github:acme/attic", "github:acme/shop", "github:acme/vault"]
    assert found(shop, "vault")[0][1]["protected"] == ["main", "release/*"]
    assert paths(shop, "nothing like it") == []


def test_the_rows_of_a_thing_are_those_that_change_it(shop: Shop) -> None:
    shop.pull()
    shop.ask("ida", "review_pull", repo="shop", number=1, event="APPROVE")
    [thing] = app.find(shop.rows, "shop.pull/1")

    assert {(effect.table, effect.key) for effect in shop.effects} <= set(thing.rows)


def test_every_row_has_a_path(shop: Shop) -> None:
    shop.pull(reviewers=["ida"])
    shop.ask("ida", "comment_pull", repo="shop", number=1, body="hm")
    shop.ask("owen", "review_pull", repo="shop", number=1, event="COMMENT", body="hm")
    shop.ask("wren", "put_file", repo="shop", path="x", content="", message="x")
    shown = set()
    for name, table in app.tables.tables.items():
        for (key,) in shop.rows.execute(f'SELECT max(id) FROM "{name}"'):
            row = shop.rows.get(table, int(str(key)))
            assert row is not None
            shown.add(app.path_of(shop.rows, name, row).partition("object/")[0])

    assert shown == {
        "github:user/wren", "github:acme/attic", "github:acme/shop.branch/main.push/1", "github:acme/shop.pull/1",
        "github:acme/shop.pull/1.request/3", "github:acme/shop.pull/1.review/2", "github:acme/shop.pull/1.comment/2",
        "github:acme/shop.pull/1.check/2", "github:acme/shop.pull/1.head", "github:acme/shop.",
    }  # fmt: skip


def test_a_path_is_taken_apart_again() -> None:
    assert split_path("github:acme/shop.pull/12.comment/3") == ("acme/shop", "pull", "12")
    assert split_path("github:acme/shop.branch/release/1.2") == ("acme/shop", "branch", "release/1.2")
    assert split_path("github:acme/shop") == split_path("jira:BOX.issue/BOX-1") == ("", "", "")


def test_graders_read_the_files_at_a_branch_or_commit(shop: Shop) -> None:
    tip = shop.head()
    shop.ask("wren", "put_file", repo="shop", path="new/x.md", content="x\n", message="Add x")
    place = shop.folder / "repos" / "shop.git"

    assert tree_of(shop.rows, place, "acme/shop", "main")["new/x.md"] == b"x\n"
    assert sorted(tree_of(shop.rows, place, "acme/shop", tip)) == sorted(FILES)
    keeper = app.role(KeepsRepositories)
    assert keeper is not None
    assert keeper.files(shop.rows, shop.folder, "shop", "main") == tree_of(shop.rows, place, "acme/shop", "main")
    assert keeper.files(shop.rows, shop.folder, "acme/shop", "nope") == {}
    with pytest.raises(LookupError, match="nope"):
        keeper.files(shop.rows, shop.folder, "nope", "main")
    with pytest.raises(UnknownRevision):
        tree_of(shop.rows, place, "acme/shop", "nope")
    with pytest.raises(PackageError):
        tree_of(shop.rows, shop.folder, "acme/shop", "main")


def test_a_branch_that_went_with_its_pull_is_what_was_merged(shop: Shop) -> None:
    branch = shop.pull()["head"]["ref"]
    keeper = app.role(KeepsRepositories)
    assert keeper is not None
    before = keeper.files(shop.rows, shop.folder, "shop", branch)
    shop.ask("ida", "merge_pull", repo="shop", number=1, merge_method="squash")
    shop.ask("ida", "delete_branch", repo="shop", branch=branch)

    assert keeper.files(shop.rows, shop.folder, "shop", branch) == before != {}


def test_a_branch_that_went_with_a_closed_pull_is_gone(shop: Shop) -> None:
    branch = shop.pull()["head"]["ref"]
    shop.ask("ida", "delete_branch", repo="shop", branch=branch)

    keeper = app.role(KeepsRepositories)
    assert keeper is not None
    assert keeper.files(shop.rows, shop.folder, "shop", branch) == {}


def test_a_repository_that_was_built_anew_is_read_anew(tmp_path: Path) -> None:
    who = PEOPLE["ida"]
    signed = Signature(who.name, who.email, 1_770_000_000)
    place = tmp_path / "a.git"
    with create_world(tmp_path / "world.sqlite", [app.tables]) as world:
        for content in (b"one", b"two"):
            rmtree(place, ignore_errors=True)
            made = create_repository(place, [NewCommit("x\n", signed, changes={"x": content})])

            assert tree_of(world.rows, place, "acme/a", made.commits[0]) == {"x": content}
