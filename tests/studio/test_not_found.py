"""What is not there is said by our own page, with the nearest there is."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from brownout.core.vocabulary import alike
from studio.near_pages import near_pages
from tests.studio.asking import asked
from tests.studio.test_pages import texts

Open = Callable[..., AppTest]
_BROWSER = {"host": "127.0.0.1:8501", "accept": "text/html,application/xhtml+xml"}


@pytest.mark.parametrize(
    ("path", "query", "to"),
    [
        ("/preveiw", "world=tiny&as=ida", "/not_found?asked=%2Fpreveiw&world=tiny&as=ida"),
        ("/worlds/acme/overview", "", "/not_found?asked=%2Fworlds%2Facme%2Foverview"),
        ("/%0d%0aSet-Cookie:x", "", "/not_found?asked=%2F%250d%250aSet-Cookie%3Ax"),
        ("//evil.example", "", ""),
        ("/x", "asked=/other", "/not_found?asked=%2Fx"),
        ("/home", "world=tiny", "/?world=tiny"),
        ("/overview/", "world=tiny", "/overview?world=tiny"),
        ("/overview", "world=tiny", ""),
        ("/", "", ""),
        ("/static/none.js", "", ""),
    ],
)
def test_an_address_that_no_page_has_leads_to_the_page_that_says_so(path: str, query: str, to: str) -> None:
    answer = asked(path, query=query, headers=_BROWSER)

    assert answer.headers.get("location", "") == to
    assert (answer.status == 307) == bool(to)


def test_what_no_browser_asks_for_is_answered_as_before() -> None:
    assert "location" not in asked("/preveiw", headers={**_BROWSER, "accept": "*/*"}).headers


def test_the_page_says_what_was_not_found_and_links_the_nearest_with_what_the_link_said(open_page: Open) -> None:
    app = open_page("not_found", asked="/preveiw", world="tiny", **{"as": "ida"})

    assert not app.exception
    assert "/preveiw not found" in texts(app)
    links = {one.proto.label: one.proto.query_string for one in app.main.get("page_link")}
    assert links == {"Preview": "world=tiny&as=ida", "Go to Home": ""}
    assert "No page has this address." in texts(open_page("not_found", asked="/zzzz"))


@pytest.mark.parametrize(
    ("address", "nearest"),
    [("/preveiw", "preview"), ("/new-world", "new_world"), ("/worlds/acme/overview", "overview"), ("/outage", "outages"),
     ("/timeline", "storylines"), ("/products", "company"), ("/QA", "check")],
)  # fmt: skip
def test_the_nearest_page_is_found_by_its_name_or_by_what_it_is_for(address: str, nearest: str) -> None:
    assert near_pages(address)[0].file == nearest


def test_nothing_is_near_to_what_means_nothing() -> None:
    assert near_pages("/a/b/zzzz") == []
    assert alike("zzzz", ["larkspur", "tiny"]) == []
    assert alike("Larkspr", ["larkspur", "tiny"]) == ["larkspur"]


@pytest.mark.parametrize("page", ["overview", "people", "files", "preview", "export"])
def test_a_world_that_is_not_there_has_the_nearest_one_beside_it(open_page: Open, page: str) -> None:
    app = open_page(page, world="tinny")

    assert "World tinny not found" in texts(app)
    title = app.title[0].value
    links = {one.proto.label: one.proto.query_string for one in app.main.get("page_link")}
    assert links == {f"{title} of tiny": "world=tiny", "Go to Home": ""}


def test_a_run_that_is_not_there_has_the_nearest_one_beside_it(open_page: Open) -> None:
    links = {one.proto.label: one.proto.query_string for one in open_page("replay", run="solvd").main.get("page_link")}
    assert links == {"Replay solved": "run=solved", "Go to Home": ""}
    app = open_page("compare", runs="solved,halfwy")
    links = {one.proto.label: one.proto.query_string for one in app.main.get("page_link")}
    assert links == {"Compare with halfway": "runs=solved%2Chalfway", "Go to Home": ""}
    assert "Did you mean find" in open_page("overview", world="tiny", task="find-the-chang").warning[0].value


def test_no_page_that_somebody_wants_is_the_one_for_what_is_not_there(open_page: Open) -> None:
    app = open_page("home")
    app.button(key="go_to").click().run()
    assert "Page · Not found" not in app.selectbox(key="go_to_choice").options
