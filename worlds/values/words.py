"""The words of English, German and Portuguese that state values, without accents (`fold`)."""

import unicodedata
from fractions import Fraction
from typing import Final

__all__ = [
    "ARTICLES",
    "CURRENCIES",
    "DAY_PARTS",
    "DURATION_UNITS",
    "GERMAN_ONES",
    "MONTHS",
    "NOT_UNITS",
    "NUMBERS",
    "ORDINALS",
    "REFERENCES",
    "RELATIVE_DAYS",
    "SCALES",
    "SHORT_UNITS",
    "UNITS",
    "WEEKDAYS",
    "ZONES",
    "fold",
    "words_of",
]


def fold(word: str) -> str:
    """The word in small letters without accents: `Três` -> `tres`, `fünf` -> `funf`, `groß` -> `gross`."""
    low = word.lower()
    if low.isascii():
        return low
    low = low.replace("ß", "ss").replace("º", "o").replace("ª", "a")
    return "".join(c for c in unicodedata.normalize("NFD", low) if not unicodedata.combining(c))


def words_of(text: str) -> frozenset[str]:
    """The words of a text with spaces between them."""
    return frozenset(text.split())


def _numbered(words: str, start: int = 0, step: int = 1) -> dict[str, int]:
    """`a b|c` -> {a: 0, b: 1, c: 1}: words in order, with their variants."""
    return {form: start + at * step for at, forms in enumerate(words.split()) for form in forms.split("|")}


# -- numbers ------------------------------------------------------------------------------------------------------------
GERMAN_ONES: Final = _numbered(
    "null ein|eins|eine|einen|einem|einer zwei|zwo drei vier funf|fuenf sechs|sech sieben|sieb acht neun zehn elf "
    "zwolf|zwoelf"
)
NUMBERS: Final = (
    _numbered(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen"
    )
    | _numbered("twenty thirty forty|fourty fifty sixty seventy eighty ninety", 20, 10)
    | _numbered(
        "zero um|uma dois|duas tres quatro cinco seis sete oito nove dez onze doze treze catorze|quatorze quinze "
        "dezasseis|dezesseis dezassete|dezessete dezoito dezanove|dezenove"
    )
    | _numbered("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa", 20, 10)
    | _numbered(
        "cem|cento duzentos|duzentas trezentos|trezentas quatrocentos|quatrocentas quinhentos|quinhentas "
        "seiscentos|seiscentas setecentos|setecentas oitocentos|oitocentas novecentos|novecentas",
        100,
        100,
    )
)
SCALES: Final = {
    "hundred": 100,
    **dict.fromkeys(("thousand", "tausend", "mil"), 1000),
    **dict.fromkeys(("million", "millions", "millionen", "mio", "mln", "milhao", "milhoes"), 10**6),
    **dict.fromkeys(("milliarde", "milliarden", "mrd"), 10**9),
    **dict.fromkeys(("dozen", "dutzend", "duzia", "duzias"), 12),
}
ARTICLES: Final = {  # "one" that may be no number, by language
    **dict.fromkeys(("a", "an", "one"), "en"),
    **dict.fromkeys(("ein", "eine", "einen", "einem", "einer"), "de"),
    **dict.fromkeys(("um", "uma"), "pt"),
}
ORDINALS: Final = (
    _numbered(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth",
        1,
    )
    | {"thirtieth": 30}
    | {"primeiro": 1}
)

# -- days ---------------------------------------------------------------------------------------------------------------
MONTHS: Final = (
    _numbered("january february march april may june july august september october november december", 1)
    | _numbered(
        "januar|janner februar|feber marz|maerz april mai juni juli august september oktober november dezember", 1
    )
    | _numbered("janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro", 1)
    | _numbered("jan feb|fev mar|mrz apr|abr mai jun jul aug|ago sep|sept|set oct|okt|out nov dec|dez", 1)
)
WEEKDAYS: Final = (
    _numbered("monday tuesday wednesday thursday friday saturday sunday")
    | _numbered("mon tue|tues wed thu|thurs fri sat sun")
    | _numbered("montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag")
    | _numbered("mo di mi do fr sa so")
    | _numbered("segunda terca quarta quinta sexta sabado domingo")
)
RELATIVE_DAYS: Final = {
    **dict.fromkeys(("today", "heute", "hoje"), 0),
    **dict.fromkeys(("yesterday", "gestern", "ontem"), -1),
    **dict.fromkeys(("vorgestern", "anteontem"), -2),
    **dict.fromkeys(("tomorrow", "amanha"), 1),
    "ubermorgen": 2,
}

# -- times --------------------------------------------------------------------------------------------------------------
ZONES: Final = {  # abbreviation -> hours from UTC, and a zone whose clock is called so for a part of the year
    **dict.fromkeys(("utc", "gmt", "z", "zulu"), (0.0, "UTC")),
    **dict.fromkeys(("cet", "mez"), (1.0, "Europe/Berlin")),
    **dict.fromkeys(("cest", "mesz"), (2.0, "Europe/Berlin")),
    "bst": (1.0, "Europe/London"),
    "wet": (0.0, "Europe/Lisbon"),
    "west": (1.0, "Europe/Lisbon"),
    "eet": (2.0, "Europe/Helsinki"),
    "eest": (3.0, "Europe/Helsinki"),
    "msk": (3.0, "Europe/Moscow"),
    "edt": (-4.0, "America/New_York"),
    "est": (-5.0, "America/New_York"),
    "mdt": (-6.0, "America/Denver"),
    "pdt": (-7.0, "America/Los_Angeles"),
    "pst": (-8.0, "America/Los_Angeles"),
    "brt": (-3.0, "America/Sao_Paulo"),
    "jst": (9.0, "Asia/Tokyo"),
    "aest": (10.0, "Australia/Sydney"),
}
DAY_PARTS: Final = {
    **dict.fromkeys(("morgens", "vormittags", "fruh", "manha", "madrugada", "morning"), "morning"),
    **dict.fromkeys(("mittags", "nachmittags", "tarde", "afternoon"), "afternoon"),
    **dict.fromkeys(("abends", "evening"), "evening"),
    **dict.fromkeys(("nachts", "night", "noite"), "night"),
}

# -- spans: months, seconds ---------------------------------------------------------------------------------------------
_SPANS: Final[dict[str, tuple[int, int | Fraction]]] = {
    "second seconds sekunde sekunden segundo segundos": (0, 1),
    "minute minutes minuten minuto minutos": (0, 60),
    "hour hours stunde stunden hora horas": (0, 3600),
    "day days tag tage tagen dia dias": (0, 86_400),
    "week weeks woche wochen semana semanas": (0, 7 * 86_400),
    "fortnight fortnights": (0, 14 * 86_400),
    "month months monat monate monaten monats mes meses": (1, 0),
    "year years jahr jahre jahren ano anos": (12, 0),
}
_SHORT_SPANS: Final[dict[str, tuple[int, int | Fraction]]] = {
    "ms": (0, Fraction(1, 1000)),
    "s sec secs sek seg": (0, 1),
    "min mins": (0, 60),
    "h hr hrs std": (0, 3600),
}
DURATION_UNITS: Final = {
    word: (months, Fraction(seconds))
    for spans in (_SPANS, _SHORT_SPANS)
    for words, (months, seconds) in spans.items()
    for word in words.split()
}
SHORT_UNITS: Final = {  # only directly behind the number, in small letters: "30d"
    "d": (0, Fraction(86_400)),
    "w": (0, Fraction(7 * 86_400)),
    "mo": (1, Fraction(0)),
}

# -- what is counted ----------------------------------------------------------------------------------------------------
_NAMED: Final = {
    "%": "% percent prozent pct",
    "percentage point": "prozentpunkt prozentpunkte prozentpunkten pp",
    "EUR": "€ eur euro euros",
    "USD": "$ usd dollar dollars dolar dolares",
    "GBP": "£ gbp pound pounds pfund libra libras",
    "BRL": "brl real reais",
    "CHF": "chf franken francs",
    "JPY": "¥ jpy yen",
    "cent": "cent cents centimo centimos centavo centavos",
    "business day": "werktag werktage werktagen arbeitstag arbeitstage arbeitstagen",
    "user": "user users nutzer nutzern nutzerinnen benutzer benutzern utilizador utilizadores usuario usuarios",
    "customer": "customer customers kunde kunden kundin kundinnen cliente clientes",
    "person": "person persons people personen leute leuten pessoa pessoas",
    "ticket": "ticket tickets bilhete bilhetes",
    "account": "account accounts konto konten conta contas",
    "message": "message messages nachricht nachrichten mensagem mensagens",
    "request": "request requests anfrage anfragen pedido pedidos",
    "error": "error errors fehler fehlern erro erros",
    "order": "order orders bestellung bestellungen encomenda encomendas",
    "invoice": "invoice invoices rechnung rechnungen fatura faturas",
    "record": "record records datensatz datensatze datensatzen registo registos registro registros",
    "time": "time times mal vez vezes",
    "GB": "gb",
    "MB": "mb",
    "TB": "tb",
    "kB": "kb",
    "km": "km",
    "kg": "kg",
    "m": "m",
    "°C": "°c",
    "°": "°",
}
UNITS: Final = {word: unit for unit, words in _NAMED.items() for word in words.split()}
CURRENCIES: Final = words_of("EUR USD GBP BRL CHF JPY")
REFERENCES: Final = words_of(
    "pr prs pull issue issues ticket build version release port page section step room no nr nº number "
    "line row gate level tier phase sprint ps id seite zeile abschnitt kapitel schritt raum zimmer nummer "
    "linha pagina versao passo numero commit chapter figure table error code http status run job python "
    "postgres ubuntu node"
)
NOT_UNITS: Final = words_of(
    "is was has does as its this thus us vs plus minus less his hers yes across besides towards afterwards "
    "sometimes always perhaps unless minutes hours mas nos nas dos das aos pelos pelas apos mais menos "
    "anos os als bis was das des aus alles etwas uns bereits jeweils besonders uhr jahre jahren tage "
    "stunden minuten noon gmt utc cest works happens starts ends begins lasts affects needs says means"
)
