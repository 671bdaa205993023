"""How varied people's texts are, on samples of a fixed size, and whether a reply takes up what it answers."""

import lzma
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise
from math import ceil, log

from brownout.core.artefacts import ChatMessage
from generators.report.chat import words_in
from generators.report.list_statistics import mean, share
from generators.report.measured_company import MeasuredCompany, drawing_order
from generators.report.statistic import ExampleArtefact, Measured, measures

__all__ = ["distinct", "exact_duplicates", "hapax", "heaps", "near_duplicates", "skeletons", "tokens", "xz_ratio"]

_TOKENS = 50_000
_BYTES = 400_000
_LONG = 6
"""Words from which on a text counts as composed, and is not said twice by chance."""
_ALIKE = 0.6

_TOKEN = re.compile(r"\w+(?:['’]\w+)*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_FENCED = re.compile(r"```.*?```", re.DOTALL)
_CODE = re.compile(r"`[^`]*`|https?://\S+|<[@#]\w+[^>]*>|[@#][\w-]+")
_MASKED = re.compile(r"\w*\d\w*|\b[A-ZÀ-Þ]\w*")


def tokens(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return _TOKEN.findall(text.lower())


def _of_sample(measure: Callable[[list[str]], float]) -> Callable[[MeasuredCompany], Measured]:
    def measured(company: MeasuredCompany) -> Measured:
        drawn = company.sample
        if not drawn:
            return Measured(None, len(company.messages))
        return Measured(measure([one.text for one in drawn]), len(drawn))

    return measured


def xz_ratio(texts: Sequence[str]) -> float:
    """How many times smaller xz makes the texts one behind the other, at most 400 kB of them."""
    data = "\n".join(texts).encode()[:_BYTES]
    return len(data) / len(lzma.compress(data, preset=9))


def _words(texts: Sequence[str]) -> list[str]:
    return [*islice((word for text in texts for word in tokens(text)), _TOKENS)]


def heaps(texts: Sequence[str]) -> float:
    """The exponent with which the vocabulary grows with the text (Heaps' law), fitted from the first hundredth on."""
    words, seen = _words(texts), set[str]()
    marks = {int(len(words) * (0.01 * 100 ** (step / 30))) for step in range(31)}
    points = list[tuple[float, float]]()
    for place, word in enumerate(words, 1):
        seen.add(word)
        if place in marks:
            points.append((log(place), log(len(seen))))
    x, y = mean([a for a, _ in points]), mean([b for _, b in points])
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def hapax(texts: Sequence[str]) -> float:
    """Which part of the vocabulary occurs once."""
    return share(number == 1 for number in Counter(_words(texts)).values())


def distinct(texts: Sequence[str], length: int) -> float:
    """Different runs of so many words, of all there are."""
    words = _words(texts)
    runs = [*zip(*(words[start:] for start in range(length)), strict=False)]
    return len(set(runs)) / len(runs) if runs else 0.0


measures("text.xz")(_of_sample(xz_ratio))
measures("text.heaps")(_of_sample(heaps))
measures("text.hapax")(_of_sample(hapax))
measures("text.distinct3")(_of_sample(lambda texts: distinct(texts, 3)))
measures("text.distinct4")(_of_sample(lambda texts: distinct(texts, 4)))


# -- what is said again -------------------------------------------------------------------------------------


def exact_duplicates(texts: Sequence[str]) -> list[int]:
    """The places of texts of six words and more that say what one before them says."""
    seen, found = set[str](), []
    for place, text in enumerate(texts):
        plain = " ".join(text.lower().split())
        if words_in(text) >= _LONG:
            if plain in seen:
                found.append(place)
            seen.add(plain)
    return found


def near_duplicates(texts: Sequence[str]) -> dict[int, int]:
    """Texts of six words and more whose set of words shares six tenths with that of another: place -> a place before or after.

    Exact: pairs are found by their rarest words, of which two such sets must share one.
    """
    sets = {place: set(tokens(text)) for place, text in enumerate(texts) if words_in(text) >= _LONG}
    rarity = Counter(word for words in sets.values() for word in words)
    posted, found = defaultdict[str, list[int]](list), dict[int, int]()
    for place in sorted(sets, key=lambda one: (len(sets[one]), one)):
        words = sets[place]
        first = sorted(words, key=lambda word: (rarity[word], word))[: len(words) - ceil(_ALIKE * len(words)) + 1]
        for other in dict.fromkeys(each for word in first for each in posted[word]):
            if len(sets[other]) >= _ALIKE * len(words) and len(words & sets[other]) >= _ALIKE * len(
                words | sets[other]
            ):
                found.setdefault(place, other)
                found.setdefault(other, place)
        for word in first:
            posted[word].append(place)
    return found


def skeleton(sentence: str) -> str:
    """The form of a sentence: code, links, mentions, numbers, ids and capitalised words are all the same."""
    return " ".join(_MASKED.sub("_", _CODE.sub("_", sentence)).lower().split())


def _sentences(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    for place, text in enumerate(texts):
        for sentence in _SENTENCE.split(_FENCED.sub("_", text)):
            if words_in(sentence) >= _LONG:
                yield place, sentence.strip()


def skeletons(texts: Sequence[str]) -> tuple[float, list[tuple[int, str]]]:
    """Which part of the sentences of six words and more has a form that comes again, and those by place, the commonest first."""
    forms = [(place, skeleton(sentence)) for place, sentence in _sentences(texts)]
    seen = Counter(form for _, form in forms)
    again = sorted(
        ((place, form) for place, form in forms if seen[form] > 1), key=lambda one: (-seen[one[1]], one[1], one[0])
    )
    return (len(again) / len(forms) if forms else 0.0), again


def _long(texts: Sequence[str]) -> int:
    return sum(words_in(text) >= _LONG for text in texts)


def _example(one: ChatMessage, says: str) -> ExampleArtefact:
    return ExampleArtefact(one.path, one.at, one.who, says)


@measures("text.exact")
def exact(company: MeasuredCompany) -> Measured:
    """Messages of six words and more that say what another says, word for word."""
    drawn = company.sample
    texts = [one.text for one in drawn]
    found = exact_duplicates(texts)
    examples = [_example(drawn[place], f"said before: {texts[place]}") for place in found]
    return Measured(len(found) / max(1, _long(texts)) if drawn else None, len(drawn) or len(company.messages), examples)


@measures("text.near")
def near(company: MeasuredCompany) -> Measured:
    """Messages of six words and more nearly said by another."""
    drawn = company.sample
    texts = [one.text for one in drawn]
    found = near_duplicates(texts)
    examples = [_example(drawn[place], f"{texts[place]}  ~  {texts[other]}") for place, other in found.items()]
    return Measured(len(found) / max(1, _long(texts)) if drawn else None, len(drawn) or len(company.messages), examples)


@measures("text.skeletons")
def reused(company: MeasuredCompany) -> Measured:
    """Sentences of six words and more whose form comes again."""
    drawn = company.sample
    value, again = skeletons([one.text for one in drawn])
    examples = [_example(drawn[place], form) for place, form in again]
    return Measured(value if drawn else None, len(drawn) or len(company.messages), examples)


@measures("text.said_twice")
def said_twice(company: MeasuredCompany) -> Measured:
    """Texts of six words and more that one person wrote twice, in whatever product."""
    seen, examples = set[tuple[str, str]](), []
    for one in company.said:
        plain = (one.who, " ".join(one.text.lower().split()))
        if words_in(one.text) >= _LONG and one.who in company.staff:
            if plain in seen:
                examples.append(ExampleArtefact(one.path, one.at, one.who, f"{one.kind}, said before: {one.text}"))
            seen.add(plain)
    return Measured(float(len(examples)) if seen else None, len(seen), examples)


# -- coherence ----------------------------------------------------------------------------------------------


@measures("coherence.adjacency")
def adjacency(company: MeasuredCompany) -> Measured:
    """How much likelier a reply shares a content word with what it answers than with a message of another conversation.

    A content word is none of the 150 commonest of the chat, and has three letters or more.
    """
    said = {one.path: set(tokens(one.text)) for one in company.messages}
    common = {word for word, _ in Counter(word for words in said.values() for word in words).most_common(150)}
    content = {path: {word for word in words - common if len(word) > 2} for path, words in said.items()}
    place = {one.path: number for number, talk in enumerate(company.talks) for one in talk}
    pairs = [(before, after) for talk in company.talks for before, after in pairwise(talk) if before.who != after.who]
    strangers = sorted(company.messages, key=drawing_order)
    near, far = 0, 0
    for number, (before, after) in enumerate(pairs):
        other = next(
            (
                one
                for step in range(len(strangers))
                if place[(one := strangers[(number * 7_919 + step) % len(strangers)]).path] != place[after.path]
            ),
            None,
        )
        if other is None:
            continue
        near += bool(content[before.path] & content[after.path])
        far += bool(content[other.path] & content[after.path])
    if not pairs:
        return Measured(None, 0)
    note = f"{near / len(pairs):.0%} of replies share one, {far / len(pairs):.0%} with a stranger"
    return Measured(near / max(far, 1), len(pairs), note=note)
