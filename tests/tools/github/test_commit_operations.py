"""Looking at commits."""

from tests.tools.github.shop import DAWN, NOW, Shop


def subjects(found: dict[str, list[dict[str, dict[str, str]]]]) -> list[str]:
    return [commit["commit"]["message"].partition("\n")[0] for commit in found["commits"]]


def test_commits_are_listed_newest_first_and_paged(shop: Shop) -> None:
    first = shop.ask("wren", "list_commits", repo="shop", per_page=2)
    second = shop.ask("wren", "list_commits", repo="shop", per_page=2, page=first["next_page"])

    assert subjects(first) == ["More notes", "Hold for 10 minutes"]
    assert (subjects(second), second["next_page"]) == (["Begin"], None)
    assert first["commits"][1]["author"] == {"login": "tomas"}
    assert first["commits"][1]["commit"]["author"]["date"] == "2026-02-03T00:00:00Z"


def test_commits_are_listed_by_path_author_and_time(shop: Shop) -> None:
    def listed(**words: str) -> list[str]:
        return subjects(shop.ask("wren", "list_commits", repo="shop", **words))

    assert listed(path="src/app.py") == ["Hold for 10 minutes", "Begin"]
    assert listed(author="tomas") == listed(author="tomas@acme.test") == ["Hold for 10 minutes"]
    assert listed(since="2026-02-03T00:00:00Z", until="2026-02-03") == ["Hold for 10 minutes"]
    assert listed(ref="greeting", until="2026-02-04T12:00:00+00:00") == ["More notes", "Hold for 10 minutes", "Begin"]
    assert listed(path="nowhere") == []


def test_a_time_that_is_none_is_refused(shop: Shop) -> None:
    status, body = shop.refused("wren", "list_commits", repo="shop", since="last week")

    assert (status, "since" in body["message"]) == (422, True)


def test_a_commit_comes_with_its_patch(shop: Shop) -> None:
    found = shop.ask("wren", "get_commit", repo="shop", sha="main~1")

    assert found["commit"]["message"] == "Hold for 10 minutes\n\nAs decided."
    assert found["stats"] == {"additions": 1, "deletions": 1, "total": 2}
    [file] = found["files"]
    assert (file["filename"], file["status"]) == ("src/app.py", "modified")
    assert file["patch"].splitlines()[-2:] == ["-    return 15", "+    return 10"]


def test_the_first_commit_is_all_additions(shop: Shop) -> None:
    files = shop.ask("wren", "get_commit", repo="shop", sha="main~2")["files"]

    assert {file["status"] for file in files} == {"added"}
    assert "patch" not in next(file for file in files if file["filename"] == "logo.bin")


def test_a_commit_that_is_not_there_is_not_found(shop: Shop) -> None:
    assert shop.refused("wren", "get_commit", repo="shop", sha="f" * 40)[0] == 404
    assert shop.refused("wren", "compare", repo="shop", base="main", head="nope")[0] == 404


def test_histories_are_compared_from_where_they_parted(shop: Shop) -> None:
    def compared(base: str, head: str) -> tuple[str, int, int, list[str]]:
        found = shop.ask("wren", "compare", repo="shop", base=base, head=head)
        return found["status"], found["ahead_by"], found["behind_by"], [file["filename"] for file in found["files"]]

    assert compared("main", "greeting") == ("ahead", 2, 0, ["src/greeting.py", "tests/test_greeting.py"])
    assert compared("greeting", "main") == ("behind", 0, 2, [])
    assert compared("main", "conflicting") == ("diverged", 1, 2, ["src/app.py"])
    assert compared("main", "main") == ("identical", 0, 0, [])


def test_commits_made_in_a_session_carry_its_time(shop: Shop) -> None:
    shop.ask("tomas", "put_file", repo="shop", path="new.md", content="new\n", message="Add new")
    [made] = shop.ask("wren", "list_commits", repo="shop", since="2026-03-02")["commits"]

    assert DAWN < NOW
    assert made["commit"]["author"] == {
        "name": "Tomás Herrera",
        "email": "tomas@acme.test",
        "date": "2026-03-24T10:00:00Z",
    }
    assert made["author"] == {"login": "tomas"}
