"""The company at any moment of its calendar."""

from brownout.engine.world import World
from worlds.expressions import parse_moment


def test_a_past_time_is_shown_as_it_was_then(tiny: World) -> None:
    preview = tiny.preview()

    def product_channel(day: str) -> int:
        at = parse_moment(day, tiny.setting.zone)
        assert isinstance(at, int)
        preview.go(at)
        answer = preview.ask("slack_read_channel", {"channel": "#product"}, "yuki")
        assert isinstance(answer, dict)
        messages = answer["messages"]
        assert isinstance(messages, list)
        return len(messages)

    later, earlier, again = (
        product_channel(day) for day in ("2026-03-25 12:00", "2026-03-05 12:00", "2026-03-25 12:00")
    )

    assert earlier < later == again


def test_the_start_of_a_task_is_what_the_preview_shows_then(tiny: World) -> None:
    preview = tiny.preview()
    preview.go(tiny.package.task("find-the-change").start)
    session = tiny.open_session("find-the-change")

    shown = preview.ask("jira_search_issues", {"jql": "ORDER BY key"}, "wren")

    assert session.call("jira_search_issues", {"jql": "ORDER BY key"}).structured == shown
