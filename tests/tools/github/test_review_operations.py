"""Talking about pull requests, reviewing and merging them."""

import pytest

from tests.tools.github.shop import Shop

MINUTES = 60_000_000


def test_comments_are_listed_with_what_they_are_about(shop: Shop) -> None:
    shop.pull("ida")
    shop.ask("wren", "comment_pull", repo="shop", number=1, body="All of it")
    assert shop.paths() == ["github:acme/shop.pull/1.comment/2", "github:acme/shop.pull/1"]
    assert shop.said() == [("All of it", {"ida", "tomas", "owen", "wren"})]
    shop.ask("tomas", "comment_pull", repo="shop", number=1, body="Here", path="src/greeting.py", line=1)
    shop.ask("owen", "comment_pull", repo="shop", number=1, body="This file", path="src/greeting.py")

    found = shop.ask("wren", "list_pull_comments", repo="shop", number=1)["comments"]
    assert [(c["user"]["login"], c["body"], c.get("path"), c.get("line")) for c in found] == [
        ("wren", "All of it", None, None),
        ("tomas", "Here", "src/greeting.py", 1),
        ("owen", "This file", "src/greeting.py", None),
    ]
    assert found[2]["subject_type"] == "file"


def test_a_comment_reaches_whoever_takes_part(shop: Shop) -> None:
    shop.pull("ida", reviewers=["wren"])
    shop.ask("tomas", "comment_pull", repo="shop", number=1, body="hm")
    shop.ask("owen", "comment_pull", repo="shop", number=1, body="@wren what do you think?")

    assert shop.notices()[1:] == [
        ("reply", "Tomás Herrera on acme/shop#1: hm"),
        ("mention", "Owen Fitch on acme/shop#1: @wren what do you think?"),
    ]


def test_a_comment_on_a_file_that_the_pull_leaves_alone_is_refused(shop: Shop) -> None:
    shop.pull("ida")
    status, body = shop.refused("wren", "comment_pull", repo="shop", number=1, body="x", path="README.md")

    assert (status, body["errors"][0]["field"]) == (422, "path")
    assert shop.refused("wren", "comment_pull", repo="shop", number=1, body="")[0] == 422
    assert shop.refused("wren", "comment_pull", repo="shop", number=8, body="x")[0] == 404


def test_reviews_are_listed_and_answer_the_request(shop: Shop) -> None:
    shop.pull("ida", reviewers=["wren", "tomas"])
    made = shop.ask("wren", "review_pull", repo="shop", number=1, event="APPROVE")
    assert shop.said() == []
    shop.ask("tomas", "review_pull", repo="shop", number=1, event="REQUEST_CHANGES", body="no tests")

    assert (made["state"], made["commit_id"]) == ("APPROVED", shop.head(branch="greeting"))
    found = shop.ask("wren", "list_pull_reviews", repo="shop", number=1)["reviews"]
    assert [(r["user"]["login"], r["state"], r["body"]) for r in found] == [
        ("wren", "APPROVED", ""),
        ("tomas", "CHANGES_REQUESTED", "no tests"),
    ]
    assert shop.ask("wren", "get_pull", repo="shop", number=1)["requested_reviewers"] == []


def test_a_review_reaches_the_author(shop: Shop) -> None:
    shop.pull()
    shop.ask("ida", "review_pull", repo="shop", number=1, event="APPROVE", body="Good.")

    assert shop.notices() == [("reply", "Ida Lindqvist on acme/shop#1: approved. Good.")]


def test_reviews_that_github_refuses(shop: Shop) -> None:
    shop.pull()
    review = {"repo": "shop", "number": 1}

    def errors(who: str, event: str, **words: object) -> object:
        status, body = shop.refused(who, "review_pull", event=event, **review, **words)
        assert status == 422
        return body["errors"]

    assert errors("wren", "APPROVE") == ["Can not approve your own pull request"]
    assert errors("wren", "REQUEST_CHANGES", body="x") == ["Can not request changes on your own pull request"]
    assert errors("ida", "COMMENT") == ["Body can't be blank"]
    shop.ask("wren", "close_pull", **review)
    assert errors("ida", "APPROVE") == ["Can not review a pull request that is not open"]


def test_reviews_are_asked_for_again_and_again(shop: Shop) -> None:
    shop.pull("ida")
    for _ in range(2):
        asked = shop.ask("tomas", "request_review", repo="shop", number=1, reviewers=["wren", "@owen"])

    assert asked["requested_reviewers"] == [{"login": "wren"}, {"login": "owen"}]
    assert [kind for kind, _ in shop.notices()] == ["review", "review"]


def test_reviews_are_not_asked_of_strangers_or_the_author(shop: Shop) -> None:
    shop.pull("ida")

    for login, word in (("gareth", "collaborator"), ("ida", "author")):
        status, body = shop.refused("wren", "request_review", repo="shop", number=1, reviewers=["tomas", login])
        assert (status, word in body["message"]) == (422, True)


@pytest.mark.parametrize("method", ["merge", "squash", "rebase"])
def test_a_merge_brings_the_files_to_the_base(shop: Shop, method: str) -> None:
    before = shop.head()
    shop.pull("owen", body="Friendlier.")
    merged = shop.ask("wren", "merge_pull", repo="shop", number=1, merge_method=method)
    pull = shop.ask("ida", "get_pull", repo="shop", number=1)
    commits = shop.ask("ida", "list_commits", repo="shop", per_page=3)["commits"]

    assert merged == {"sha": shop.head(), "merged": True, "message": "Pull Request successfully merged"}
    assert (pull["state"], pull["merged"], pull["merged_by"]["login"]) == ("closed", True, "wren")
    assert pull["merge_commit_sha"] == merged["sha"]
    assert pull["changed_files"] == 2, "what it brought can still be read"
    assert shop.ask("ida", "get_file", repo="shop", path="src/greeting.py")["type"] == "file"
    messages = [commit["commit"]["message"] for commit in commits]
    parents = [parent["sha"] for parent in commits[0]["parents"]]
    if method == "merge":
        assert messages[0] == "Merge pull request #1 from acme/greeting\n\nSay hello"
        assert parents == [before, pull["head"]["sha"]]
    elif method == "squash":
        assert messages[0] == "Say hello (#1)\n\n* Say hello\n\nPeople like it.\n\n* Test it"
        assert parents == [before]
        assert commits[0]["commit"]["author"]["name"] == "Owen Fitch"
        assert commits[0]["commit"]["committer"]["name"] == "Wren"
    else:
        assert messages == ["Test it", "Say hello\n\nPeople like it.", "More notes"]
    assert shop.notices() == []


def test_a_merge_leaves_effects_on_the_base_and_the_pull_only(shop: Shop) -> None:
    shop.pull("ida")
    shop.ask("wren", "merge_pull", repo="shop", number=1, commit_title="Hello", commit_message="There.")

    assert shop.paths() == [
        "github:acme/shop.branch/main",
        "github:acme/shop.branch/main.push/1",
        "github:acme/shop.pull/1",
    ]
    assert shop.said() == [("Hello\n\nThere.", {"ida", "tomas", "owen", "wren"})]


def test_a_squash_of_one_commit_takes_its_message(shop: Shop) -> None:
    shop.ask("wren", "create_branch", repo="shop", branch="one")
    shop.ask("wren", "put_file", repo="shop", branch="one", path="x", content="", message="Add x\n\nIt was missing.")
    shop.pull(head="one", title="Something else")
    shop.ask("wren", "merge_pull", repo="shop", number=1, merge_method="squash")

    [commit] = shop.ask("wren", "list_commits", repo="shop", per_page=1)["commits"]
    assert commit["commit"]["message"] == "Add x (#1)\n\nIt was missing."


def test_a_conflict_is_not_merged(shop: Shop) -> None:
    shop.pull(head="conflicting")
    before = shop.head()
    for method in ("merge", "squash", "rebase"):
        status, body = shop.refused("wren", "merge_pull", repo="shop", number=1, merge_method=method)

        assert (status, body["message"]) == (405, "Pull Request is not mergeable")
    assert shop.head() == before


def test_a_merged_or_closed_pull_is_not_merged_again(shop: Shop) -> None:
    shop.pull()
    shop.ask("wren", "merge_pull", repo="shop", number=1)
    shop.pull(head="conflicting")
    shop.ask("wren", "close_pull", repo="shop", number=2)

    assert [shop.refused("wren", "merge_pull", repo="shop", number=number)[0] for number in (1, 2, 3)] == [
        405,
        405,
        404,
    ]
    assert shop.refused("wren", "close_pull", repo="shop", number=1)[0] == 422


def test_a_head_that_moved_is_not_merged_unseen(shop: Shop) -> None:
    seen = shop.pull()["head"]["sha"]
    shop.ask("owen", "put_file", repo="shop", branch="greeting", path="x", content="", message="Sneak x in")
    status, body = shop.refused("wren", "merge_pull", repo="shop", number=1, sha=seen)

    assert (status, body["message"]) == (409, "Head branch was modified. Review and try the merge again.")
    shop.ask("wren", "merge_pull", repo="shop", number=1, sha=shop.head(branch="greeting"))


def test_a_protected_branch_takes_what_is_checked_and_approved(shop: Shop) -> None:
    def why() -> str:
        return str(shop.refused("wren", "merge_pull", repo="vault", number=1)[1]["message"])

    made = shop.pull(repo="vault")
    assert made["mergeable_state"] == "blocked"
    assert why() == 'Required status check "tests" is in progress.'
    shop.wait(10 * MINUTES)
    assert why() == "At least 1 approving review is required by reviewers with write access."
    shop.ask("ida", "review_pull", repo="vault", number=1, event="APPROVE")
    shop.ask("tomas", "review_pull", repo="vault", number=1, event="REQUEST_CHANGES", body="wait")
    assert why().startswith("Changes requested")
    shop.ask("tomas", "review_pull", repo="vault", number=1, event="COMMENT", body="hm")
    assert why().startswith("Changes requested"), "a comment takes nothing back"
    shop.ask("tomas", "review_pull", repo="vault", number=1, event="APPROVE")
    assert shop.ask("wren", "get_pull", repo="vault", number=1)["mergeable_state"] == "clean"
    shop.ask("wren", "merge_pull", repo="vault", number=1)


def test_an_author_hears_of_a_merge_by_somebody_else(shop: Shop) -> None:
    shop.pull()
    shop.ask("ida", "merge_pull", repo="shop", number=1)

    assert shop.notices() == [("message", f"Ida Lindqvist on acme/shop#1: merged into main as {shop.head()[:7]}")]


def test_merging_into_a_branch_under_review_checks_that_pull_again(shop: Shop) -> None:
    shop.ask("wren", "create_branch", repo="shop", branch="more", from_ref="greeting")
    shop.ask("wren", "put_file", repo="shop", branch="more", path="x", content="", message="x")
    shop.pull()
    shop.pull(head="more", base="greeting")
    shop.ask("wren", "merge_pull", repo="shop", number=2)

    checks = shop.ask("wren", "get_checks", repo="shop", number=1)
    assert (checks["sha"], checks["total_count"]) == (shop.head(branch="greeting"), 1)
