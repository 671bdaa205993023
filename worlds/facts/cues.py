"""Groups of words that speak for or against a sentence standing for what it says, in English, German and Portuguese.

None of them decides anything: each is evidence, and what it weighs beside a value, before it or in the next sentence is learned
(`stance_features`, `stance_weights.json`).
"""

import re
from collections.abc import Mapping
from typing import Final

from worlds.facts import signals

__all__ = ["CUES"]

_NOT_PLAIN: Final = re.compile(
    r"(?<!\w)(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|if|unless|whether|suppos\w+|would|could|should|might|may|must|shall|wants?|no way|by no means|"
    r"nicht|nichts|nie|niemals|niemand|kein\w*|keines(?:wegs|falls)|mitnichten|weder|ohne|wenn|falls|ob|sofern|will|wollen|soll|sollen|möchte\w*|würde\w*|hätte\w*|wäre\w*|könnte\w*|sollte\w*|"
    r"não|nunca|nem|ninguém|nada|nenhum\w*|jamais|sem|se|caso|teria|seria|fosse|poderia|deveria|quer|queria)(?!\w)|n['’]t(?!\w)|['’]d(?!\w)|[?\"“”„«»]"
)
_WAS: Final = re.compile(
    r"(?<!\w)(?<!what )(?<!which )(?<!who )(?:was|were|had|ran|(?<!is )(?<!are )(?<!be )(?<!being )(?:held|stood)|war|waren|hatten?|galt|galten|era|eram|tinham?|estava\w*)(?!\w)|"
    r"(?<!\w)(?:yesterday|used to|formerly|previously|no longer|costumava\w*|(?:last|past) (?:night|week|month|year|season|spring|summer|autumn|winter)|letzte[nrs]? \w+|vorige[nrs]? \w+|gestern|früher|damals|einst|(?:no|na|do|da) \w+ passad[oa]|ontem|dantes|outrora|antigamente)(?!\w)"
)
_BECAME: Final = re.compile(
    r"(?<!\w)(?:moved|switched|failed over|migrated|changed|raised|lowered|extended|prolonged|shortened|cut|set|put|brought|transferred|updated|corrected|agreed|decided|"
    r"umgezogen|umgeschaltet|verschoben|verlegt|verlängert|verkürzt|geändert|erhöht|gesenkt|festgelegt|mudad\w+|movid\w+|transferid\w+|prolongad\w+|alterad\w+|passad\w+ para)(?!\w)"
)
_NEXT: Final = re.compile(
    r"(?<!\w)(?:next|nächste[nrs]?|kommende[nrs]?|künftig\w*|próxim[oa]|futuramente|tomorrow|amanhã)(?!\w)"
)
_WILL: Final = re.compile(r"(?<!\w)(?:will|is going to|are going to|wird|werden|vai|vão)(?!\w)|['’]ll(?!\w)")
_OPINES: Final = re.compile(
    r"(?<!\w)(?:believes?|thinks?|assumes?|suspects?|feels|reckons?|hopes?|fears?|guesses|glaubt|glauben|meint|denkt|vermutet|hofft|acha|acham|pensa|crê|julga|supõe|espera)(?!\w)"
)
_SAYS: Final = re.compile(
    rf"{_OPINES.pattern}|(?<!\w)(?:says?|said|claim(?:s|ed)?|stated|wrote|writes|mention(?:s|ed)|told|tells|reported|according to|quoted?|insist(?:s|ed)|swears|"
    r"sagte?|schreibt|schrieb|behauptete?|meinte|laut|zufolge|diz|disse|dizem|afirma|afirmou|escreve|escreveu|segundo|alega|conforme)(?!\w)"
)
_OURS: Final = re.compile(
    r"(?<!\w)(?:i|we|our|my|ich|wir|unser\w*|eu|nós|noss[oa]s?|graph|graphs|metrics?|records?|logs?|settings|code)(?!\w)"
)
_BUT: Final = re.compile(
    r"^\W*(?:but|however|though|although|except|aber|doch|jedoch|obwohl|mas|porém|contudo|embora)(?!\w)"
)
_TAKES_BACK: Final = re.compile(
    r"(?<!\w)(?:it|that|this|which|i|we|nobody|no one|das|es|dies|ich|wir|niemand|isso|isto|eu|ninguém)(?!\w).*(?<!\w)(?:not|never|no|nothing|nicht|nie|nichts|kein\w*|não|nunca|nada|(?:is|are|was|were|have|has|had|do|does|did|could|ca|wo)n['’]t|wrong|old|outdated|falsch|veraltet|errad\w+|antig\w+)(?!\w)|"
    r"(?<!\w)(?:withdr\w+|revok\w+|cancel\w+|overturn\w+|retract\w+|widerr\w+|zurückge\w+|revog\w+|anul\w+|cancel\w+|desist\w+)(?!\w)"
)

CUES: Final[Mapping[str, re.Pattern[str]]] = {
    "doubts": signals.DOUBTS,
    "plans": signals.PLANS,
    "plans ahead": signals.PLANS_AHEAD,
    "history": signals.HISTORY,
    "history behind": signals.HISTORY_AFTER,
    "denies": signals.DENIES,
    "denies behind": signals.DENIES_AFTER,
    "denies next": signals.DENIES_NEXT,
    "no denial": signals.NO_DENIAL,
    "attributes": signals.ATTRIBUTES,
    "condition": signals.CONDITION,
    "unreal": signals.UNREAL,
    "disowns": signals.DISOWNS,
    "past form": signals.PAST,
    "ended": signals.ENDED,
    "bounds": signals.BOUNDS,
    "or": signals.OR_BEFORE,
    "strangers": signals.STRANGERS,
    "sources": signals.SOURCES,
    "withdraws": signals.WITHDRAWS,
    "one of": signals.TAKES_BACK,
    "asked": signals.ASKED,
    "gone": signals.GONE,
    "not plain": _NOT_PLAIN,
    "was": _WAS,
    "became": _BECAME,
    "next": _NEXT,
    "will": _WILL,
    "opines": _OPINES,
    "says": _SAYS,
    "ours": _OURS,
    "but": _BUT,
    "takes back": _TAKES_BACK,
}
"""By what they do."""
