"""Finding, reading, opening and closing pull requests."""

import pytest

from tests.tools.github.shop import Shop


def test_a_pull_says_what_it_brings_and_that_it_can_be_merged(shop: Shop) -> None:
    clock = shop.clock
    made = shop.pull(body="It is friendlier, @ida.", reviewers=["tomas"])

    assert made == shop.ask("wren", "get_pull", repo="shop", number=1)
    assert {key: made[key] for key in ("number", "state", "title", "merged", "mergeable", "commits", "changed_files")} == {
        "number": 1, "state": "open", "title": "Say hello", "merged": False, "mergeable": True, "commits": 2,
        "changed_files": 2,
    }  # fmt: skip
    assert (made["additions"], made["deletions"], made["created_at"]) == (6, 0, clock)
    assert made["head"] == {"ref": "greeting", "sha": shop.head(branch="greeting")}
    assert made["base"] == {"ref": "main", "sha": shop.head()}
    assert made["requested_reviewers"] == [{"login": "tomas"}]


def test_opening_a_pull_leaves_rows_below_its_path_only(shop: Shop) -> None:
    shop.pull(reviewers=["tomas"])

    assert shop.paths() == [
        "github:acme/shop.pull/1",
        "github:acme/shop.pull/1.head",
        "github:acme/shop.pull/1.request/3",
        "github:acme/shop.pull/1.check/2",
    ]
    assert shop.said() == [("Say hello", {"ida", "tomas", "owen", "wren"})]


def test_those_who_are_asked_or_mentioned_hear_of_a_pull(shop: Shop) -> None:
    shop.pull("ida", body="cc @wren (and @nobody).")
    shop.pull("ida", "conflicting", reviewers=["wren"], body="@wren please")

    assert shop.notices() == [
        ("mention", "Ida Lindqvist on acme/shop#1: Say hello: cc @wren (and @nobody)."),
        ("review", "Ida Lindqvist asks for your review of acme/shop#2: Say hello"),
    ]


def test_the_same_pull_is_not_opened_twice(shop: Shop) -> None:
    shop.pull(head="acme:greeting")
    status, body = shop.refused("wren", "create_pull", repo="shop", title="Again", head="greeting")

    assert (status, body["message"]) == (422, "Validation Failed")
    assert body["errors"] == [
        {"resource": "PullRequest", "code": "custom", "message": "A pull request already exists for acme:greeting."}
    ]


def test_a_pull_needs_two_branches_and_something_to_pull(shop: Shop) -> None:
    def errors(**words: object) -> object:
        status, body = shop.refused("wren", "create_pull", **{"repo": "shop", "title": "x", **words})
        assert status == 422
        return body.get("errors", body["message"])

    assert errors(head="nope") == [{"resource": "PullRequest", "field": "head", "code": "invalid"}]
    assert errors(head="greeting", base="nope") == [{"resource": "PullRequest", "field": "base", "code": "invalid"}]
    assert errors(head="main") == [
        {"resource": "PullRequest", "code": "custom", "message": "No commits between main and main"}
    ]
    assert "author" in str(errors(head="greeting", reviewers=["wren"]))
    assert errors(head="greeting", reviewers=["nobody"]) != []
    assert "title" in str(errors(head="greeting", title=""))


def test_pulls_are_listed_by_state_branch_and_order(shop: Shop) -> None:
    shop.pull()
    shop.pull(head="conflicting", title="Twelve minutes")
    shop.ask("wren", "create_branch", repo="shop", branch="third", from_ref="greeting")
    shop.pull(head="third", base="conflicting", title="Third")
    shop.ask("wren", "close_pull", repo="shop", number=2)
    shop.ask("wren", "comment_pull", repo="shop", number=1, body="news")

    def numbers(**words: object) -> list[int]:
        return [pull["number"] for pull in shop.ask("ida", "list_pulls", repo="shop", **words)["pulls"]]

    assert numbers() == [3, 1]
    assert numbers(state="all") == [3, 2, 1]
    assert numbers(state="closed") == [2]
    assert numbers(state="all", direction="asc") == [1, 2, 3]
    assert numbers(head="acme:greeting") == [1]
    assert numbers(base="conflicting") == [3]
    assert numbers(sort="updated") == [1, 3]
    assert numbers(state="all", per_page=2, page=2) == [1]
    assert shop.refused("ida", "list_pulls", repo="shop", state="merged")[0] == 422


def test_the_files_of_a_pull_are_what_it_changes_since_it_left_its_base(shop: Shop) -> None:
    shop.pull(head="conflicting", title="Twelve")
    [file] = shop.ask("wren", "get_pull_files", repo="shop", number=1)["files"]

    assert (file["filename"], "+    return 12" in file["patch"]) == ("src/app.py", True)


def test_a_conflict_shows_before_merging(shop: Shop) -> None:
    made = shop.pull(head="conflicting")

    assert (made["mergeable"], made["mergeable_state"]) == (False, "dirty")


def test_a_closed_pull_stays_closed_and_its_branch_stays(shop: Shop) -> None:
    shop.pull("ida")
    closed = shop.ask("wren", "close_pull", repo="shop", number=1)
    again = shop.ask("wren", "close_pull", repo="shop", number=1)

    assert (closed["state"], closed["merged_at"]) == ("closed", None)
    assert again["closed_at"] == closed["closed_at"]
    assert shop.head(branch="greeting")
    assert shop.ask("wren", "get_pull", repo="shop", number=1)["mergeable"] is None


def test_a_pull_that_is_not_there_is_not_found(shop: Shop) -> None:
    for operation in ("get_pull", "get_pull_files", "list_pull_comments", "list_pull_reviews", "close_pull"):
        assert shop.refused("wren", operation, repo="shop", number=9)[0] == 404, operation


def test_a_pull_follows_its_branch(shop: Shop) -> None:
    shop.pull("ida")
    made = shop.ask("wren", "put_file", repo="shop", path="more.md", content="", message="More", branch="greeting")
    assert "github:acme/shop.pull/1" in shop.paths()
    pull = shop.ask("wren", "get_pull", repo="shop", number=1)

    assert pull["head"]["sha"] == made["commit"]["sha"]
    assert (pull["commits"], pull["changed_files"], pull["updated_at"] > pull["created_at"]) == (3, 3, True)


def test_pulls_are_searched_by_words_and_qualifiers(shop: Shop) -> None:
    shop.pull("owen", body="Friendlier for buyers.", reviewers=["ida"])
    shop.pull("tomas", "conflicting", title="Twelve minutes", body="Ask @marcus about it")
    shop.ask("ida", "comment_pull", repo="shop", number=1, body="what about saturdays")
    shop.ask("ida", "review_pull", repo="shop", number=2, event="REQUEST_CHANGES", body="ten was decided")
    shop.ask("ida", "merge_pull", repo="shop", number=1)
    shop.pull("wren", "conflicting", repo="vault", title="Twelve minutes here", reviewers=["ida"])

    def found(query: str, who: str = "wren") -> list[tuple[str, int]]:
        answer = shop.ask(who, "search_pulls", query=query)
        assert answer["total_count"] == len(answer["items"])
        return [(item["repository"], item["number"]) for item in answer["items"]]

    one, two, three, old = ("acme/shop", 1), ("acme/shop", 2), ("acme/vault", 1), ("acme/attic", 1)
    for query, expected in (
        ("", [three, two, one, old]),
        ("twelve", [three, two]),
        ("twelve repo:acme/shop", [two]),
        ("saturdays", [one]),
        ("saturdays in:title", []),
        ("decided", [two]),
        ('"twelve minutes here"', [three]),
        ("is:merged", [one, old]),
        ("is:pr is:open sort:created-asc", [two, three]),
        ("is:issue", []),
        ("is:closed", [one, old]),
        ("-is:merged repo:shop", [two]),
        ("author:@me", [three]),
        ("author:owen OR author:tomas", [two, one, old]),
        ("reviewed-by:ida", [two, old]),
        ("reviewed-by:ida review:approved", [old]),
        ("review-requested:@me", []),
        ("review:changes_requested", [two]),
        ("review:none repo:shop", [one]),
        ("commenter:ida", [one]),
        ("involves:ida", [three, one, old]),
        ("mentions:tomas", []),
        ("head:greeting", [one, old]),
        ("base:main org:acme", [three, two, one, old]),
        ("base:release", []),
        ("merged:>=2026-03-24", [one]),
        ("created:<2026-03-24", [old]),
        ("comments:>0", [one, old]),
        ("no:label head:conflicting", [three, two]),
        (f"sha:{shop.head(branch='greeting')[:10]}", [one, old]),
    ):
        assert found(query) == expected, query
    assert found("review-requested:@me", "ida") == [three, one], "merging answers no request"
    shop.wait(600_000_000)
    assert found("status:success") == [three, two, one, old], "neutral checks hold nothing up"
    assert found("status:pending") == found("status:failure") == []


def test_a_pull_is_edited_and_only_new_mentions_hear_of_it(shop: Shop) -> None:
    shop.pull("ida", body="It is friendlier, @tomas.")
    made = shop.ask(
        "ida", "update_pull", repo="shop", number=1, title="Say hello twice", body="It is friendlier, @tomas.\ncc @wren"
    )

    assert (made["title"], made["body"]) == ("Say hello twice", "It is friendlier, @tomas.\ncc @wren")
    assert made == shop.ask("wren", "get_pull", repo="shop", number=1)
    assert shop.paths() == ["github:acme/shop.pull/1"]
    assert shop.said() == [("Say hello twice\ncc @wren", {"ida", "tomas", "owen", "wren"})]
    assert [kind for kind, _ in shop.notices()] == ["mention"]


def test_an_edit_that_changes_nothing_leaves_nothing(shop: Shop) -> None:
    shop.pull()
    shop.ask("wren", "update_pull", repo="shop", number=1, title="Say hello")
    assert shop.effects == ()


def test_a_pull_goes_to_another_branch(shop: Shop) -> None:
    shop.ask("wren", "create_branch", repo="shop", branch="next", from_ref="main~1")
    shop.pull()
    made = shop.ask("wren", "update_pull", repo="shop", number=1, base="next")

    assert made["base"] == {"ref": "next", "sha": shop.head(branch="next")}
    assert (made["commits"], made["changed_files"]) == (3, 3)


def test_a_base_that_makes_no_sense_is_refused(shop: Shop) -> None:
    shop.ask("wren", "create_branch", repo="shop", branch="next", from_ref="main~1")
    shop.ask("wren", "create_branch", repo="shop", branch="same", from_ref="greeting")
    shop.pull()
    shop.pull(base="next")

    def why(base: str, number: int = 1) -> str:
        status, body = shop.refused("wren", "update_pull", repo="shop", number=number, base=base)
        assert (status, body["message"]) == (422, "Validation Failed")
        return str(body["errors"][0]["message"])

    assert why("nowhere") == "Proposed base branch 'nowhere' was not found"
    assert why("next") == "A pull request already exists for base branch 'next' and head branch 'greeting'"
    assert why("same") == "There are no new commits between base branch 'same' and head branch 'greeting'"
    shop.ask("wren", "close_pull", repo="shop", number=1)
    assert why("same") == "Cannot change the base branch of a closed pull request."
    assert shop.refused("wren", "update_pull", repo="shop", number=99, title="x")[0] == 404


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("is:mreged", "is: cannot be 'mreged'; did you mean 'merged'?"),
        ("state:opne", "state: cannot be 'opne'; did you mean 'open'?"),
        ("author:tomsa", "The listed users cannot be searched"),
        ("-repo:acme/shpo", "the resources do not exist"),
        ("label:bug", "label: is not kept here"),
        ("created:lately", "created: cannot be 'lately'; expected a day such as 2026-03-19"),
        ("athor:ida", "there is no 'athor'; did you mean 'author:'?"),
        ("sort:size", "sort: cannot be 'size'; expected one of: comments, created, updated"),
    ],
)
def test_a_qualifier_that_makes_no_sense_is_refused(shop: Shop, query: str, problem: str) -> None:
    status, body = shop.refused("wren", "search_pulls", query=query)
    assert (status, body["message"]) == (422, "Validation Failed")
    assert problem in body["errors"][0]["message"]


def test_code_is_not_searched_by_what_is_no_code_s(shop: Shop) -> None:
    assert shop.refused("wren", "search_code", query="hold is:merged")[0] == 422
    assert shop.refused("wren", "search_code", query="hold repo:nowhere")[0] == 422
    shop.ask("wren", "search_code", query='hold "OR" path:src no:label http://a.test')
