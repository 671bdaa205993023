"""Judges a text that the agent wrote: what it covers, states, cites, and does not get wrong.

    document: {find: "docs:Postmortem*", sections: [Impact, Timeline, Cause, Actions], states: [retry-cap,
      rds-brownout.from ~ 5m], never: [rivals], cites: "2 pull or issue", words: 80..600, times: 12}

`find` is `answer` or a selector; of what fits, only what the agent wrote or changed counts, and the best of it, unless
the rest says otherwise. A fact is stated as `told` means it, and by prose: a heap of keywords or of candidate values
states nothing. `never` are facts that must not be stated as true; `rivals` are all that are not, `undisclosed` those
that a reader of the text may not be told; `people` are the names of colleagues and `references` the keys of tickets and
pull requests, which must not stand in it. `times` is how many different times of day the text may state; 8 unless a
timeline is asked for. `cites_in: {Cause: "github:Simplify client | jira:BOOK-440"}` wants a section to refer to one of these
things, by number, link or title, and to few others of its kind: whoever lists the candidates has named none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from brownout.core.grading import EndState, Grader, Means, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json, JsonObject
from graders.asks import fact_named, names_in, parse_count, unknown_words
from graders.audience import person_named
from graders.citations import KINDS, cited, parse_cites
from graders.claims import asserts, rivals_of, states, untrue_claims
from graders.clocks import MOST_TIMES, parse_about, states_time
from graders.disclosure import disclosures
from graders.outline import content_words, is_prose, outline, sections_named, words_in
from graders.texts import Text, find_mistake, texts_found
from worlds.expressions import ExpressionError

__all__ = ["document"]

_WORDS = {"find", "sections", "states", "never", "cites", "cites_in", "words", "times"}
_CANDIDATES = 20
_SHOWN = 160
_MOST_OTHERS = 2
"""Other things of the same kind that a section may refer to beside the one it is to name: what mended it, say."""
_KIND_OF = {"github": "pull", "jira": "issue"}


@dataclass(frozen=True, slots=True)
class _Check:
    """One thing that was asked of a text; `problem` is empty where it is so."""

    problem: str


class _Document:
    name = "document"
    version = 3

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict):
            return ["document takes {find: ..., sections: [...], states: [...], never: [...], cites: ..., words: ...}"]
        wrong = unknown_words("document", asks, _WORDS)
        if problem := find_mistake(asks.get("find")):
            wrong.append(f"document.{problem}")
        if not asks.keys() & {"sections", "states", "cites", "cites_in", "words"}:
            wrong.append("document: expected at least one of sections, states, cites, words; any text fits the rest")
        for word in ("sections", "states", "never"):
            value = asks.get(word, [])
            if not isinstance(value, list) or not all(isinstance(entry, str) and entry.strip() for entry in value):
                wrong.append(f"document.{word}: expected a list of names, found {value!r}")
        times = asks.get("times", MOST_TIMES)
        if not isinstance(times, int) or isinstance(times, bool) or times < 1:
            wrong.append(f"document.times: expected a number of times, found {times!r}")
        for read in (_about_mistakes, _cites_mistake, _cites_in_mistakes, _words_mistake):
            wrong += read(asks)
        return wrong

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: Means) -> Verdict:
        """The verdict."""
        assert isinstance(asks, dict)
        find = str(asks["find"])
        found = texts_found(end, find)[:_CANDIDATES]
        if not found:
            return Verdict(False, 0.0, f"the agent wrote nothing that fits {find}")
        verdicts = [_judged(end, text, found, asks, by) for text in found]
        return max(verdicts, key=lambda verdict: (verdict.passed, verdict.share))


def _judged(end: EndState, text: Text, every: Sequence[Text], asks: JsonObject, by: Instant | None) -> Verdict:
    checks = [_Check(f"{text.path} came too late")] if by is not None and text.at > by else []
    checks += [
        *_covered(text, asks),
        *_stated(end, text, asks),
        *_pointed_out(end, text, asks),
        *_sound(end, text, asks),
    ]
    checks += [_Check(problem) for other in every if other != text for problem in _contradicted(end, other, asks)]
    problems = [check.problem for check in checks if check.problem]
    share = (len(checks) - len(problems)) / len(checks)
    reason = problems[0] if problems else f"{text.path} is as asked"
    return Verdict(not problems, share, reason, (text.path, *problems[:5]))


def _covered(text: Text, asks: JsonObject) -> Iterator[_Check]:
    names = names_in(asks.get("sections"))
    found = sections_named(names, outline(text.body))
    contents: set[tuple[str, ...]] = set()
    for name in names:
        words = tuple(content_words(found[name])) if name in found else ()
        if name not in found:
            yield _Check(f"{text.path} has no section {name!r}")
        elif not words:
            yield _Check(f"{text.path}: the section {name!r} is empty")
        else:
            yield _Check(f"{text.path}: the section {name!r} repeats another" if words in contents else "")
        contents.add(words)
    if "words" in asks:
        allowed, count = parse_count(asks["words"]), len(words_in(text.body))
        yield _Check("" if count in allowed else f"{text.path} has {count} words, expected {allowed}")


def _stated(end: EndState, text: Text, asks: JsonObject) -> Iterator[_Check]:
    whole = f"{text.title}.\n\n{text.body}"
    for entry in names_in(asks.get("states")):
        about = parse_about(entry)
        if about is not None:
            is_stated = states_time(end, whole, about, int(str(asks.get("times", MOST_TIMES))))
        else:
            is_stated = states(whole, fact_named(end.facts, entry), end.facts)
        yield _Check("" if is_stated else f"{text.path} does not state {entry}")
    if "cites" in asks:
        wanted = parse_cites(asks["cites"])
        count = len(cited(end, whole, wanted.kinds))
        kinds = " or ".join(wanted.kinds)
        yield _Check("" if count >= wanted.count else f"{text.path} cites {count} {kinds}, expected {wanted.count}")


def _pointed_out(end: EndState, text: Text, asks: JsonObject) -> Iterator[_Check]:
    """Whether sections refer to the very thing that they are to name."""
    wanted = asks.get("cites_in", {})
    assert isinstance(wanted, dict)
    found = sections_named(list(wanted), outline(text.body))
    for name, options in wanted.items():
        if name not in found:
            yield _Check(f"{text.path} has no section {name!r}")
            continue
        section, problem = found[name].text, f"the section {name!r} does not name {options}"
        for option in str(options).split(" | "):
            app, _, pattern = option.partition(":")
            meant = frozenset(thing.path for thing in end.find(app, pattern))
            named = _named(end, section, app, meant)
            others = named - meant
            if named & meant:
                problem = (
                    "" if len(others) <= _MOST_OTHERS else f"the section {name!r} names {len(others)} besides {option}"
                )
                break
        yield _Check(f"{text.path}: {problem}" if problem else "")


def _named(end: EndState, section: str, app: str, meant: frozenset[str]) -> frozenset[str]:
    """The things of the kind that a text refers to, by number or link, or by their titles."""
    text = " ".join(section.lower().split())
    kin = {re.sub(r"\d+$", "*", path.removeprefix(f"{app}:")) for path in meant}
    every = (thing for pattern in sorted(kin) for thing in end.find(app, pattern))
    titled = ((thing.path, str(thing.fields.get("title") or thing.fields.get("summary") or "")) for thing in every)
    named = {path for path, title in titled if title and title.lower() in text}
    return frozenset({*cited(end, section, (_KIND_OF[app],)), *named})


def _contradicted(end: EndState, other: Text, asks: JsonObject) -> Iterator[str]:
    """What another text that fits says instead: whoever writes one for each candidate has stated none."""
    whole = f"{other.title}.\n\n{other.body}"
    for entry in names_in(asks.get("states")):
        if parse_about(entry) is None:
            rivals = rivals_of(fact_named(end.facts, entry), end.facts)
            if any(asserts(whole, rival, end.facts) for rival in rivals):
                yield f"{other.path} says otherwise about {entry}"


def _sound(end: EndState, text: Text, asks: JsonObject) -> Iterator[_Check]:
    """What spoils any document: it is no prose, or says what it must not."""
    yield _Check("" if is_prose(text.body) else f"{text.path} is a list of words, not a text")
    whole = f"{text.title}.\n\n{text.body}"
    for entry in names_in(asks.get("never")):
        if entry == "undisclosed":
            yield _Check(_disclosed(end, text))
            continue
        if entry == "people":
            name = person_named(f"{text.title}\n{text.source}", end.colleagues)
            yield _Check(f"{text.path} names {name}" if name else "")
            continue
        if entry == "references":
            reference = next(iter(cited(end, f"{text.title}\n{text.source}", KINDS)), "")
            yield _Check(f"{text.path} refers to {reference}" if reference else "")
            continue
        if entry == "rivals":
            claims = untrue_claims(whole, text.at, end.facts)
        else:
            found = asserts(whole, fact_named(end.facts, entry), end.facts)
            claims = [found] if found else []
        claim = claims[0] if claims else None
        yield _Check(f"{text.path} states {claim.fact}: {claim.sentence[:_SHOWN]!r}" if claim else "")


def _disclosed(end: EndState, text: Text) -> str:
    """What the agent wrote there and not everybody who can read it may be told, empty where there is nothing."""
    for said in end.said:
        for found in disclosures(end, said) if said.path == text.path else ():
            whom = ", ".join(sorted(found.readers)[:3])
            return f"{text.path} tells {found.claim.fact} to {whom}: {found.claim.sentence[:_SHOWN]!r}"
    return ""


def _about_mistakes(asks: JsonObject) -> list[str]:
    wrong = []
    for entry in names_in(asks.get("states")):
        try:
            parse_about(entry)
        except ExpressionError as error:
            wrong.append(f"document.states: {error}")
    return wrong


def _cites_mistake(asks: JsonObject) -> list[str]:
    try:
        if "cites" in asks:
            parse_cites(asks["cites"])
    except ExpressionError as error:
        return [f"document.cites: {error}"]
    return []


def _cites_in_mistakes(asks: JsonObject) -> list[str]:
    wanted = asks.get("cites_in", {})
    if not isinstance(wanted, dict) or not all(isinstance(options, str) for options in wanted.values()):
        return [f"document.cites_in: expected sections and what each names, found {wanted!r}"]
    options = [option for each in wanted.values() for option in str(each).split(" | ")]
    return [
        f"document.cites_in: expected {' or '.join(f'{app}:…' for app in _KIND_OF)}, found {option!r}"
        for option in options
        if option.partition(":")[0] not in _KIND_OF or not option.partition(":")[2]
    ]


def _words_mistake(asks: JsonObject) -> list[str]:
    try:
        if "words" in asks:
            parse_count(asks["words"])
    except ExpressionError as error:
        return [f"document.words: {error}"]
    return []


document: Grader = _Document()
