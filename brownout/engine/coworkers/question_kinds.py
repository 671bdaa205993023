"""What kind of answer a question wants (who, when, where …), and the words in it that tell nothing of what it is about.

English, German and Portuguese, because people at work ask in all three. Words of a trade or of a world have no place here:
an author gives those as `synonyms:`.
"""

import re

__all__ = ["is_open", "kinds_of", "telling", "wanted_by"]

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_ASKING = {
    "who": r"who|whos|who's|whose|whom|wer|wem|wen|wessen|quem",
    "when": r"when|(?:what|which) (?:time|day|date|point|moment)|how soon|wann|quando",
    "where": r"where|where's|(?:what|which|welcher|que) (?:region|place|city|country|regi\u00e3o)|wo|wohin|onde",
    "why": r"why|what caused|warum|wieso|weshalb|porque|porqu\u00ea|por que",
    "long": r"how long|until when|till when|wie lange|bis wann|quanto tempo|at\u00e9 quando",
    "many": r"how (?:many|much|often|high)|wie ?viele?|wie oft|quant[oa]s?",
}
"""Ways to ask for each kind of answer."""
_NAMING = {
    "who": "who|whom|by|author",
    "when": "when|date|day|since",
    "where": "where|region|location|located|place|hosted",
    "why": "why|reason|cause|caused",
    "long": "long|until|minutes?|hours?|days?|duration",
    "many": "many|number|amount|price|cost|percent",
}
"""Words by which an author says what kind of answer a fact is."""
_BEHIND = (
    r"(?:^|[,;:.!?(\n\u2013\u2014-]\s*|\b(?:know|tell|me|us|ask|asked|sure|and|but|or|so|idea|remember|see|out|understand|wonder|"
    r"wondering|also|then|by|of|for|from|since|until|till|with|to|in|at|seit|von|bis|an|desde|de|at\u00e9) +)"
)
"""What stands before a word that asks; behind a noun it does not ask: `the bug where seats stay locked`."""
_ASKED = {
    kind: re.compile(rf"(?:{_BEHIND if kind in ('who', 'when', 'where') else ''})\b(?:{words})\b")
    for kind, words in _ASKING.items()
}
_NAMED = {kind: re.compile(rf"\b(?:{words})\b") for kind, words in _NAMING.items()}
_ALIKE = {"when": {"when", "long"}, "long": {"long", "when", "many"}, "many": {"many", "long"}}
"""Kinds that answer each other's questions: until when is a time, how long a number."""
_OPEN = re.compile(r"\b(?:what|what's|whats|which|how|was|welche[rsmn]?|wie|que|qual|quais|como)\b|\?")
_EMPTY = frozenset(
    """
    a about again all also am an and any anybody anyone anything are as ask at be been being but by can could did do
    does doing done for from get give go goes going got had happen happened happening happens has have having he hello
    her hey hi him his how i i'd i'll i'm i've if in into is isn't it it's its just know known let like look looks me
    more my need no not now of off on one or other our out over please quick really right say says see she should so
    some somebody someone still such t tell than thank thanks that that's the their them then there there's these they
    thing things this those to today too up us was we we're we've were what what's whats which will with wondering word
    would yes yet you your happen currently current moment exactly actually sure anyway
    atm btw fyi pls rn thx asap

    who who's whos whose whom when where why long many much number since until soon often

    aber als am an auch auf aus bei bitte bleibt bleiben da das dass dem den der des die diese du ein eine einem
    einen einer er es f\u00fcr habe haben hat hatte ich ihr im in ist ja kann kannst man mir mit nach nicht noch nur oder
    sein sich sie sind und uns vom von vor war was welche welchem welchen welcher wenn werden wer wann warum wem wen wie
    wieso wird wir wo zu zum zur

    a \u00e0 ao aos as com como da das de do dos e \u00e9 ela ele em essa esse esta est\u00e1 est\u00e3o este eu foi foram
    h\u00e1 isso isto j\u00e1 mais mas me na nas no nos n\u00f3s o os ou para pela pelo pode por porque porqu\u00ea qual
    quais quando quantas quantos que quem s\u00e3o se sem ser sua seu te tem um uma onde
    """.split()  # noqa: SIM905 (a list of words reads better as words)
)


def _words(text: str) -> list[str]:
    """The words of a text in small letters, in their order."""
    return _WORD.findall(text.lower().replace("\u2019", "'"))


def telling(text: str) -> list[str]:
    """The words of a text that tell what it is about, each once, in their order."""
    found = (word.removesuffix("'s").replace("'", "") for word in _words(text) if word not in _EMPTY)
    return list(dict.fromkeys(word for word in found if word and word not in _EMPTY and (len(word) > 1)))


def kinds_of(*words: str) -> list[str]:
    """The kinds of answer that words name: `who`, `when`, `where`, `why`, `long` (a stretch of time), `many`."""
    return [kind for kind, pattern in _NAMED.items() if any(pattern.search(word.lower()) for word in words)]


def wanted_by(text: str) -> frozenset[str]:
    """The kinds of answer that a question is content with; none where it asks for something else, a thing or a yes."""
    low = text.lower().replace("\u2019", "'")
    asked = [kind for kind, pattern in _ASKED.items() if pattern.search(low)]
    return frozenset(one for kind in asked for one in _ALIKE.get(kind, {kind}))


def is_open(text: str) -> bool:
    """Whether a text asks as questions do, with a mark or a word such as `what`."""
    return _OPEN.search(text.lower()) is not None or bool(wanted_by(text))
