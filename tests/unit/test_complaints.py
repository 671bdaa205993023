"""Customers complain in words that fit them."""

import re
from pathlib import Path

import brownout
from generators.run_time_phrases import phrases_of, systems_mistakes
from worlds.spec import read_world


def complaints(folder: Path, out: Path) -> dict[str, str]:
    """What customers wrote during the evening's outage, by who wrote it."""
    with brownout.open_world(brownout.build(folder, out=out)) as world:
        preview = world.preview()
        preview.go(world.package.manifest.calendar[1])
        rows = preview.rows.execute(
            "SELECT b.person, m.subject || '\n' || m.body FROM gmail_message m JOIN gmail_mailbox b ON b.id = m.author "
            "WHERE m.at_us BETWEEN 1774293000000000 AND 1774299000000000 AND b.is_outside = 1"
        )
        return {str(person): str(text) for person, text in rows}


def rewrite(folder: Path, written: str) -> None:
    path = folder / "prose/systems.yaml"
    text = path.read_text()
    path.write_text(text[: text.index("customers:")] + f"customers:\n  boxoffice:\n    errors:\n{written}")


def test_each_customer_writes_their_own_words(spec_folder: Path, tmp_path: Path) -> None:
    own = phrases_of(read_world(spec_folder))["customers.boxoffice.errors"]
    found = complaints(spec_folder, tmp_path / "package")

    written = {who: text for who, text in found.items() if [text] == own.get(who)}
    assert len(written) >= 2
    assert not re.search(r"Moss[\s\S]*Moss", found.get("corner-hall", "")), "signed twice"


def test_a_voice_is_used_by_those_who_have_it_and_a_text_once(spec_folder: Path, tmp_path: Path) -> None:
    rewrite(spec_folder, '      terse: ["slow\\nfix please"]\n      any: ["Trouble\\nSomething is wrong."]\n')
    found = complaints(spec_folder, tmp_path / "package")

    said = {who: text for who, text in found.items() if text.startswith(("slow", "Trouble"))}
    assert {who for who, text in said.items() if text.startswith("slow")} <= {"saltworks"}
    assert sum(text.startswith("Trouble") for text in said.values()) <= 1
    assert all(text.count("\n") > 2 for text in said.values()), "signed by whoever writes it"


def test_words_for_somebody_who_is_no_customer_are_a_mistake(spec_folder: Path) -> None:
    rewrite(spec_folder, '      blue-lanten: "x\\ny"\n')

    assert any("did you mean 'blue-lantern'?" in str(mistake) for mistake in systems_mistakes(read_world(spec_folder)))


def with_polly(folder: Path, voice: str = "") -> None:
    """Let Corner Hall have a second contact who acts."""
    path = folder / "customers.yaml"
    said = f", voice: {voice}" if voice else ""
    contact = f"contacts: [{{name: Polly Reed, email: polly@cornerhall.test, as: polly{said}}}]"
    path.write_text(path.read_text().replace("voice: formal,", f"voice: formal, {contact},"))


def test_a_further_contact_leaves_complaining_to_whoever_speaks_for_the_customer(
    spec_folder: Path, tmp_path: Path
) -> None:
    with_polly(spec_folder)
    rewrite(spec_folder, '      any: ["A\\na", "B\\nb", "C\\nc", "D\\nd", "E\\ne"]\n')

    assert "polly" not in complaints(spec_folder, tmp_path / "package")


def test_a_further_contact_with_words_of_their_own_writes_them(spec_folder: Path, tmp_path: Path) -> None:
    with_polly(spec_folder)
    rewrite(spec_folder, '      polly: "help\\nall dead here"\n')

    assert [*systems_mistakes(read_world(spec_folder))] == []
    assert complaints(spec_folder, tmp_path / "package")["polly"] == "help\nall dead here"


def test_a_contact_has_a_voice_of_their_own(spec_folder: Path, tmp_path: Path) -> None:
    with_polly(spec_folder, voice="chatty")
    with brownout.open_world(brownout.build(spec_folder, out=tmp_path / "package")) as world:
        people = world.setting.people

    assert (people["polly"].voice, people["corner-hall"].voice) == ("chatty", "formal")
    assert people["polly"].customer == "corner-hall"
