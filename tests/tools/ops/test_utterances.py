"""What a page, a note, an update and a post say, and to whom."""

from brownout.store import StoreRows as StoredRows
from tests.tools.ops.desk import Desk, raise_alert
from tools.ops import app


def test_a_page_is_said_to_whoever_is_paged_and_a_note_to_those_on_the_alert(desk: Desk) -> None:
    key = raise_alert(desk, to=("tomas",))
    desk.ask("page_person", person="ida", text="Please look")
    desk.ask("add_alert_note", alert=key, text="On it")
    assert isinstance(desk.rows, StoredRows)
    said = [app.utterance(desk.rows, effect) for effect in desk.rows.take_effects()]

    assert [(u.text, u.to) for u in said if u is not None] == [
        ("Please look", frozenset({"ida"})),
        ("On it", frozenset({"wren", "tomas", "ida"})),
    ]


def test_an_update_is_said_to_whoever_it_is_sent_to(desk: Desk) -> None:
    key = desk.ask(
        "open_incident", title="Selling fails", severity="critical", services=["boxoffice"], subscribers=["support"]
    )["id"]
    assert isinstance(desk.rows, StoredRows)
    desk.rows.take_effects()
    desk.ask("update_incident", incident=key, message="Moved.", runs_on=["boxoffice.database=aws-rds/eu-south-1"])
    said = [found for effect in desk.rows.take_effects() if (found := app.utterance(desk.rows, effect))]

    assert [(each.path, each.text, each.to) for each in said] == [
        (
            f"ops:incident/{key}.update/2",
            "Moved.\ndatabase of boxoffice: aws-rds/eu-south-1",
            frozenset({"ida", "tomas"}),
        )
    ]


def test_everybody_outside_reads_the_public_page(desk: Desk) -> None:
    assert isinstance(desk.rows, StoredRows)
    desk.ask("publish_post", title="Selling fails", body="We look.", services=["boxoffice"])
    [said] = [found for effect in desk.rows.take_effects() if (found := app.utterance(desk.rows, effect))]

    assert (said.path, said.text) == ("ops:status-page.post/1.update/1", "Selling fails\nWe look.")
    assert {"saltworks", "ida", "tomas"} <= said.to
