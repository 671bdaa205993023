"""Which changes of pulls say something."""

from brownout.core.calls import Effect
from tests.tools.github.shop import Shop
from tools.github import app


def test_what_changes_but_says_nothing_is_no_utterance(shop: Shop) -> None:
    shop.pull()
    shop.ask("ida", "review_pull", repo="shop", number=1, event="APPROVE")
    shop.ask("ida", "close_pull", repo="shop", number=1)

    assert shop.said() == []
    assert app.utterance(shop.rows, Effect("delete", "github_pull", 1, None, None)) is None
