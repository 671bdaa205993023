"""CI: what the repository's own tests say, and when it is known."""

import pytest

from tests.tools.github.shop import APP, NOW, Shop
from tools.github import ci

MINUTES = 60_000_000
FAILING = [{"path": "src/app.py", "content": APP.replace("15", "10").replace("* 20", "* 21")}]

DEARER = """diff --git a/src/app.py b/src/app.py
--- a/src/app.py
+++ b/src/app.py
@@ -1,5 +1,5 @@
 def price(seats):
-    return seats * 20
+    return seats * 21


 def hold_minutes():
"""


def broken(shop: Shop) -> None:
    """A branch whose tests fail."""
    shop.ask("wren", "create_branch", repo="shop", branch="dearer")
    shop.ask("wren", "push_files", repo="shop", branch="dearer", message="21 it is", files=FAILING)


@pytest.mark.sandbox
def test_opening_a_pull_runs_its_tests(shop: Shop) -> None:
    shop.pull()
    shop.wait(10 * MINUTES)
    [run] = shop.ask("wren", "get_checks", repo="shop", number=1)["check_runs"]

    assert (run["name"], run["status"], run["conclusion"]) == ("tests", "completed", "success")
    assert run["output"]["title"] == "2 passed"
    assert "tests/test_greeting.py" in run["output"]["text"]
    assert "platform" not in run["output"]["text"], "what tells one machine from another is left out"


@pytest.mark.sandbox
def test_a_push_to_a_branch_under_review_runs_its_tests_again(shop: Shop) -> None:
    broken(shop)
    assert shop.ask("wren", "get_checks", repo="shop", ref="dearer")["total_count"] == 0, "nobody asked for a pull yet"
    made = shop.pull(head="dearer", repo="shop")
    shop.wait(10 * MINUTES)
    red = shop.ask("wren", "get_checks", repo="shop", number=1)
    sha = shop.ask("wren", "get_file", repo="shop", path="src/app.py", ref="dearer")["sha"]
    shop.ask("wren", "put_file", repo="shop", branch="dearer", path="src/app.py", content=APP, message="20", sha=sha)
    shop.wait(10 * MINUTES)
    green = shop.ask("wren", "get_checks", repo="shop", number=1)

    assert (red["state"], red["sha"]) == ("failure", made["head"]["sha"])
    assert red["check_runs"][0]["output"]["title"] == "0 passed, 1 failed"
    assert "assert 42 == 40" in red["check_runs"][0]["output"]["text"]
    assert (green["state"], green["check_runs"][0]["head_sha"]) == ("success", shop.head(branch="dearer"))
    assert shop.ask("wren", "get_checks", repo="shop", ref=made["head"]["sha"]) == red, "the old run is still there"


@pytest.mark.sandbox
def test_a_coworkers_push_to_a_branch_under_review_runs_its_tests_as_the_agents_does(shop: Shop, twin: Shop) -> None:
    for one in (shop, twin):
        one.tick = 0
        one.pull()
    shop.carry("push", "owen", details={"repo": "shop", "branch": "greeting", "patch": DEARER, "message": "21 it is"})
    twin.ask("owen", "push_files", repo="shop", branch="greeting", message="21 it is", files=FAILING)
    seen = []
    for one in (shop, twin):
        one.wait(10 * MINUTES)
        seen.append(one.ask("wren", "get_checks", repo="shop", number=1))

    assert (seen[0]["state"], seen[0]["sha"]) == ("failure", shop.head(branch="greeting"))
    assert seen[0] == seen[1]


@pytest.mark.sandbox
def test_a_coworkers_merge_into_a_branch_under_review_runs_its_tests(shop: Shop) -> None:
    shop.pull("tomas")
    shop.ask("tomas", "create_branch", repo="shop", branch="dearer", from_ref="greeting")
    shop.ask("tomas", "push_files", repo="shop", branch="dearer", message="21 it is", files=FAILING)
    shop.pull("tomas", head="dearer", base="greeting", title="21 it is")
    shop.carry("merge", "owen", thing="github:acme/shop.pull/2")
    shop.wait(10 * MINUTES)

    checks = shop.ask("wren", "get_checks", repo="shop", number=1)
    assert (checks["state"], checks["sha"]) == ("failure", shop.head(branch="greeting"))


@pytest.mark.sandbox
def test_a_failing_check_holds_a_protected_branch_closed(shop: Shop) -> None:
    shop.ask("wren", "create_branch", repo="vault", branch="dearer")
    shop.ask("wren", "push_files", repo="vault", branch="dearer", message="21 it is", files=FAILING)
    shop.pull(repo="vault", head="dearer")
    shop.ask("ida", "review_pull", repo="vault", number=1, event="APPROVE")
    shop.wait(10 * MINUTES)

    assert shop.refused("wren", "merge_pull", repo="vault", number=1)[1]["message"] == (
        'Required status check "tests" is failing.'
    )
    assert shop.ask("wren", "search_pulls", query="status:failure repo:acme/vault")["total_count"] == 1


@pytest.mark.sandbox
def test_files_that_cannot_be_imported_fail_the_check() -> None:
    outcome = ci.run_tests({"tests/test_x.py": b"import nowhere\n"}, NOW)

    assert outcome.conclusion == "failure"
    assert "nowhere" in outcome.log
    assert ci.run_tests({"README.md": b""}, NOW).summary == "No test was run (exit code 5)."


def test_a_run_shows_nothing_before_it_has_completed(shop: Shop) -> None:
    shop.pull()
    seen = []
    for _ in range(30):
        checks = shop.ask("wren", "get_checks", repo="shop", ref="greeting")
        [run] = checks["check_runs"]
        seen.append(run["status"])
        assert ("output" in run, run["conclusion"] is not None) == (run["status"] == "completed",) * 2
        assert (run["started_at"] is None) == (run["status"] == "queued")
        assert checks["state"] == ("neutral" if run["status"] == "completed" else "pending")
        shop.wait(10_000_000)

    assert list(dict.fromkeys(seen)) == ["queued", "in_progress", "completed"]


def test_how_long_a_run_takes_depends_on_the_commit_alone(shop: Shop, twin: Shop) -> None:
    for one in (shop, twin):
        one.pull()
        one.wait(10 * MINUTES)
    first, second = (one.ask("wren", "get_checks", repo="shop", number=1) for one in (shop, twin))

    assert first == second


def test_without_a_sandbox_a_check_says_so(shop: Shop) -> None:
    shop.pull()
    shop.wait(10 * MINUTES)
    [run] = shop.ask("wren", "get_checks", repo="shop", number=1)["check_runs"]

    assert (run["conclusion"], "could not run here" in run["output"]["title"]) == ("neutral", True)


def test_checks_of_what_is_not_there_are_not_found(shop: Shop) -> None:
    assert shop.refused("wren", "get_checks", repo="shop", ref="nope")[0] == 404
    assert shop.refused("wren", "get_checks", repo="shop", number=4)[0] == 404


def test_a_check_runs_again_when_it_has_completed(shop: Shop) -> None:
    shop.pull("ida")
    first = shop.ask("wren", "get_checks", repo="shop", number=1)["check_runs"][0]
    early = shop.refused("wren", "rerun_checks", repo="shop", check_run_id=first["id"])
    shop.wait(10 * MINUTES)
    again = shop.ask("wren", "rerun_checks", repo="shop", check_run_id=first["id"])

    assert (early[0], early[1]["message"]) == (403, "This check run is already running")
    assert (again["name"], again["status"], again["head_sha"]) == (first["name"], "queued", first["head_sha"])
    assert shop.paths() == [f"github:acme/shop.pull/1.check/{again['id']}"]
    assert all(effect.addition for effect in shop.effects)
    assert shop.ask("wren", "get_checks", repo="shop", number=1)["total_count"] == 2
    assert shop.refused("wren", "rerun_checks", repo="vault", check_run_id=first["id"])[0] == 404
