"""People's intents, and that they leave what operations leave."""

from typing import Any

import pytest

from brownout.core.apps import Intent, Refusal, RefusalKind
from brownout.core.errors import AuthoringError
from tests.tools.github.shop import APP, PEOPLE, Shop
from tools.github import app
from tools.github.intent_handlers import concerns

PATCH = """diff --git a/src/app.py b/src/app.py
--- a/src/app.py
+++ b/src/app.py
@@ -3,4 +3,4 @@ def price(seats):


 def hold_minutes():
-    return 10
+    return 8
diff --git a/docs/why.md b/docs/why.md
new file mode 100644
--- /dev/null
+++ b/docs/why.md
@@ -0,0 +1 @@
+Because.
"""
TYPO = """diff --git a/README.md b/README.md
--- a/README.md
+++ b/README.md
@@ -1,3 +1,3 @@
-# Shop
+# Store

 Sells seats.
"""
MESSAGE = "Hold for 8 minutes\n\nAgreed.\n"
DETAILS: dict[str, Any] = {"repo": "acme/shop", "branch": "eight", "patch": PATCH, "message": MESSAGE}


def opened(shop: Shop, **details: Any) -> str:
    return shop.carry(
        "open", "tomas", subject="Hold for 8 minutes", text="Shorter.", thing="eight", details={**DETAILS, **details}
    )


def test_intents_and_operations_leave_the_same_rows(shop: Shop, twin: Shop) -> None:
    shop.tick = twin.tick = 0
    opened(shop, reviewers=["ida"])
    shop.carry("comment", "owen", thing="eight", text="oh", details={"path": "src/app.py", "line": 6})
    shop.carry("review", "ida", thing="eight", text="why", details={"state": "changes"})
    shop.carry("approve", "ida", thing="eight", text="ok")
    shop.carry("merge", "tomas", details={"pull": "eight"})
    shop.carry("push", "owen", details={"repo": "shop", "patch": TYPO, "message": "typo"})

    pull = {"repo": "shop", "number": 1}
    app_py = {"path": "src/app.py", "content": APP.replace("15", "8")}
    files = [app_py, {"path": "docs/why.md", "content": "Because.\n"}]
    twin.ask("tomas", "create_branch", repo="shop", branch="eight")
    twin.ask("tomas", "push_files", repo="shop", branch="eight", message=MESSAGE, files=files)
    twin.ask(
        "tomas",
        "create_pull",
        repo="shop",
        title="Hold for 8 minutes",
        body="Shorter.",
        head="eight",
        reviewers=["ida"],
    )
    twin.ask("owen", "comment_pull", body="oh", path="src/app.py", line=6, **pull)
    twin.ask("ida", "review_pull", event="REQUEST_CHANGES", body="why", **pull)
    twin.ask("ida", "review_pull", event="APPROVE", body="ok", **pull)
    twin.ask("tomas", "merge_pull", merge_method="squash", **pull)
    sha = twin.ask("owen", "get_file", repo="shop", path="README.md")["sha"]
    twin.ask(
        "owen", "put_file", repo="shop", path="README.md", content="# Store\n\nSells seats.\n", message="typo", sha=sha
    )

    for table in (
        "engine_git_ref",
        "engine_git_object",
        "github_pull",
        "github_comment",
        "github_review",
        "github_request",
    ):
        assert shop.table(table, "id") == twin.table(table, "id"), table
    pushed = [one.table("github_push", "id", "before") for one in (shop, twin)]
    assert pushed[0] == pushed[1][1:], "one push makes branch and commit; the operations are two"


def test_opening_makes_the_branch_the_pull_and_the_recorded_check(shop: Shop) -> None:
    path = opened(shop, reviewers=["ida"], checks={"passed": 7, "failed": 0})
    shop.wait(600_000_000)
    checks = shop.ask("wren", "get_checks", repo="shop", number=1)

    assert path == shop.bound("eight") == "github:acme/shop.pull/1"
    assert shop.ask("wren", "get_file", repo="shop", path="docs/why.md", ref="eight")["content"] == "Because.\n"
    assert (checks["state"], checks["check_runs"][0]["output"]["title"]) == ("success", "7 passed")


def test_a_result_recorded_for_other_files_is_not_claimed(shop: Shop) -> None:
    opened(shop, checks={"passed": 7, "failed": 0, "tree": "0" * 40})
    shop.wait(600_000_000)

    [run] = shop.ask("wren", "get_checks", repo="shop", number=1)["check_runs"]
    assert (run["conclusion"], run["output"]["title"]) == ("neutral", "Checks did not run.")


def test_a_pull_names_the_issue_that_it_is_about(shop: Shop) -> None:
    shop.simulation.acting(PEOPLE["brownout"]).bind("shorter", "jira:BOX.issue/BOX-33")
    opened(shop, issue="shorter")

    assert shop.ask("wren", "get_pull", repo="shop", number=1)["body"] == "Shorter.\n\nBOX-33"


def test_a_pull_can_be_opened_from_a_branch_that_is_there(shop: Shop) -> None:
    shop.carry("open", "owen", subject="Greet", details={"repo": "shop", "branch": "greeting"})

    assert shop.ask("wren", "get_pull", repo="shop", number=1)["commits"] == 2


def test_a_push_lands_on_main_under_its_authors_name_and_is_bound(shop: Shop) -> None:
    path = shop.carry("push", "tomas", thing="eight-minutes", details={**DETAILS, "branch": "", "author": "owen"})
    [commit] = shop.ask("wren", "list_commits", repo="shop", per_page=1)["commits"]

    assert path == f"github:acme/shop.commit/{shop.head()}" == shop.bound("eight-minutes") == shop.bound("head/shop")
    assert commit["commit"]["message"] == MESSAGE.strip()
    assert [commit["commit"][role]["name"] for role in ("author", "committer")] == ["Owen Fitch", "Tomás Herrera"]
    assert shop.said() == [(MESSAGE.strip(), {"ida", "tomas", "owen", "wren"})]


def test_people_push_to_protected_branches_as_admins_do(shop: Shop) -> None:
    shop.carry("push", "tomas", details={**DETAILS, "repo": "vault", "branch": ""})


def test_a_merge_binds_its_thing_to_the_commit(shop: Shop) -> None:
    opened(shop)
    path = shop.carry("merge", "tomas", thing="shorter-hold", details={"pull": "eight"})

    assert path == shop.bound("shorter-hold") == f"github:acme/shop.commit/{shop.head()}"
    assert shop.ask("wren", "list_branches", repo="shop")["branches"][1]["name"] == "eight", "it was not told to go"
    shop.carry("comment", "ida", thing="shorter-hold", text="live")
    assert shop.ask("wren", "get_pull", repo="shop", number=1)["comments"] == 1


def test_a_merge_finds_an_open_pull_by_its_title(shop: Shop) -> None:
    opened(shop)
    shop.carry("merge", "ida", thing="merged-it", subject="Hold for 8 minutes", details={"method": "merge"})

    assert shop.ask("wren", "get_pull", repo="shop", number=1)["merged_by"] == {"login": "ida"}


def test_a_patch_that_no_longer_applies_says_where(shop: Shop) -> None:
    sha = shop.ask("wren", "get_file", repo="shop", path="src/app.py")["sha"]
    shop.ask("wren", "put_file", repo="shop", path="src/app.py", content="x = 1\n", message="All new", sha=sha)

    why = shop.fails("push", "tomas", details={**DETAILS, "branch": ""})
    assert why.startswith("failed: test/")
    assert "the patch no longer applies to main: src/app.py, hunk 1: these lines, expected at line 3" in why
    assert "does not apply to eight" in shop.fails("open", "tomas", subject="x", details=DETAILS)


def test_a_coworker_does_not_merge_against_a_review_a_conflict_or_a_rule(shop: Shop) -> None:
    opened(shop)
    shop.ask("wren", "review_pull", repo="shop", number=1, event="REQUEST_CHANGES", body="please not")
    assert "asks for changes" in shop.fails("merge", "tomas", thing="eight")
    shop.ask("wren", "review_pull", repo="shop", number=1, event="APPROVE")
    sha = shop.ask("wren", "get_file", repo="shop", path="src/app.py")["sha"]
    shop.ask("wren", "put_file", repo="shop", path="src/app.py", content="x = 1\n", message="All new", sha=sha)
    assert "cannot be merged: Pull Request is not mergeable" in shop.fails("merge", "tomas", thing="eight")
    shop.carry("open", "tomas", subject="x", thing="v", details={"repo": "vault", "branch": "greeting"})
    assert 'Required status check "tests" is expected' in shop.fails("merge", "tomas", thing="v")


@pytest.mark.parametrize(
    ("kind", "words", "why"),
    [
        ("open", {"subject": "x", "details": {"repo": "nope", "branch": "b"}}, "there is no GitHub repository 'nope'"),
        ("open", {"subject": "x", "details": {"repo": "shop"}}, "needs a branch and a base"),
        ("open", {"subject": "x", "details": {"repo": "shop", "branch": "b"}}, "b has nothing that main has not"),
        ("open", {"subject": "x", "details": {**DETAILS, "branch": "a..b"}}, "cannot be a ref's name"),
        ("open", {"subject": "x", "details": {**DETAILS, "reviewers": ["gareth"]}}, "gareth has no GitHub account"),
        ("push", {"details": {**DETAILS, "branch": "nope"}}, "has no branch 'nope'"),
        ("push", {"details": {**DETAILS, "branch": "", "patch": "x"}}, "no line begins with `diff --git`"),
        ("comment", {"thing": "nothing", "text": "x"}, "no pull stands for 'nothing'"),
        ("comment", {"thing": "github:acme/shop.pull/7", "text": "x"}, "no pull stands for"),
        ("approve", {"thing": "github:acme/shop.branch/main"}, "no pull stands for"),
        ("merge", {"thing": "", "subject": "Nothing"}, "no pull stands for"),
    ],
)  # fmt: skip
def test_an_intent_that_cannot_be_carried_says_why(shop: Shop, kind: Any, words: Any, why: str) -> None:
    assert why in shop.fails(kind, "tomas", **words)


def test_more_that_cannot_be_done_to_a_pull(shop: Shop) -> None:
    opened(shop)

    assert "cannot review their own pull 1" in shop.fails("approve", "tomas", thing="eight")
    assert "expected one of merge, squash, rebase" in shop.fails("merge", "ida", thing="eight", details={"method": "x"})
    assert "gareth has no GitHub account" in shop.fails("comment", "gareth", thing="eight", text="x")
    shop.carry("merge", "ida", details={"pull": "eight"})
    assert "acme/shop#1 is merged already" in shop.fails("merge", "ida", details={"pull": "eight"})


def test_pulls_from_before_the_calendar_are_entered_as_they_were(shop: Shop) -> None:
    pull = shop.ask("wren", "get_pull", repo="attic", number=1)
    [comment] = shop.ask("wren", "list_pull_comments", repo="attic", number=1)["comments"]
    [review] = shop.ask("wren", "list_pull_reviews", repo="attic", number=1)["reviews"]
    [check] = shop.ask("wren", "get_checks", repo="attic", number=1)["check_runs"]

    assert (pull["created_at"], pull["merged_at"]) == ("2026-03-01T19:00:00Z", "2026-03-01T22:00:00Z")
    assert (pull["user"], pull["merged_by"], pull["merged"]) == ({"login": "owen"}, {"login": "tomas"}, True)
    assert (pull["changed_files"], pull["requested_reviewers"]) == (2, [{"login": "tomas"}])
    assert (comment["path"], comment["created_at"]) == ("src/greeting.py", "2026-03-01T20:00:00Z")
    assert (review["state"], review["submitted_at"]) == ("APPROVED", "2026-03-01T21:00:00Z")
    assert (check["conclusion"], check["output"]["title"]) == ("success", "2 passed")
    assert shop.bound("attic/greeting") == "github:acme/attic.pull/1"
    assert str(shop.bound("begun")).startswith("github:acme/attic.commit/")
    assert shop.bound("head/attic") == f"github:acme/attic.commit/{shop.head('attic')}"
    assert shop.notices() == [], "nobody is told of what is long over"


def test_outages_read_as_github_words_them(shop: Shop) -> None:
    kinds: dict[RefusalKind, int] = {
        "unavailable": 503, "timeout": 504, "rate_limited": 429, "read_only": 503, "auth_expired": 401,
    }  # fmt: skip
    for kind, status in kinds.items():
        error = app.refuse(Refusal(kind, retry_after=90_000_000))
        assert (error.status, set(error.content)) == (status, {"message", "documentation_url", "status"})
    assert app.refuse(Refusal("rate_limited", retry_after=90_000_000)).headers["Retry-After"] == "90"
    assert app.invalid("repo: missing").status == 422


def test_settings_that_mean_nothing_are_the_authors_mistakes(shop: Shop) -> None:
    call = shop.simulation.acting(PEOPLE["brownout"])
    with pytest.raises(AuthoringError) as caught:
        app.prepare(call, {"repositories": {"x": {"owner": "a", "protect": []}, "x.y": {}}})

    assert [mistake.message.partition(": ")[0] for mistake in caught.value.mistakes] == [
        "apps.github.repositories.x.protect",
        "apps.github.repositories.x.y.[key]",
        "apps.github.repositories.x.y.owner",
    ]


def test_lines_are_changed_by_how_they_begin(shop: Shop) -> None:
    lines = {"src/app.py": [["    return 1", "    return 8"]]}
    shop.carry(
        "open", "tomas", subject="Hold for 8 minutes", thing="eight",
        details={"repo": "acme/shop", "branch": "eight", "lines": lines, "message": MESSAGE},
    )  # fmt: skip

    found = shop.ask("ida", "get_pull_files", repo="shop", number=1)["files"]
    assert [(file["filename"], file["additions"], file["deletions"]) for file in found] == [("src/app.py", 1, 1)]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ({"src/app.py": [["    yield", "    return 8"]]}, "no line of src/app.py begins with"),
        ({"src/none.py": [["a", "b"]]}, "src/none.py"),
    ],
)
def test_a_line_that_is_not_there_is_told(shop: Shop, lines: dict[str, Any], told: str) -> None:
    details = {"repo": "shop", "branch": "no", "lines": lines}
    assert told in shop.fails("open", "tomas", subject="No", thing="no", details=details)


def test_a_red_check_is_run_again_and_a_pull_is_given_up(shop: Shop) -> None:
    opened(shop, checks={"passed": 3, "failed": 1})
    shop.carry("check", "tomas", thing="eight", details={"checks": {"passed": 4, "failed": 0}})
    shop.carry("close", "tomas", thing="eight")

    runs = shop.ask("ida", "get_checks", repo="shop", number=1)
    assert [run["status"] for run in runs["check_runs"]][-1:] == ["queued"]
    assert runs["total_count"] == 2
    pull = shop.ask("ida", "get_pull", repo="shop", number=1)
    assert (pull["state"], pull["merged"]) == ("closed", False)
    assert "closed already" in shop.fails("close", "tomas", thing="eight")


def test_whoever_opened_reviews_or_talked_about_a_pull_is_concerned_by_what_is_done_to_it(shop: Shop) -> None:
    path = opened(shop, reviewers=["ida"])
    assert _concerned(shop, path) == {"tomas", "ida"}
    shop.carry("comment", "owen", thing="eight", text="oh")
    assert _concerned(shop, path) == {"tomas", "ida", "owen"}
    shop.carry("open", "owen", subject="Store", thing="store", details={**DETAILS, "branch": "nine"})
    assert _concerned(shop, "store") == {"owen"}
    assert _concerned(shop, path.replace("/1", "/7")) == set()
    assert _concerned(shop, path.replace("shop.", "none.")) == set()


def test_whoever_is_asked_or_mentioned_is_concerned_though_there_is_no_pull(shop: Shop) -> None:
    assert _concerned(shop, "", text="ask @ida, not owen@example.com") == {"ida"}
    assert _concerned(shop, "", subject="for @tomas") == {"tomas"}
    assert _concerned(shop, "", details={"reviewers": ["owen"]}) == {"owen"}


def _concerned(shop: Shop, thing: str, **words: Any) -> set[str]:
    """Which people, each asked about alone, would be told of what somebody does to a thing; as many as of all asked together."""
    call = shop.simulation.acting(PEOPLE["owen"])
    intent = Intent("approve", key="test/concerned", who="owen", via="github", thing=thing, **words)
    found = {name for name in PEOPLE if concerns(call, intent, frozenset({name}))}
    assert concerns(call, intent, frozenset(PEOPLE)) == bool(found)
    return found
