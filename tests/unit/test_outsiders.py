"""Who writes from outside and is nobody's customer has a mailbox, an address of their own, and nothing else."""

from pathlib import Path

import pytest

import brownout
from brownout.core.errors import AuthoringError

MAIL = """
mails:
  asks-for-keys:
    at: 2026-03-24 09:10
    who: fake-ida
    to: [ops]
    subject: Password of the database
    text: "Please send it as answer to this mail. Ida"
"""


def with_outsider(folder: Path, written: str) -> Path:
    (folder / "outsiders.yaml").write_text(written)
    (folder / "storylines" / "outside.yaml").write_text(MAIL)
    return folder


def test_somebody_from_outside_mails_under_a_colleagues_name(spec_folder: Path, tmp_path: Path) -> None:
    folder = with_outsider(spec_folder, "fake-ida: {name: Ida Lindqvist, email: ida@pennywhistle-it.test}\n")
    with brownout.open_world(brownout.build(folder, out=tmp_path / "package")) as world:
        preview = world.preview()
        preview.go(world.package.manifest.calendar[1])
        sent = preview.rows.execute("SELECT sender FROM gmail_message WHERE subject = 'Password of the database'")
        accounts = [*preview.rows.execute("SELECT count(*) FROM slack_user WHERE person = 'fake-ida'")]
        person = world.setting.people["fake-ida"]

    assert [str(sender) for (sender,) in sent] == ["Ida Lindqvist <ida@pennywhistle-it.test>"]
    assert accounts == [(0,)]
    assert (person.account.kind, person.customer) == ("outsider", "")


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("ida: {name: Ida, email: ida@pennywhistle-it.test}\n", "ida: somebody has this name already"),
        ("fake-ida: {name: Ida, email: ida@pennywhistle.test}\n", "ida@pennywhistle.test is somebody's already"),
        ("fake-ida: {name: Ida}\n", "email"),
        ("fake-idda: {name: Ida, email: ida@pennywhistle-it.test}\n", "did you mean 'fake-idda'"),
    ],
)
def test_outsiders_are_checked(spec_folder: Path, tmp_path: Path, written: str, problem: str) -> None:
    with pytest.raises(AuthoringError, match=problem):
        brownout.build(with_outsider(spec_folder, written), out=tmp_path / "package")
