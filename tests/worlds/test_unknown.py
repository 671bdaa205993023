"""`unknown` in a field: what says so, and what says so and answers all the same."""

import re
from datetime import date

import pytest

from brownout.core.entities import Entities, EntityReference
from worlds.findings import read_given
from worlds.spec.findings import FindingSchema

PEOPLE = {
    "viktor": ("Viktor Haas", "viktor@larkspur.test"),
    "grace": ("Grace Okafor", "grace@larkspur.test"),
    "rosa": ("Rosa Lima", "rosa@larkspur.test"),
    "claire": ("Claire Dubois", "claire@larkspur.test"),
}


def references(text: str) -> list[EntityReference]:
    return [
        EntityReference(hit.start(), hit.end(), f"jira:MSG.issue/{hit[0]}") for hit in re.finditer(r"MSG-\d+", text)
    ]


ENTITIES = Entities(
    PEOPLE,
    {"rds/eu-west-1": ("Ireland",), "rds/eu-south-1": ("Milan",)},
    references,
    date(2026, 4, 23),
    "Europe/Berlin",
)
FIELDS = {
    schema.kind: schema
    for schema in (
        FindingSchema(name="it", kind="person", asks="Who agreed"),
        FindingSchema(name="it", kind="date", asks="Until when"),
        FindingSchema(name="it", kind="time", asks="Since when"),
        FindingSchema(name="it", kind="artefact", asks="Which ticket"),
        FindingSchema(name="it", kind="part", asks="Where it runs"),
        FindingSchema(name="it", kind="quantity", asks="How many", unit="clinics"),
        FindingSchema(name="it", kind="duration", asks="How long", unit="minutes"),
        FindingSchema(name="it", kind="choice", asks="What it costs", options={"free": ["not charged"], "charged": []}),
    )
}
CONTRADICTIONS = """
person: unknown. It was Viktor
person: unknown, but probably Viktor
person: unknown, I'd say Viktor
person: unknown - Viktor
person: unknown / Viktor
person: unknown (Viktor)
person: unknown (probably Viktor)
person: unknown, officially; Viktor in practice
person: not recorded; Viktor agreed to it
person: nobody knows, no doubt Viktor
person: unknown, none other than Viktor
person: unknown, nobody but Viktor
person: not documented, though Viktor said yes
person: unknown: Viktor Haas
person: unbekannt, aber wohl Viktor
person: unbekannt. Es war Viktor
person: desconhecido, mas foi o Viktor
person: não consta. Foi Viktor
person: unknown, if not Viktor then Grace
person: unknown; by elimination Viktor
person: unknown, not Grace but Viktor
person: unknown because Viktor agreed by phone
person: unknown, can't be anyone except Viktor
person: unknown = Viktor
person: cannot be known, it was Viktor, not Grace
person: Viktor, or unknown
person: Viktor; unknown
person: Viktor (unknown)
person: unknown, wasn't it Viktor?
person: unknown, not unlikely Viktor
person: unknown → Viktor
person: unknown | Viktor
person: unknown, asked Grace, it was Viktor
person: We cannot know. Viktor, most likely.
person: unknown, Viktor without a note
person: unknown and Viktor
person: unknown. viktor@larkspur.test
date: unknown. 30 September 2026
date: unknown, but 30 September
date: not recorded; until 30 June 2026
date: unknown (30 September)
date: unknown - at least until 30 June
date: unbekannt, wohl bis 30.09.2026
date: unknown, not 30 June but 30 September
date: unknown, on 30 September 2026
time: unknown, at 10:12
time: unknown; about 10:12
time: unknown. It began at 10:12
quantity: unknown, 31 clinics
quantity: unknown. 31
quantity: unknown (31)
quantity: not recorded, 31 I think
artefact: unknown, MSG-149
artefact: unknown. It is MSG-149
artefact: unknown; see MSG-149
artefact: unknown (MSG-149)
part: unknown, Ireland
part: unknown. It runs in eu-west-1
part: unknown, not Milan but Ireland
choice: unknown; free
choice: unknown, probably charged
choice: unknown, it was free
duration: unknown, 45 minutes
duration: unknown (45 min)
duration: unknown; took 45
person: unknown... though everybody says Viktor
person: Officially unknown. Viktor.
person: unknown in writing, Viktor in fact
person: nobody knows for sure; my money is on Viktor
person: unknown—Viktor told me so
person: not known, presumably Viktor Haas
person: unknown. Viktor, I was told
person: unbekannt; vermutlich Viktor
person: unbekannt: Viktor hat zugesagt
person: weiß niemand, am ehesten Viktor
person: ninguém sabe, talvez o Viktor
person: desconhecido. Terá sido o Viktor
person: unknown, Viktor signed it
person: unknown\\nViktor
person: unknown; answer if pressed: Viktor
person: unknown: ask Viktor, he agreed
person: unknown, it can only be Viktor
person: unknown, the name Viktor comes to mind
person: **unknown** Viktor
person: unknown (it was V... Viktor)
person: I can't tell; Viktor did
person: unknown, see Viktor
person: unknown to me, known to be Viktor
person: unclear whether Grace or Viktor: Viktor
person: cannot be established. Candidates: Viktor
person: unknown, no one other than Viktor could
person: unknown, not without Viktor
person: unknown, I never doubted it was Viktor
date: unknown, somewhere around 30 September 2026
date: not recorded: 30 June 2026 as far as I can see
date: unbekannt, ich tippe auf den 30. September 2026
quantity: unknown, 30 or 31 clinics
quantity: not known exactly: 31
artefact: unknown, MSG-149 comes closest
"""
UNKNOWN = """
person: unknown
person: Unknown.
person: unknown (asked Viktor, Grace, Rosa)
person: unknown, I asked Viktor, Claire, Rosa and Grace
person: unknown - Grace took it over from a file without a name; Claire says it wasn't her
person: unknown ("It does not say. I take it over as it is", Grace)
person: nobody here knows
person: not recorded
person: unknown, nobody wrote it down
person: unknown: Viktor does not know either
person: unknown, neither Viktor nor Grace knows
person: unknown; not Viktor, not Grace
person: unbekannt (Viktor weiß es nicht)
person: desconhecido, perguntei ao Viktor e à Grace
person: desconhecido; o Viktor não sabe
person: unknown, the file has no name
person: No record of who agreed
person: unknown to Viktor, Grace and Rosa
person: cannot be determined; I asked Viktor and he cannot remember
person: unknown, no note by Viktor
person: it is unknown, I have looked in the register
person: unknown because Viktor did not write it down
date: unknown
date: unknown - no date in the file, the table or the register
date: not recorded, not in the mail of 22 April either
date: unknown ("no date")
date: unknown, not 30 June
date: unbekannt, in der Mail vom 22. April steht nichts
date: not documented (I asked on 22 April)
artefact: unknown, not in MSG-149
artefact: unknown; nothing in MSG-149
artefact: not recorded (looked at MSG-149, MSG-152)
quantity: unknown
quantity: unknown, nobody counted them
time: unknown: nothing in the logs before 10:12
"""
VALUES = """
person: Viktor, date not recorded
person: Viktor (when is not documented)
person: Viktor Haas, team lead
person: Viktor, who said it on the phone; the ticket is not known
"""


def lines(text: str) -> list[tuple[str, str]]:
    return [(kind, answer) for kind, _, answer in (line.partition(": ") for line in text.strip().split("\n"))]


@pytest.mark.parametrize(("kind", "answer"), lines(CONTRADICTIONS))
def test_unknown_beside_a_value_is_a_contradiction(kind: str, answer: str) -> None:
    assert read_given(FIELDS[kind], answer.replace("\\n", "\n"), ENTITIES).outcome not in ("unknown", "value")  # type: ignore[index]


@pytest.mark.parametrize(("kind", "answer"), lines(UNKNOWN))
def test_unknown_may_say_who_was_asked_and_what_was_searched(kind: str, answer: str) -> None:
    assert read_given(FIELDS[kind], answer, ENTITIES).outcome == "unknown"  # type: ignore[index]


@pytest.mark.parametrize(("kind", "answer"), lines(VALUES))
def test_a_value_may_say_what_else_is_not_known(kind: str, answer: str) -> None:
    assert read_given(FIELDS[kind], answer, ENTITIES).outcome == "value"  # type: ignore[index]
