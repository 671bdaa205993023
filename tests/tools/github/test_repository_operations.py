"""Looking at repositories, files and branches."""

from base64 import b64decode

from tests.tools.github.shop import FILES, Shop


def test_repositories_are_listed_with_their_default_branch(shop: Shop) -> None:
    found = shop.ask("wren", "list_repositories")

    assert [(r["full_name"], r["default_branch"], r["open_pulls_count"]) for r in found["repositories"]] == [
        ("acme/attic", "main", 0),
        ("acme/shop", "main", 0),
        ("acme/vault", "main", 0),
    ]
    assert found["repositories"][0]["created_at"] == "2026-02-01T00:00:00Z"


def test_a_file_is_shown_as_text_with_its_sha(shop: Shop) -> None:
    found = shop.ask("wren", "get_file", repo="acme/shop", path="/README.md")

    assert (found["type"], found["encoding"], found["content"]) == ("file", "utf-8", "# Shop\n\nSells seats.\n")
    assert (found["name"], found["size"], len(found["sha"])) == ("README.md", 21, 40)


def test_a_binary_file_is_shown_as_base64(shop: Shop) -> None:
    found = shop.ask("wren", "get_file", repo="shop", path="logo.bin")

    assert (found["encoding"], b64decode(found["content"])) == ("base64", FILES["logo.bin"])


def test_a_file_can_be_read_at_a_branch_a_commit_or_a_step_before_one(shop: Shop) -> None:
    tip = shop.head()
    for ref, minutes in (("conflicting", "12"), ("main~2", "15"), (tip, "10"), (tip[:8], "10"), ("", "10")):
        found = shop.ask("wren", "get_file", repo="shop", path="src/app.py", ref=ref)

        assert f"return {minutes}\n" in found["content"], ref


def test_a_folder_is_listed_by_either_operation(shop: Shop) -> None:
    listed = shop.ask("wren", "list_directory", repo="shop", path="src")

    assert listed == shop.ask("wren", "get_file", repo="shop", path="src")
    assert [(e["type"], e["path"]) for e in listed["entries"]] == [("file", "src/app.py")]
    assert [(e["type"], e["name"]) for e in shop.ask("wren", "list_directory", repo="shop")["entries"]] == [
        ("file", "README.md"), ("file", "conftest.py"), ("dir", "docs"), ("file", "logo.bin"), ("dir", "src"),
        ("dir", "tests"),
    ]  # fmt: skip


def test_a_folder_can_be_listed_with_all_that_is_below_it(shop: Shop) -> None:
    every = shop.ask("wren", "list_directory", repo="shop", recursive=True)["entries"]
    below = shop.ask("wren", "list_directory", repo="shop", path="docs", recursive=True)["entries"]

    assert [e["path"] for e in every] == sorted(FILES)
    assert [e["path"] for e in below] == ["docs/notes.md"]


def test_what_is_not_there_is_not_found(shop: Shop) -> None:
    assert shop.refused("wren", "get_file", repo="nope", path="x")[0] == 404
    assert shop.refused("wren", "get_file", repo="shop", path="nope.md")[1]["message"] == "Not Found"
    assert shop.refused("wren", "list_directory", repo="shop", path="nope")[0] == 404
    assert shop.refused("wren", "list_directory", repo="shop", path="nope", recursive=True)[0] == 404
    status, body = shop.refused("wren", "get_file", repo="shop", path="README.md", ref="nope")
    assert (status, body["message"]) == (404, "No commit found for the ref nope")
    assert shop.refused("wren", "list_branches", repo="nope")[0] == 404
    assert shop.refused("wren", "get_blame", repo="shop", path="src")[0] == 404


def test_somebody_without_an_account_sees_nothing(shop: Shop) -> None:
    for operation, words in (("list_repositories", {}), ("get_file", {"repo": "shop", "path": "README.md"})):
        status, body = shop.refused("gareth", operation, **words)

        assert (status, body["message"]) == (401, "Bad credentials")


def test_branches_say_whether_they_are_protected(shop: Shop) -> None:
    plain = shop.ask("wren", "list_branches", repo="shop")["branches"]
    guarded = shop.ask("wren", "list_branches", repo="vault", per_page=2)

    assert [(b["name"], b["protected"]) for b in plain] == [
        ("conflicting", False),
        ("greeting", False),
        ("main", False),
    ]
    assert guarded["next_page"] == 2
    [last] = shop.ask("wren", "list_branches", repo="vault", per_page=2, page=2)["branches"]
    assert last == {"name": "main", "commit": {"sha": shop.head("vault")}, "protected": True}


def test_blame_says_which_commit_wrote_which_lines(shop: Shop) -> None:
    ranges = shop.ask("wren", "get_blame", repo="shop", path="src/app.py")["ranges"]

    assert [(r["startingLine"], r["endingLine"], r["commit"]["author"]) for r in ranges] == [
        (1, 5, "Ida Lindqvist"),
        (6, 6, "Tomás Herrera"),
    ]
    assert ranges[1]["commit"]["message"] == "Hold for 10 minutes"


def test_code_is_found_by_words_inside_longer_ones_and_by_qualifiers(shop: Shop) -> None:
    def paths(query: str) -> list[str]:
        found = shop.ask("wren", "search_code", query=query)
        assert found["total_count"] == len(found["items"])
        return [f"{item['repository']['full_name']}:{item['path']}" for item in found["items"]]

    assert paths("hold_min repo:acme/shop") == ["acme/shop:src/app.py"]
    assert paths('"def price(" repo:shop') == ["acme/shop:src/app.py"]
    assert paths("price path:tests org:acme") == [
        f"acme/{name}:tests/test_app.py" for name in ("attic", "shop", "vault")
    ]
    assert paths("price extension:md") == []
    assert paths("shop filename:README.md repo:shop") == ["acme/shop:README.md"]
    assert paths("price language:python -path:tests repo:shop") == ["acme/shop:src/app.py"]
    assert paths("notes in:path repo:shop") == ["acme/shop:docs/notes.md"]
    assert paths("(price OR hello) repo:shop") == ["acme/shop:src/app.py", "acme/shop:tests/test_app.py"]
    assert paths("HELLO") == [], "only default branches are searched"
    [hit] = shop.ask("wren", "search_code", query="hold_minutes repo:shop")["items"]
    assert hit["text_matches"] == [{"line": 5, "fragment": "def hold_minutes():"}]
