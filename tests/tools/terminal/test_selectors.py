"""How rubrics name what is on a machine."""

import pytest

from brownout.core.apps import Refusal
from brownout.core.calls import Account
from tests.tools.terminal.company import Desk
from tools.terminal import app, errors

pytestmark = pytest.mark.sandbox


def test_effects_and_things_have_the_same_paths(desk: Desk) -> None:
    desk.run("true")
    made = desk.call("run", command="echo hi > boxoffice/docs/notes.md; echo x > /tmp/x; chmod 600 boxoffice/README.md")
    rows = desk.session.simulation.rows()
    paths = {app.path_of(rows, effect.table, effect.after or effect.before or {}) for effect in made.effects}  # type: ignore[arg-type]
    assert paths == {
        "terminal:wren.file/boxoffice/docs",
        "terminal:wren.file/boxoffice/docs/notes.md",
        "terminal:wren.file/boxoffice/README.md",
        "terminal:wren.file//tmp",
        "terminal:wren.file//tmp/x",
    }
    assert all(app.utterance(rows, effect) is None for effect in made.effects)
    (found,) = app.find(rows, "wren:boxoffice/docs/n*.md")
    assert found.path in paths
    assert (found.fields["content"], found.fields["kind"], found.fields["mode"]) == ("hi\n", "file", "644")
    assert [thing.path for thing in app.find(rows, "/tmp/*")] == ["terminal:wren.file//tmp/x"]
    (cloned,) = app.find(rows, "boxoffice/README.md")
    assert "content" not in cloned.fields
    assert app.find(rows, "owen:*") == []


def test_everybody_in_the_company_has_a_machine(desk: Desk) -> None:
    owners = {owner for (owner,) in desk.rows("SELECT owner FROM terminal_home")}
    kinds = {name: profile.account.kind for name, profile in desk.session.setting.people.items()}
    assert owners == {name for name, kind in kinds.items() if kind in ("person", "agent")}


def test_who_has_no_machine_is_told(desk: Desk) -> None:
    stranger = Account("gareth", "Gareth", "g@hall.test", "outsider")
    operation = app.operations["terminal_list_files"]
    steps = desk.session.simulation.request(operation, {}, stranger)
    with pytest.raises(StopIteration) as stop:
        next(steps)
    assert stop.value.value.is_error
    assert stop.value.value.value["code"] == "EACCES"


@pytest.mark.parametrize("kind", ["unavailable", "timeout", "rate_limited", "read_only", "auth_expired"])
def test_every_outage_has_words(kind: str) -> None:
    refused = errors.refuse(Refusal(kind))  # type: ignore[arg-type]
    assert refused.status >= 400
    assert refused.content["error"]
