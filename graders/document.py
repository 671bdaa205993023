"""Judges a document that the agent wrote as a document: its parts, the typed values in their places, what it cites, its length.

    document: {find: "docs:Postmortem*", sections: [Impact, Timeline, Cause], fields: [since, cause], words: 80..600,
      holds: {Impact: [clinics]}, cites: "2 of jira:decision | github:Simplify client", cites_in: {Cause: "github:Simplify client | jira:BOOK-440"},
      never: [people, hold-15]}

`find` is `answer` or a selector; of what fits, only what the agent wrote or changed counts, and the best of it. `fields` are
labelled lines anywhere in it. `keeps: 60` wants 60 % of what stood there before to stand there still, in runs of four words.
`cites: "2 of jira:decision | docs:Runbook*"` wants two of these things referred to, and fewer others of their kinds than of them, or
two: whoever pastes keys has cited nothing. `holds` are values in a section (`*` is the whole text): fields of the task, or facts with a
typed value; beside them few others of their kind, for whoever lists the candidates has stated none, and of a fact no rival
that is given as true as well. `cites_in` wants a section
to refer to one of these things. `never` are the names of colleagues (`people`), keys and numbers of tickets and pulls
(`references`), what a reader may not be told (`undisclosed`), facts that no sentence may assert, whatever another one says,
or, with `mentions`, not even mention.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from brownout.core.grading import EndState, Grader, GradingContext, Reads, Said, TruthFact, Verdict
from brownout.core.instants import Instant
from brownout.core.values import Json, JsonObject
from graders.agent_texts import AgentText, find_mistake, texts_found
from graders.audience import person_named
from graders.citations import cited, cited_elsewhere, kind_of, parse_cites
from graders.criterion_asks import fact_named, names_in, parse_count, unknown_words
from graders.disclosure import disclosures
from graders.document_outline import content_words, is_prose, outline, sections_named, words_in
from graders.expected_fields import Expected, expected_of, expected_of_fact, finding_named, problem_of, values_beside
from graders.fact_asks import ask_of, asserted_rival, load_reader, words_asserting
from worlds.expressions import ExpressionError, parse_selector
from worlds.facts.mentions import mention_in
from worlds.facts.stated_facts import is_offered, stated
from worlds.findings import label_names, labelled, read_given
from worlds.values import Context

__all__ = ["document"]

_WORDS: Final = {"find", "sections", "fields", "holds", "never", "cites", "cites_in", "words", "keeps"}
_SAY_SOMETHING: Final = {"sections", "fields", "holds", "cites", "cites_in", "words", "keeps"}
_PROSE: Final = {"sections", "holds", "cites_in", "words", "keeps"}
"""What only a text of sentences can be asked for."""
_CANDIDATES: Final = 20
_RUN: Final = 4
_ABOUT: Final = 180
"""Minutes from a right time within which another one in its section is a further candidate."""
_SHOWN: Final = 160
_LONGEST: Final = 60_000
"""Characters of a document; what is longer is no document that anybody asked for, and is not read."""
_MOST_OTHERS: Final = 2
"""Other values or things of a kind that may stand beside what is asked for: what mended it, say."""
_WHOLE: Final = "*"
_REFERENCES: Final = ("issue", "pull", "commit")


class _Document:
    name = "document"
    version = 7
    reads: Reads = "document"

    def check(self, asks: Json) -> list[str]:
        """What is wrong with the criterion's text."""
        if not isinstance(asks, dict):
            return [
                "document takes {find: ..., sections: [...], fields: [...], holds: {...}, never: [...], cites: ...}"
            ]
        wrong = unknown_words("document", asks, _WORDS)
        if problem := find_mistake(asks.get("find")):
            wrong.append(f"document.{problem}")
        if not asks.keys() & _SAY_SOMETHING:
            wrong.append(
                f"document: expected at least one of {', '.join(sorted(_SAY_SOMETHING))}; any text fits the rest"
            )
        for word in ("sections", "fields", "never"):
            value = asks.get(word, [])
            if not isinstance(value, list) or not all(isinstance(entry, str) and entry.strip() for entry in value):
                wrong.append(f"document.{word}: expected a list of names, found {value!r}")
        keeps = asks.get("keeps", 1)
        if not isinstance(keeps, int) or isinstance(keeps, bool) or not 1 <= keeps <= 100:
            wrong.append(f"document.keeps: expected percent of the text that was there, 1 to 100, found {keeps!r}")
        for word in ("holds", "cites_in"):
            if not isinstance(asks.get(word, {}), dict):
                wrong.append(f"document.{word}: expected sections and what each holds, found {asks[word]!r}")
        return [*wrong, *_unreadable(asks, "cites", parse_cites), *_unreadable(asks, "words", parse_count)]

    def judge(self, end: EndState, asks: Json, by: Instant | None, means: GradingContext) -> Verdict:
        """The verdict."""
        assert isinstance(asks, dict)
        find = str(asks["find"])
        found = texts_found(end, find)[:_CANDIDATES]
        if not found:
            return Verdict(False, 0.0, f"the agent wrote nothing that fits {find}")
        verdicts = [_judged(end, text, asks, by, means) for text in found]
        best = max(verdicts, key=lambda verdict: (verdict.passed, verdict.share))
        contradicting = (problem for text in found for problem in _false_lines(end, text, asks, means))
        if best.passed and (problem := next(contradicting, "")):
            return Verdict(False, 0.0, problem, best.evidence)
        return best


def _unreadable(asks: JsonObject, word: str, read: Callable[[Json], object]) -> list[str]:
    try:
        if word in asks:
            read(asks[word])
    except ExpressionError as error:
        return [f"document.{word}: {error}"]
    return []


def _judged(end: EndState, text: AgentText, asks: JsonObject, by: Instant | None, means: GradingContext) -> Verdict:
    """The verdict on one text; each check is a problem, or empty where what it looks at is as asked."""
    if len(text.source) > _LONGEST:
        return Verdict(False, 0.0, f"{text.path} is longer than {_LONGEST} characters", (text.path,))
    checks = [f"{text.path} came too late"] if by is not None and text.at > by else []
    checks += [*_covered(text, asks), *_lines(end, text, asks, means), *_held(end, text, asks, means)]
    checks += [*_cited(end, text, asks), *_written(text, asks), *_sound(end, text, asks, means)]
    problems = [check for check in checks if check]
    reason = problems[0] if problems else f"{text.path} is as asked"
    return Verdict(not problems, (len(checks) - len(problems)) / len(checks), reason, (text.path, *problems[:5]))


def _covered(text: AgentText, asks: JsonObject) -> Iterator[str]:
    names = names_in(asks.get("sections"))
    found = sections_named(names, outline(text.body))
    contents: set[tuple[str, ...]] = set()
    for name in names:
        words = tuple(content_words(found[name])) if name in found else ()
        if name not in found:
            yield f"{text.path} has no section {name!r}"
        elif not words:
            yield f"{text.path}: the section {name!r} is empty"
        else:
            yield f"{text.path}: the section {name!r} repeats another" if words in contents else ""
        contents.add(words)
    if "keeps" in asks:
        kept = _kept(text.original, text.source)
        yield "" if kept >= int(str(asks["keeps"])) else f"{text.path} keeps {kept} % of what stood there"
    if "words" in asks:
        allowed, count = parse_count(asks["words"]), len(words_in(text.body))
        yield "" if count in allowed else f"{text.path} has {count} words, expected {allowed}"


def _kept(before: str, after: str) -> int:
    """Percent of the runs of four words of a text that another one has; 0 of an empty one."""
    old, new = (_runs(words_in(text.lower())) for text in (before, after))
    return len(old & new) * 100 // len(old) if old else 0


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return {tuple(words[at : at + _RUN]) for at in range(len(words) - _RUN + 1)}


def _lines(end: EndState, text: AgentText, asks: JsonObject, means: GradingContext) -> Iterator[str]:
    """The labelled lines that are asked for: each there, one value, and right."""
    names = names_in(asks.get("fields"))
    findings = {name: finding_named(means, name) for name in names}
    lines = labelled(text.source, {name: label_names(name, finding.labels) for name, finding in findings.items()})
    for name, finding in findings.items():
        expected = expected_of(end, name, finding)
        answers = lines.get(name, [])
        problems = [problem_of(expected, read_given(expected.schema, answer, end.entities)) for answer in answers]
        wrong = next((f"{answer[:80]!r}: {why}" for answer, why in zip(answers, problems, strict=True) if why), "")
        if not answers:
            yield f"{text.path} has no line for {name}"
        else:
            yield f"{text.path}: {name}: {wrong}" if wrong else ""


def _false_lines(end: EndState, text: AgentText, asks: JsonObject, means: GradingContext) -> Iterator[str]:
    """The labelled lines of a text that are there and wrong: of several texts of one name, none may contradict the right one."""
    return (problem for problem in _lines(end, text, asks, means) if problem and "has no line for" not in problem)


def _held(end: EndState, text: AgentText, asks: JsonObject, means: GradingContext) -> Iterator[str]:
    """The values that sections must hold, and how many others of their kind stand beside them."""
    wanted = asks.get("holds", {})
    assert isinstance(wanted, dict)
    sections = sections_named([name for name in wanted if name != _WHOLE], outline(text.body))
    for section, entries in wanted.items():
        if section != _WHOLE and section not in sections:
            yield f"{text.path} has no section {section!r}"
            continue
        body = f"{text.title}\n{text.body}" if section == _WHOLE else sections[section].text
        expected = {name: _expected(end, name, means) for name in names_in(entries)}
        for name, each in expected.items():
            kin = [other for other in expected.values() if other.schema.kind == each.schema.kind]
            has, others = values_beside(end, body, each, kin)
            _, candidates = values_beside(end, body, each, kin, _ABOUT)
            where = text.path if section == _WHOLE else f"{text.path}, {section!r}"
            if not has:
                yield f"{where} does not say {each.schema.name}: {each.shown}"
            else:
                too_many = len(candidates) > max(_MOST_OTHERS, len(kin))
                yield f"{where} has {len(candidates)} others beside {each.schema.name}" if too_many else ""
                if others and name not in means.fields:
                    yield _contradicted(end, body, end.facts[name], text.at, where)


def _contradicted(end: EndState, body: str, fact: TruthFact, at: Instant, where: str) -> str:
    """What a section gives as the fact's value as well, or why it does not state the right one; empty where it does."""
    if rival := asserted_rival(end, body, fact, at):
        return f"{where} says {rival} as well"
    reading = stated(body, ask_of(fact, end.facts, at), end.entities)
    is_read = is_offered(fact.kind) and reading.reason
    return "" if reading.states or not is_read else f"{where}: {reading.reason}"


def _expected(end: EndState, name: str, means: GradingContext) -> Expected:
    if name in means.fields:
        return expected_of(end, name, finding_named(means, name))
    return expected_of_fact(end, fact_named(end.facts, name))


def _cited(end: EndState, text: AgentText, asks: JsonObject) -> Iterator[str]:
    whole = f"{text.title}\n{text.source}"
    if "cites" in asks:
        wanted = parse_cites(asks["cites"])
        meant = {path for option in wanted.options for path in _meant(end, option)} - {text.path}
        named = set(cited(end, whole, tuple(sorted({kind_of(path) for path in meant})))) - {text.path}
        right, others = len(named & meant), cited_elsewhere(end, whole, meant, but=(text.path,))
        if others > max(_MOST_OTHERS, right):
            yield f"{text.path} cites {others} that it was not asked for, and {right} that it was"
        else:
            yield (
                "" if right >= wanted.count else f"{text.path} cites {right} of what it should, expected {wanted.count}"
            )
    places = asks.get("cites_in", {})
    assert isinstance(places, dict)
    sections = sections_named(list(places), outline(text.source))
    for name, options in places.items():
        if name not in sections:
            yield f"{text.path} has no section {name!r}"
            continue
        meant = {path for option in str(options).split(" | ") for path in _meant(end, option)}
        named = set(cited(end, sections[name].text, tuple(sorted({kind_of(path) for path in meant}))))
        if not named & meant:
            yield f"{text.path}: the section {name!r} does not name {options}"
        else:
            others = cited_elsewhere(end, sections[name].text, meant)
            yield f"{text.path}: the section {name!r} names {others} besides" if others > _MOST_OTHERS else ""


def _meant(end: EndState, option: str) -> Sequence[str]:
    selector = parse_selector(option)
    return [thing.path for thing in end.find(selector.app, option.partition(":")[2])]


def _written(text: AgentText, asks: JsonObject) -> Iterator[str]:
    """Whether it is made of sentences; a mail that only has to have lines or to cite need not be."""
    if asks.keys() & _PROSE:
        yield "" if is_prose(text.body) else f"{text.path} is a list of words, not a text"


def _sound(end: EndState, text: AgentText, asks: JsonObject, means: GradingContext) -> Iterator[str]:
    """What spoils any document: it says what it must not."""
    for entry in names_in(asks.get("never")):
        if entry == "undisclosed":
            yield _disclosed(end, text)
        elif entry == "people":
            name = person_named(f"{text.title}\n{text.source}", end.colleagues)
            yield f"{text.path} names {name}" if name else ""
        elif entry == "references":
            found = cited(end, f"{text.title}\n{text.source}", _REFERENCES, titles=False)
            yield f"{text.path} refers to {found[0]}" if found else ""
        else:
            said = _stated(end, text, entry, means)
            yield f"{text.path} states {entry}: {said[:_SHOWN]!r}" if said else ""


def _stated(end: EndState, text: AgentText, name: str, means: GradingContext) -> str:
    """The words with which a text states a fact, or mentions one that has mentions; empty where none do."""
    fact = fact_named(end.facts, name)
    whole = f"{text.title}.\n\n{text.source}"
    if fact.mentions:
        return mention_in(whole, fact.mentions, Context(end.entities.today, end.entities.zone))
    if fact.kind:
        return words_asserting(end, whole, fact, text.at)
    ask = replace(ask_of(fact, end.facts, text.at), rivals={})
    reading = load_reader("model").read(whole, ask, end.entities, means)
    return (reading.quote or fact.value) if reading.states else ""


def _disclosed(end: EndState, text: AgentText) -> str:
    """What the agent wrote there and not everybody who can read it may be told, empty where there is nothing."""
    heard: list[Said] = [said for said in end.said if said.path == text.path]
    for said in heard:
        for found in disclosures(end, said):
            whom = ", ".join(sorted(found.readers)[:3])
            return f"{text.path} tells {found.fact} to {whom}: {found.sentence[:_SHOWN]!r}"
    return ""


document: Grader = _Document()
