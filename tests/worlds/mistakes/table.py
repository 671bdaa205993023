"""Mistakes that authors make, each a small edit of a valid world, and the one message that each must come to."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SLIPS", "Slip", "TextPlace"]

WORLD, PEOPLE, OUTAGES, SYSTEMS = "world.yaml", "people.yaml", "outages.yaml", "systems.yaml"
HOURS, TASK, ORACLE = "storylines/hours.yaml", "tasks/opening/task.yaml", "tasks/opening/oracle.yaml"
HOLDS, FIND = "storylines/holds.yaml", "tasks/find-the-change/task.yaml"
SERIES, VOICES = "repos/boxoffice/series.yaml", "prose/systems.yaml"

Edit = Callable[[Path], None]


@dataclass(frozen=True)
class Slip:
    """An edit.

    Attributes:
        world: `starter`, or a shipped world.
        place: `file:line` of the one message; no line where the file as a whole is meant; or a text of the file as it is then, which
            ends in that line, so that a line more above it in a shipped world changes nothing here.
        says: what the message must contain; nothing where the reader of YAML words it.
    """

    name: str
    world: str
    edit: Edit
    place: "str | TextPlace"
    says: str

    def where(self, folder: Path) -> str:
        """The place in a folder that was edited."""
        if isinstance(self.place, str):
            return self.place
        before, found, _ = (folder / self.place.file).read_text("utf-8").partition(self.place.text)
        assert found, self.place
        return f"{self.place.file}:{(before + found).count(chr(10)) + 1}"


@dataclass(frozen=True)
class TextPlace:
    """The line of a file in which a text ends."""

    file: str
    text: str


at = TextPlace


def swap(file: str, old: str, new: str) -> Edit:
    """The first `old` in a file is `new`."""

    def edit(folder: Path) -> None:
        text = (folder / file).read_text("utf-8")
        assert old in text, (file, old)
        (folder / file).write_text(text.replace(old, new, 1), "utf-8")

    return edit


def swap_bytes(file: str, old: bytes, new: bytes) -> Edit:
    """Likewise, where it is no text any more."""

    def edit(folder: Path) -> None:
        data = (folder / file).read_bytes()
        assert old in data, (file, old)
        (folder / file).write_bytes(data.replace(old, new, 1))

    return edit


def spoil(file: str, change: Callable[[bytes], bytes]) -> Edit:
    """All of a file is something else."""

    def edit(folder: Path) -> None:
        (folder / file).write_bytes(change((folder / file).read_bytes()))

    return edit


def write(file: str, text: str) -> Edit:
    """A file is this."""

    def edit(folder: Path) -> None:
        (folder / file).write_text(text, "utf-8")

    return edit


def drop(file: str) -> Edit:
    """A file is not there."""
    return lambda folder: (folder / file).unlink()


def worthless(folder: Path) -> None:
    """No criterion is worth anything."""
    text, _, _judged = (folder / TASK).read_text("utf-8").partition("    kind:")
    (folder / TASK).write_text(re.sub(r"worth: \d", "worth: 0", text), "utf-8")


_EARLY = '  early: {at: 2026-05-05 10:00, who: ben, told: {"#shop": slack}, states: [open-8]}\n'
_TWICE = 'beats:\n  later: {at: 2026-05-09 10:00, who: ana, told: {"#shop": slack}}\n'
_FINE = "    bad: {worth: 1, trajectory: {never: [docs_create_page]}}\n"
_NEEDY = "    z: {worth: 1, needs: [bad], trajectory: {never: [docs_create_page]}}\n"
_CIRCLE = "can_be: [aws-rds/eu-central-1]}\n    door: {is: doorlist}"

_TEXT = [
    Slip("wrong bytes in a storyline", "starter", swap_bytes(HOURS, b"Customers wait", b"Customers w\xffit"), f"{HOURS}:6", "UTF-8"),
    Slip("wrong bytes in people.yaml", "starter", swap_bytes(PEOPLE, b"Ben Ode", b"Ben \xd6de"), f"{PEOPLE}:2", "UTF-8"),
    Slip("a tab in a storyline", "starter", swap(HOURS, "  later: {", "\tlater: {"), f"{HOURS}:5", ""),
    Slip("a tab in people.yaml", "tiny", swap(PEOPLE, "  name: Ida", "\tname: Ida"), f"{PEOPLE}:28", ""),
    Slip("a section one column off", "starter", swap(WORLD, "  jira: {projects", "   jira: {projects"), f"{WORLD}:8", ""),
    Slip("a beat one column off", "tiny", swap(HOLDS, "  shorten-hold:\n    at", "  shorten-hold:\n   at"), at(HOLDS, "at: 2026-03-12 11:05\n    who"), ""),
    Slip("a storyline that is no YAML", "tiny", swap(HOLDS, "facts:\n", "facts: [\n"), at(HOLDS, "slot: boxoffice.hold_minutes"), ""),
    Slip("a beat that is indented too little", "starter", swap(HOURS, "  complaint: {at", "complaint: {at"), f"{HOURS}:6", "complaint: unknown word"),
    Slip("a section's name left out", "starter", swap(HOURS, "beats:\n", ""), f"{HOURS}:4", "facts.later: found at, who, makes here, which belong elsewhere; how far is it indented?"),
    Slip("the same beat twice", "starter", swap(HOURS, "  later: {at", "  complaint: {at: 2026-05-07 10:00, who: ana}\n  later: {at"), f"{HOURS}:7", "complaint"),
    Slip("a title with a colon", "starter", swap(TASK, "title: Say when", "title: Say: when"), f"{TASK}:1", ""),
]  # fmt: skip
_NUMBERS = [
    Slip("more cents than there are", "tiny", swap("customers.yaml", "saltworks: {", f"saltworks: {{sites: {'9' * 23}, "), "customers.yaml:3", "saltworks.sites: expected at most 9007199254740991, found 9999"),
    Slip("a large number in quotes", "tiny", swap("customers.yaml", "saltworks: {", f"saltworks: {{sites: \"{'9' * 23}\", "), "customers.yaml:3", "saltworks.sites: expected at most 9007199254740991, found '9999"),
    Slip("a large number of no field", "starter", swap(HOURS, "type: Bug}", f"type: Bug, number: {'9' * 23}}}"), f"{HOURS}:6", "complaint.opens.number: expected at most"),
    Slip("a large number of an app's own", "starter", swap(WORLD, "lead: ana}", f"lead: ana, first: {'9' * 23}}}"), f"{WORLD}:8", "apps.jira.projects.SHOP.first: expected at most"),
    Slip("a large setting of a mode", "starter", swap(OUTAGES, "mode: down", f"mode: rate_limited, per_minute: {'9' * 23}"), f"{OUTAGES}:1", "slack-out.per_minute: expected at most"),
    Slip("a number without an end", "starter", swap(WORLD, "apps:", "background: .inf\napps:"), f"{WORLD}:6", "background: expected a number, found inf"),
    Slip("a small seed", "starter", swap(WORLD, "apps:", f"generation: {{seed: -{'9' * 23}}}\napps:"), f"{WORLD}:6", "generation.seed: expected at least -9007199254740991"),
    Slip("a duration of ages", "starter", swap(OUTAGES, "for: 30m", "for: 99999999999d"), f"{OUTAGES}:1", "slack-out.for: expected a duration of at most a hundred years"),
    Slip("a limit of ages", "starter", swap(TASK, "start: ", f"limits: {{calls: {'9' * 23}}}\nstart: "), f"{TASK}:3", "limits.calls: expected at most"),
]  # fmt: skip
_BACKGROUND = [
    Slip("a volume that is too loud", "starter", swap(WORLD, "apps:", "background: 5\napps:"), f"{WORLD}:6", "background: expected a number from 0 to 3, or one by layer (machines, work, people), found 5"),
    Slip("a volume below nothing", "starter", swap(WORLD, "apps:", "background: -1\napps:"), f"{WORLD}:6", "found -1"),
    Slip("a volume in words", "starter", swap(WORLD, "apps:", "background: loud\napps:"), f"{WORLD}:6", "expected a number from 0 to 3, or one by layer"),
    Slip("a layer that is too loud", "starter", swap(WORLD, "apps:", "background: {people: 5}\napps:"), f"{WORLD}:6", "background.people: expected at most 3, found 5"),
]  # fmt: skip
_LOST = [
    Slip("people as a list", "starter", write(PEOPLE, "- {name: A, role: b}\n"), f"{PEOPLE}:1", "expected a mapping of names, found a list"),
    Slip("people as a text", "starter", write(PEOPLE, "See the wiki.\n"), f"{PEOPLE}:1", "expected a mapping of names, found 'See the wiki.'"),
    Slip("people in a picture", "tiny", spoil(PEOPLE, lambda data: bytes(range(256)) * 4), f"{PEOPLE}:2", "UTF-8"),
    Slip("people in UTF-16", "tiny", spoil(PEOPLE, lambda data: data.decode().encode("utf-16")), f"{PEOPLE}:1", "UTF-8"),
    Slip("customers as a list", "tiny", write("customers.yaml", "- 1\n"), "customers.yaml:1", "found a list"),
    Slip("systems as a list", "tiny", write(SYSTEMS, "[]\n"), f"{SYSTEMS}:1", "found a list"),
    Slip("outages as a number", "tiny", write(OUTAGES, "7\n"), f"{OUTAGES}:1", "found 7"),
    Slip("a storyline as a list", "starter", write(HOURS, "- facts\n"), f"{HOURS}:1", "found a list"),
]  # fmt: skip
_SHORT_NAMES = [
    Slip("a person called as a channel", "starter", swap(PEOPLE, "ben: {", '"#shop": {name: Cy Roe, role: baker}\nben: {'), f"{PEOPLE}:2", "#shop: expected a short name of lower-case letters, digits and hyphens, found '#shop'"),
    Slip("a customer in capitals", "tiny", swap("customers.yaml", "saltworks: {", "Hall: {name: Hall, contact: Al, email: al@hall.test}\nsaltworks: {"), "customers.yaml:3", "Hall: expected a short name"),
    Slip("an outsider with a blank", "starter", write("outsiders.yaml", "the man: {name: A, email: a@b.test}\n"), "outsiders.yaml:1", "the man: expected a short name"),
    Slip("a service called true", "tiny", swap(SYSTEMS, "doorlist:\n", "true: {says: No.}\ndoorlist:\n"), at(SYSTEMS, "true: {"), "expected a short name"),
    Slip("an outage with a stop", "starter", swap(OUTAGES, "slack-out: {", "a.b: {on: slack, from: 2026-05-09 11:01, for: 1m, mode: down}\nslack-out: {"), f"{OUTAGES}:1", "a.b: expected a short name"),
    Slip("a storyline in capitals", "starter", write("storylines/Shop Talk.yaml", "says: Nothing.\n"), "storylines/Shop Talk.yaml", "expected a short name"),
]  # fmt: skip
_FILES = [
    Slip("no people.yaml", "starter", drop(PEOPLE), PEOPLE, "expected ana, ben, as in storylines/hours.yaml:5"),
    Slip("an empty people.yaml", "starter", write(PEOPLE, ""), PEOPLE, "expected ana, ben"),
    Slip("an empty world.yaml", "starter", write(WORLD, ""), WORLD, "found an empty file"),
    Slip("no outages.yaml", "starter", drop(OUTAGES), OUTAGES, "expected slack-out, as in tasks/opening/oracle.yaml:4; found no such file"),
    Slip("no storyline", "starter", drop(HOURS), "storylines", "expected complaint, open-8"),
    Slip("no task.yaml", "starter", drop(TASK), TASK, "expected this file, found none"),
    Slip("no oracle", "starter", drop(ORACLE), ORACLE, "expected the task's reference solution"),
    Slip("no systems.yaml", "tiny", drop(SYSTEMS), SYSTEMS, "expected aws-rds/eu-west-1, boxoffice, doorlist"),
    Slip("no customers.yaml", "tiny", drop("customers.yaml"), "customers.yaml", "expected blue-lantern, corner-hall, foundry-stage, saltworks"),
    Slip("a file misnamed", "starter", write("peple.yaml", "x: {}\n"), "peple.yaml", "did you mean 'people.yaml'?"),
    Slip("no patch", "tiny", drop("repos/boxoffice/patches/0008-pricing.patch"), f"{SERIES}:60", "expected patches/0008-pricing.patch"),
    Slip("no document", "tiny", swap(HOLDS, "file: why-is-a-seat-grey.md", "file: why-is-a-seat-gray.md"), at(HOLDS, "why-is-a-seat-gray.md"), "expected documents/why-is-a-seat-gray.md"),
]  # fmt: skip
_WORDS = [
    Slip("the section apps", "starter", swap(WORLD, "apps:", "aps:"), f"{WORLD}:6", "aps: unknown word; did you mean 'apps'?"),
    Slip("the section clock", "starter", swap(WORLD, "clock: {", "clok: {"), f"{WORLD}:5", "did you mean 'clock'?"),
    Slip("the section facts", "starter", swap(HOURS, "facts:", "facs:"), f"{HOURS}:1", "did you mean 'facts'?"),
    Slip("the section beats", "starter", swap(HOURS, "beats:", "beets:"), f"{HOURS}:4", "did you mean 'beats'?"),
    Slip("the section rubric", "starter", swap(TASK, "rubric:", "rubrik:"), f"{TASK}:12", "did you mean 'rubric'?"),
    Slip("the section points", "starter", swap(TASK, "  points:", "  point:"), f"{TASK}:15", "did you mean 'points'?"),
    Slip("the section needs", "tiny", swap(SYSTEMS, "  needs:\n    database", "  neds:\n    database"), f"{SYSTEMS}:7", "did you mean 'needs'?"),
    Slip("the section groups", "tiny", swap(WORLD, "    groups:", "    grups:"), f"{WORLD}:23", "apps.gmail.grups: unknown word; did you mean 'groups'?"),
    Slip("the section channels", "starter", swap(WORLD, "slack: {channels", "slack: {chanels"), f"{WORLD}:7", "did you mean 'channels'?"),
    Slip("a person's role", "starter", swap(PEOPLE, "role: owner", "rol: owner"), f"{PEOPLE}:1", "ana.rol: unknown word; did you mean 'role'?"),
    Slip("a beat's verb", "starter", swap(HOURS, 'told: {"#shop": slack}', 'tolld: {"#shop": slack}'), f"{HOURS}:5", "beats.later.tolld: unknown word; did you mean 'told'?"),
    Slip("what a beat makes", "starter", swap(HOURS, "makes: [open-8]", "maks: [open-8]"), f"{HOURS}:5", "did you mean 'makes'?"),
    Slip("an outage's from", "starter", swap(OUTAGES, "from: 2026", "frmo: 2026"), f"{OUTAGES}:1", "slack-out.frmo: unknown word; did you mean 'from'?"),
    Slip("a ticket's project", "starter", swap(HOURS, "project: SHOP", "porject: SHOP"), f"{HOURS}:6", "unknown word 'porject'; did you mean 'project'?"),
    Slip("a criterion's needs", "starter", swap(TASK, "given: {worth: 1, needs:", "given: {worth: 1, need:"), f"{TASK}:19", "given.need: unknown word; did you mean 'needs'?"),
    Slip("a grader", "starter", swap(TASK, "needs: [told], world_state", "needs: [told], world_stat"), f"{TASK}:19", "did you mean 'world_state'?"),
    Slip("a grader that is none", "starter", swap(TASK, "needs: [told], world_state: {", "needs: [told], rubric: {"), f"{TASK}:19", "there is no grader 'rubric'"),
    Slip("what a grader asks", "starter", swap(TASK, "told: {facts: [open-8]", "told: {fatcs: [open-8]"), f"{TASK}:18", "told has no 'fatcs'; did you mean 'facts'?"),
    Slip("an option that did nothing", "starter", swap(WORLD, "clock:", "generation: {chatter: 50}\nclock:"), f"{WORLD}:5", "generation.chatter: unknown word"),
    Slip("a commit's message", "tiny", swap(SERIES, "message:", "mesage:"), f"{SERIES}:5", "did you mean 'message'?"),
]  # fmt: skip
_VALUES = [
    Slip("worth in letters", "starter", swap(TASK, "found: {worth: 1", "found: {worth: three"), f"{TASK}:16", "found.worth: expected a whole number, found 'three'"),
    Slip("a voice", "starter", swap(PEOPLE, "voice: warm", "voice: wram"), f"{PEOPLE}:1", "found 'wram'; did you mean 'warm'?"),
    Slip("a fault mode", "starter", swap(OUTAGES, "mode: down", "mode: dwon"), f"{OUTAGES}:1", "did you mean 'down'?"),
    Slip("a domain that exists", "starter", swap(WORLD, "domain: crumb.test", "domain: crumb.com"), f"{WORLD}:4", "expected a domain that ends in .test"),
    Slip("another format", "starter", swap(WORLD, "format: 1", "format: 2"), f"{WORLD}:1", "format: expected 1, found 2"),
    Slip("a length in words", "starter", swap(OUTAGES, "for: 30m", "for: half an hour"), f"{OUTAGES}:1", "expected a duration such as 30s"),
    Slip("a time in words", "starter", swap(HOURS, "2026-05-07 10:00", "2026-05-07 9 am"), f"{HOURS}:5", "expected a time such as 2026-04-14 10:12"),
    Slip("a day that there is none of", "starter", swap(HOURS, "2026-05-08 09:00", "2026-05-32 09:00"), f"{HOURS}:6", "is not a moment"),
    Slip("a calendar in another form", "starter", swap(WORLD, "from: 2026-05-04", "from: 04.05.2026"), f"{WORLD}:5", "found '04.05.2026'"),
    Slip("no such time zone", "tiny", swap(WORLD, "zone: Europe/Lisbon", "zone: Europe/Lisboa"), f"{WORLD}:6", "'Europe/Lisboa' is not in the tz database"),
    Slip("a person in no time zone", "starter", swap(PEOPLE, "role: owner", "zone: Mars/Base, role: owner"), f"{PEOPLE}:1", "'Mars/Base' is not in the tz database"),
    Slip("a mail to nobody", "tiny", swap(HOLDS, "    to: [saltworks]", "    to: []"), at(HOLDS, "    to: []"), "to: expected at least 1 entry, found none"),
    Slip("a beat's mail to nobody", "tiny", swap(HOLDS, "{to: [support], subject: \"SOLD", "{subject: \"SOLD"), at(HOLDS, "mails: {subject"), "found nobody to tell"),
    Slip("told to nobody", "starter", swap(HOURS, 'told: {"#shop": slack}', "told: {}"), f"{HOURS}:5", "found nobody"),
    Slip("a rubric worth nothing", "starter", worthless, f"{TASK}:15", "the points are worth nothing"),
    Slip("a circle of services", "tiny", swap(SYSTEMS, "can_be: [aws-rds/eu-central-1]}", _CIRCLE), f"{SYSTEMS}:7", "boxoffice -> doorlist -> boxoffice"),
    Slip("a circle of managers", "starter", swap(PEOPLE, "role: owner", "manager: ben, role: owner"), f"{PEOPLE}:1", "ana -> ben -> ana"),
]  # fmt: skip
_NAMES = [
    Slip("a person with five readers", "starter", swap(PEOPLE, "ana: {", "anna: {"), f"{PEOPLE}:1", "anna: expected 'ana', as it is called in people.yaml:2"),
    Slip("a person with a hundred", "tiny", swap(PEOPLE, "\nida:", "\nidda:"), f"{PEOPLE}:27", "and 106 more places; nothing names 'idda'"),
    Slip("a fact where it is declared", "starter", swap(HOURS, "open-8: {slot", "opn-8: {slot"), f"{HOURS}:3", "opn-8: expected 'open-8'"),
    Slip("a beat where it is declared", "starter", swap(HOURS, "  later: {at", "  latr: {at"), f"{HOURS}:5", "latr: expected 'later'"),
    Slip("a channel where it is declared", "starter", swap(WORLD, '"#shop": {', '"#shp": {'), f"{WORLD}:7", "#shp: expected '#shop'"),
    Slip("a finding where it is declared", "starter", swap(TASK, "  opens: {asks", "  opnes: {asks"), f"{TASK}:11", "opnes: expected 'opens'"),
    Slip("a kept name where it is kept", "starter", swap(ORACLE, "keep: {ticket:", "keep: {tiket:"), f"{ORACLE}:2", "tiket: expected 'ticket'"),
    Slip("a service where it is declared", "tiny", swap(SYSTEMS, "boxoffice:\n", "boxofice:\n"), f"{SYSTEMS}:1", "boxofice: expected 'boxoffice'"),
    Slip("an app in use", "starter", swap(WORLD, "  slack: {channels", "  slakc: {channels"), f"{WORLD}:7", "there is no app 'slakc'; did you mean 'slack'?"),
    Slip("an app with tickets", "starter", swap(WORLD, "  jira: {projects", "  jirra: {projects"), f"{WORLD}:8", "there is no app 'jirra'; did you mean 'jira'?"),
    Slip("what an outage is on", "tiny", swap(OUTAGES, "on: aws-rds/eu-west-1", "on: boxofice"), f"{OUTAGES}:2", "did you mean 'boxoffice'?"),
    Slip("whom a mail is to", "tiny", swap(HOLDS, "    to: [saltworks]", "    to: [saltwork]"), at(HOLDS, "to: [saltwork]"), "did you mean 'saltworks'?"),
    Slip("who is on call", "tiny", swap(SYSTEMS, "on_call: ida", "on_call: idda"), f"{SYSTEMS}:4", "did you mean 'ida'?"),
    Slip("who made a commit", "tiny", swap(SERIES, "who: tomas", "who: thomas"), f"{SERIES}:4", "did you mean 'tomas'?"),
    Slip("a beat that prose is for", "tiny", swap("prose/holds.yaml", "suspicion:", "suspicon:"), at("prose/holds.yaml", "suspicon:"), "did you mean 'suspicion'?"),
    Slip("the hidden test that ends it", "tiny", swap(SYSTEMS, "hidden/test_release.py", "hidden/test_relase.py"), f"{SYSTEMS}:10", "did you mean 'hidden/test_release.py'?"),
    Slip("the pull of a fact", "tiny", swap(HOLDS, "github:Simplify hold store", "github:Simplifi hold store"), at(HOLDS, "Simplifi hold store"), "did you mean 'Simplify hold store'?"),
    Slip("the pull that closes a ticket", "tiny", swap(HOLDS, "closed_by: boxoffice/ten-minutes", "closed_by: boxoffice/ten-minute"), at(HOLDS, "boxoffice/ten-minute}"), "did you mean 'boxoffice/ten-minutes'?"),
    Slip("a fact in a rubric", "starter", swap(TASK, "facts: [open-8]", "facts: [open-9]"), f"{TASK}:18", "there is no fact 'open-9'"),
    Slip("a finding in a rubric", "starter", swap(TASK, "findings: [opens]", "findings: [opes]"), f"{TASK}:16", "there is no finding 'opes'; did you mean 'opens'?"),
    Slip("what a criterion needs", "starter", swap(TASK, "needs: [told], world_state", "needs: [tld], world_state"), f"{TASK}:19", "there is no criterion 'tld'; did you mean 'told'?"),
    Slip("a page that nobody writes", "starter", swap(TASK, 'find: "docs:Opening', 'find: "docs:Opning'), f"{TASK}:17", "did you mean 'Opening hours'?"),
    Slip("an oracle's operation", "starter", swap(ORACLE, "- docs_create_page:", "- docs_creat_page:"), f"{ORACLE}:5", "did you mean 'docs_create_page'?"),
    Slip("an oracle's argument", "starter", swap(ORACLE, '{channel: "#shop"}', '{chanel: "#shop"}'), f"{ORACLE}:1", "chanel: unknown argument; did you mean 'channel'?"),
    Slip("an argument with a kept value", "starter", swap(ORACLE, "{issue: $ticket, assignee", "{isue: $ticket, assignee"), f"{ORACLE}:11", "isue: unknown argument; did you mean 'issue'?"),
    Slip("an argument with a fact", "starter", swap(ORACLE, 'text: "We open at ${fact:open-8}."', 'txt: "We open at ${fact:open-8}."'), f"{ORACLE}:4", "txt: unknown argument; did you mean 'text'?"),
    Slip("a finding that is handed in", "starter", swap(ORACLE, "record_findings: {opens:", "record_findings: {opes:"), f"{ORACLE}:3", "no such finding; did you mean 'opens'?"),
    Slip("the word keep", "starter", swap(ORACLE, "keep: {ticket:", "kepe: {ticket:"), f"{ORACLE}:2", "kepe: unknown argument; did you mean 'keep'?"),
    Slip("the word submit", "starter", swap(ORACLE, "- submit:", "- subimt:"), f"{ORACLE}:13", "did you mean 'submit'?"),
]  # fmt: skip
_SENSE = [
    Slip("a statement before its cause", "starter", swap(HOURS, "beats:\n", "beats:\n" + _EARLY), f"{HOURS}:5", "early: states open-8 on Tue 05 May 2026"),
    Slip("a talk of what is not yet so", "tiny", swap(HOLDS, "states: [hold-15]\n  shorten", "states: [hold-10]\n  shorten"), at(HOLDS, "at: 2026-03-03 10:20"), "it is so only since shorten-hold"),
    Slip("a beat's name in two files", "starter", write("storylines/other.yaml", _TWICE), "storylines/other.yaml:2", "found that of a moment in storylines/hours.yaml:5"),
    Slip("a fact's name in two files", "starter", write("storylines/other.yaml", 'facts:\n  open-8: {slot: a.b, is: "9"}\n'), "storylines/other.yaml:2", "found that of a fact in storylines/hours.yaml:3"),
    Slip("no submit", "starter", swap(ORACLE, "- submit: ", "# "), f"{ORACLE}:12", "expected `submit` as the last step"),
    Slip("customers without words", "tiny", swap(VOICES, "    errors:", "    slow:"), f"{SYSTEMS}:13", "expected words for it in prose/systems.yaml, customers.boxoffice.errors; found slow"),
    Slip("an actor who works here", "starter", swap(TASK, "person: robin", "person: ben"), f"{TASK}:4", "expected somebody new"),
    Slip("an actor who is a customer", "tiny", swap(FIND, "person: wren", "person: saltworks"), f"{FIND}:4", "'saltworks' is somebody's name already"),
    Slip("an outsider who works here", "starter", write("outsiders.yaml", "ben: {name: Ben, email: ben@x.test}\n"), "outsiders.yaml:1", "somebody has this name already"),
    Slip("a criterion that needs itself", "starter", swap(TASK, "given: {worth: 1, needs: [told]", "given: {worth: 1, needs: [given]"), f"{TASK}:19", "given -> given"),
    Slip("criteria that need each other", "starter", swap(TASK, "told: {worth: 2, told", "told: {worth: 2, needs: [given], told"), f"{TASK}:18", "told -> given -> told"),
    Slip("a criterion that needs a penalty", "starter", swap(TASK, "  points:\n", f"  penalties:\n{_FINE}  points:\n{_NEEDY}"), f"{TASK}:18", "found the penalty 'bad'"),
    Slip("a calendar that ends first", "starter", swap(WORLD, "until: 2026-05-16", "until: 2026-05-01"), f"{WORLD}:5", "until 2026-05-01 is not after from 2026-05-04"),
    Slip("a fact that ends first", "starter", swap(HOURS, "until: later", "since: 2026-05-09, until: 2026-05-06"), f"{HOURS}:2", "expected a time after since"),
    Slip("days off that end first", "starter", swap(PEOPLE, "role: owner", "away: [{from: 2026-05-09, until: 2026-05-06}], role: owner"), f"{PEOPLE}:1", "until 2026-05-06 is not after from 2026-05-09"),
    Slip("a beat after the calendar", "starter", swap(HOURS, "2026-05-08 09:00", "2026-06-08 09:00"), f"{HOURS}:6", "complaint: its time is after the calendar's end, Sat 16 May 2026 00:00 WEST (world.yaml:5); found Mon 08 Jun"),
    Slip("an outage before the calendar", "starter", swap(OUTAGES, "2026-05-08 11:01", "2025-05-08 11:01"), f"{OUTAGES}:1", "over before it begins"),
    Slip("a task after the calendar", "starter", swap(TASK, "start: 2026-05-08 11:00", "start: 2026-06-08 11:00"), f"{TASK}:3", "outside the world's calendar, Mon 04 May 2026 00:00 WEST to Sat 16 May 2026 00:00 WEST (world.yaml:5)"),
    Slip("a calendar that ends too early", "tiny", swap(WORLD, "until: 2026-04-01", "until: 2026-03-13"), f"{WORLD}:6", "clock.until: expected an end after all that happens, found 2026-03-13, before outages.yaml:2, "),
    Slip("an answer before the mail", "tiny", swap(HOLDS, "at: 2026-03-24 09:51", "at: 2026-03-23 09:51"), at(HOLDS, "re: saltworks-mail"), "expected a time after saltworks-mail"),
    Slip("a comment before the ticket", "tiny", swap(HOLDS, "at: 2026-03-24 10:48", "at: 2026-03-23 23:48"), at(HOLDS, "at: 2026-03-23 23:48"), "expected a time after first-complaint"),
    Slip("a beat on a day off", "starter", swap(PEOPLE, "role: baker", "away: [2026-05-08], role: baker"), f"{HOURS}:6", "ben is away on Fri 08 May"),
    Slip("a beat of somebody who has left", "starter", swap(PEOPLE, "role: baker", "leaves: 2026-05-07, role: baker"), f"{HOURS}:6", "ben has left by Fri 08 May"),
    Slip("a beat of somebody to come", "starter", swap(PEOPLE, "role: baker", "joins: 2026-05-09, role: baker"), f"{HOURS}:6", "ben has not joined by Fri 08 May"),
]  # fmt: skip

SLIPS = [*_TEXT, *_NUMBERS, *_BACKGROUND, *_LOST, *_SHORT_NAMES, *_FILES, *_WORDS, *_VALUES, *_NAMES, *_SENSE]
