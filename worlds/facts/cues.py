"""The phrases by which people deny, date, doubt or attribute what they mention; regular expressions over plain words.

`before` cues are searched in the words from the beginning of the clause to the mention, `after` cues in those that
follow it. A source is a text that people keep (an FAQ, a runbook); what it says may be stale.
"""

import re
from typing import Final

from worlds.facts.values import NUMBER, UNIT

__all__ = [
    "ASKING", "ASKS_LATER", "ATTRIBUTED", "AWAITS", "BLAMES", "BOUNDARY", "BY_SOURCE", "CHANGES", "CONDITION", "CONTRAST", "DENIES_AFTER", "DENIES_BEFORE", "DENIES_LATER", "DENIES_REST", "DENIES_TIME", "DENIES_TIME_AFTER",
    "DOUBTS_LATER", "ELSEWHERE_AFTER", "ELSEWHERE_BEFORE", "FROM", "HEDGE", "HEDGES_TIME", "IN", "LABEL_DENIES", "LABEL_DOUBTS",
    "LIKELY", "MOVED_TO", "NEGATOR", "NO_DENIAL", "NO_MORE", "NUMBER_IS_OVER", "OF_ANOTHER_AFTER", "OF_ANOTHER_BEFORE", "OF_MANY", "ONCE_SAID", "PAST_AFTER", "PAST_BEFORE", "PLANS", "PROMISES", "SMALL", "SOURCE_IS_STALE", "SOURCE_TO_FIX", "TURNS_DOWN", "UNMET", "WAS_BEFORE",
]  # fmt: skip

_SOURCE = (
    r"(?:faq|pages?|docs?|documents?|documentation|runbooks?|wiki|readme|article|handbook|manual|site|website|template|"
    r"macro|slides?|text|post|entry|ticket|issue|thread|messages?|mail|email|comment|announcement|notes?|guide|policy|help (?:page|center|centre)|pinned (?:message|post))"
)
_SAYS = (
    r"(?:says?|said|saying|claims?|claimed|states?|stated|lists?|mentions?|mentioned|shows?|reads?|quotes?|has|have|"
    r"tells?|told|advertis\w+|promis\w+|contains?|talks? (?:about|of)|wrote|according to|documented|described)"
)
_NO_LONGER = r"no longer (?:true|right|valid|correct|accurate|current|applies|apply|the case|so|used|in use|in force)"
_NOT_TRUE = r"not (?:true|right|valid|correct|accurate|current|the case|so|anymore|any more|up to date)"
_WRONG = (
    r"(?:stale|outdated|out of date|wrong|incorrect|inaccurate|obsolete|superseded|misleading|deprecated|expired|false|"
    r"untrue|invalid|mistaken|a mistake|a typo|an error|history|legacy|a myth|nonsense|(?:much |far )?too (?:low|high)|"
    rf"{_NO_LONGER}|{_NOT_TRUE})"
)
_NOT_THE_CAUSE = (
    r"(?:ruled out|unrelated|innocent|nothing to do with|not (?:it|how|what|why|to blame|behind|responsible|related|involved|"
    r"the (?:cause|reason|culprit|problem|root cause|issue)|a (?:cause|factor)))"
)
_NEEDS_WORK = r"(?:needs?|must|should) (?:\w+ ){0,2}(?:updat|correct|fix|chang)\w*"
_IS = r"(?:is|are|was|were|isn't|isnt|aren't|wasn't|wasnt|weren't|has been|have been|became|seems|looks)"
_ADVERB = (
    r"(?:now|actually|already|long|clearly|simply|just|also|badly|quite|very|completely|both|probably|plainly|by now)"
)
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_SUBJECT = r"(?:we|seats|holds|it|they|the|our|a|each|every|i|you)"

NO_DENIAL: Final = re.compile(
    r"\b(?:not (?:only|just|merely|simply|least|to mention)|no (?:doubt|worries|problem|question|changes?)(?: to| about)?|"
    r"(?:don't|dont|do not) (?:forget|worry|hesitate|miss|panic)|(?:can't|cannot|can not) stress|nothing (?:but|other than)|"
    r"never mind|why not|if not|whether or not|not (?:sooner|later) than|"
    r"(?:that|which|who) (?:(?:is|are|was|were|do|does) not|[a-z]+n't) \w+(?: for| yet| in time)?)\b"
    rf"|\b(?:contrary to|unlike|despite|regardless of|ignore|forget|disregard|instead of) (?:what )?(?:the|our|its)"
    rf"(?: \w+)? {_SOURCE}(?: {_SAYS})?(?= {_SUBJECT}\b)"
)
"""Words of denial that deny nothing."""

DENIES_BEFORE: Final = re.compile(
    r"\b(?:not|never|neither|nor|cannot|[a-z]+n't|isnt|wasnt|arent|werent|dont|doesnt|didnt|cant|wont|aint|no longer|"
    r"nobody|no one|none|unlike|rather than|instead of|as opposed to|contrary to|forget|ignore|disregard|hardly|wrongly|incorrectly|"
    r"mistakenly|falsely|denied|denies|untrue|stop(?:ped)? \w+ing|nothing to do with|unrelated to|ruled? out|myth|"
    r"misconception)\b"
    r"|\b(?:no|without)(?: \w+){0,5}$"
    rf"|\b(?:stale|outdated|obsolete|old|wrong|false|incorrect|previous|former|superseded)(?: \w+)?"
    rf" (?:{_SOURCE}|number|figure|value|claim)\b(?!.*\b(?:now|to say|to read|to state)\b)"
    r"|\b(?:stale|outdated|obsolete|wrong|false|incorrect|superseded)(?: \w+)?$"
    rf"|\bstill (?:all )?{_SAYS}\b|\bnothing (?:\w+ ){{0,4}}?(?:says|shows|proves|suggests|indicates|confirms)\b"
    r"|\b(?:replace|remove|delete|strike|correct)(?: (?:the|any|all|every|each|mentions?|of))*(?: \w+)?$"
)
DENIES_AFTER: Final = re.compile(
    rf"^(?:(?:in|on|from|of) (?:the|our|its|that) {_SOURCE} |(?!so\b|{_SOURCE}\b)\S+ ){{0,7}}?{_IS} (?:{_ADVERB} )*(?:{_WRONG}|{_NOT_THE_CAUSE}|old|gone)\b"
    r"|^(?:\S+ ){0,3}?(?:isn't|wasn't|aren't|weren't|isnt|wasnt|not) (?:\S+ ){0,2}?(?:cause|culprit|reason|why|to blame|"
    r"responsible|right|correct|true|current|valid|accurate|case|behind|involved|related|source|root|what|it)\b"
    r"|^(?:\S+ ){0,2}?(?:did not|didn't|didnt|does not|doesn't|doesnt|never|cannot|can't|could not|couldn't) (?:\w+ )?"
    r"(?:caus\w*|explain\w*|trigger\w*|introduc\w*|lead|affect\w*|touch\w*|break|broke|leave|make|produc\w*|appl\w*)\b"
    r"|^(?:\S+ ){0,3}?(?:had|has|have) nothing to do\b|^(?:\S+ ){0,3}?(?:anymore|any more|no more|no longer)$"
    rf"|^(?:{UNIT} )?(?:\S+ ){{0,4}}?(?:anymore|any more)\b"
    rf"|^(?:\S+ ){{0,4}}?{_IS} (?:{_ADVERB} )*(?:replaced|shortened|reduced|changed|removed|abolished|retired|rejected)\b"
    rf"|\b(?:per|in|from|by|says|according to) (?:the|our|its|that|this) (?:stale|old|outdated|wrong|obsolete) {_SOURCE}\b"
    rf"|^(?:{UNIT} )?{_IS} (?:(?:only|just|merely|still) )*what (?:the|our|its|that) (?:\w+ )?{_SOURCE}\b"
)
NUMBER_IS_OVER: Final = re.compile(rf"^(?:{UNIT} )?(?:\w+ ){{0,2}}?(?:is|are) no longer\b")
DENIES_REST: Final = re.compile(
    rf"^(?:(?!and\b|but\b|so\b|though\b|although\b|while\b)[^,—(|: ]+ ){{0,6}}?"
    rf"(?:[,—(|:/)] (?:(?:but|and|though|although|yet|however|so|,) )*(?:(?:which|that|this|it|they|those) )?(?:{_IS} )?|"
    rf"(?:but|and|though|although|yet|which) (?:(?:which|that|this|it|they|those) )(?:{_IS} )?)"
    rf"(?:{_ADVERB} )*(?:{_WRONG}|{_NEEDS_WORK}|old\b|ruled out|unrelated|(?:no|nope|not|rejected)(?: [.!|]|$))"
    rf"|^(?:(?!and\b|so\b)[^,—(|: ]+ ){{0,6}}?(?:but|and) (?:(?:later|then|was|were|is|are) )*(?:rejected|declined|abandoned)\b"
)
"""From the mention over the end of its clause: `…, but that's stale`, `… (outdated)`, `…, which is no longer true`."""
DENIES_LATER: Final = re.compile(
    r"^(?:(?:but|however|and|so|note|nb|sadly|unfortunately|in fact|actually),? (?:, )?)*(?:that|this|it|which|those|both)"
    rf"(?: (?:number|value|figure|claim|one|statement|part|line|{_IS}|{_ADVERB}))* (?:{_WRONG}|old|{_NOT_THE_CAUSE})\b"
    rf"|^(?:it|that|this|which) {_NEEDS_WORK}|^please (?:updat|correct|fix)\w*"
    rf"|^(?:{_WRONG}|nope|no|not|not so)(?: [.!,]|$)|^(?:that|this|it) was (?:before|until|then|in the past|last|years?|months?)\b"
)
"""At the beginning of the next sentence."""
SOURCE_TO_FIX: Final = re.compile(
    rf"\b(?:(?:fix|update|correct|change|edit|amend) (?:the|our|that|this|its)|needs? (?:an? )?(?:update|fix|correction)|{_NEEDS_WORK})\b"
    rf"(?!.*\bto (?:say|state|read)\b).*\b{_SAYS}\b|\b(?:in|on|per) (?:the|our|its) (?:\w+ )?{_SOURCE}\b.*\bstill\b"
)
"""Before a mention: `the FAQ needs an update, it says …`, `in the FAQ it is still …`."""
SOURCE_IS_STALE: Final = re.compile(
    rf"\b(?:the|that|this|our|its|their) (?:\w+ )?{_SOURCE} (?:\w+ )?(?:{_IS}|needs|hasn't|has not|should|must)"
    rf"(?: \w+){{0,2}}? (?:{_WRONG}|old|updat\w*|correct\w*|fix\w*|behind)\b"
    r"|\b(?:i|we|i'll|we'll|i've|we've)(?: \w+){0,2} (?:replac|correct|fix)\w* (?:this|that|it|them|both)\b"
)
LABEL_DENIES: Final = re.compile(
    r"(?:^|[.,;(|—] )(?:the )?(?:wrong|false|myth|not true|incorrect|stale|outdated|old|previous(?:ly)?|former(?:ly)?|"
    r"before|was|past|obsolete|superseded|earlier|legacy|ignore)(?: \w+){0,4} [:|]$|\bnot :$"
    r"|\b(?:(?:does|do|is|are|was|were) not|doesn't|don't|isn't|aren't|wasn't|no longer|not) "
    r"(?:hold|holds|apply|applies|true|valid|right|so|decided|set|correct)(?: \w+){0,3} [:|]$"
    rf"|\( (?:{_WRONG}|old) \) [:|]$"
)
"""What stands before a colon: `Old: …`."""

PAST_BEFORE: Final = re.compile(
    r"\b(?:used to|formerly|previously|originally|historically|in the past|back then|at the time|once|had been|"
    r"until (?:\w+ )?\d\S*(?: \w+)?|until (?:then|now|recently|last \w+)|"
    rf"until (?:(?:the )?(?:end|middle|beginning) of )?(?:{_MONTH}|last \w+))\b"
    r"|\b(?:old|former|previous|prior|earlier|original|past|last year)(?: \w+)?$|\b(?:took|taken|takes) over from$"
)
FROM: Final = re.compile(r"\bfrom(?: the| our)?$")
OF_MANY: Final = re.compile(rf"^(?!{UNIT}\b)[a-z]+s\b(?! (?:down |up )?to\b)")
"""After a number behind `from`: `patients from 31 clinics`, which is where they come from and no change."""
PAST_AFTER: Final = re.compile(
    rf"^(?:{UNIT} )?(?:(?!and\b|but\b)\w+ ){{0,3}}?(?:in the past|previously|back then|at the time|until (?:\w+ )?\d|"
    r"until (?:then|recently|last|yesterday|today|this|\w+ (?:chang|shorten|reduc|cut|lower|updat|decid)\w*)|"
    r"before (?:that|the (?:change|fix|switch|update|move)|this|\d|\w+ (?:chang|shorten|reduc|cut|lower)\w*))\b"
    rf"|^(?:{UNIT} )?(?:[,—] )?now (?:only |just )?{NUMBER}\b"
    r"|^(?:\w+ ){0,4}?->"
)
CHANGES: Final = re.compile(
    r"\b(?:chang\w*|shorten\w*|reduc\w*|cuts?|cutting|lower\w*|dropp?\w*|went|goes|mov\w*|switch\w*|rais\w*|increas\w*|extend\w*|"
    r"updat\w*|bump\w*|replac\w*|correct\w*|fix\w*|from|down|up)\b"
)
MOVED_TO: Final = re.compile(r"^(?:\w+ ){0,2}?(?:to|into|->) (?!(?:be|do|have|keep|see|get|show|serve|make)\b)")
"""After a name behind `from`: `the standby moves from eu-south-1 to eu-west-1`."""
TURNS_DOWN: Final = re.compile(rf"^(?:{UNIT} )?(?:down |up |over )?(?:to|with|by) (?:only |just )?{NUMBER}\b")
"""After a value that was changed: `… to 10`."""
ONCE_SAID: Final = re.compile(
    rf"\b{_SOURCE}(?: \w+){{0,2}} (?:said|stated|claimed|mentioned|gave|had|showed|listed|quoted|spoke of)\b"
    r"|\b(?:we|i|you|they)(?: \w+)? (?:estimated|thought|believed)\b"
)
"""What a text that people keep had to say once, or what was believed then: `the FAQ said …`, `we first estimated …`."""
WAS_BEFORE: Final = re.compile(r"\b(?:was|were|'d been)\b(?!.*\b(?:is|are|now)\b)(?!.*\bto(?: \w+)?$)")

HEDGE: Final = re.compile(
    r"\b(?:if|whether|might|maybe|perhaps|possibly|could be|could have|unsure|not sure|unclear|unconfirmed|wonder\w*|"
    r"guess\w*|doubt\w*|unlikely|no idea|verify\w*|suppos\w*|assum\w*|would be|would have|propos\w*|planning to|plans? to|considering|either|"
    r"may (?:be|have|well|still))\b"
    r"|\b(?:more|less|longer|fewer|over|under|at least)(?: than)?$"
)
LIKELY: Final = re.compile(
    r"\b(?:probably|presumably|likely|apparently|suspect(?:s|ed)?|(?:i|we) (?:think|believe)|(?:seems?|appears?) (?:to|that|like))\b"
)
LABEL_DOUBTS: Final = re.compile(
    r"\b(?:possible|candidates?|options?|either|maybe|guess|unconfirmed|tbc|tbd|unclear)(?: \w+){0,3} [:|]$"
)
DOUBTS_LATER: Final = re.compile(r"^(?:or|maybe|perhaps|possibly|might be|could be|or maybe|not sure)\b")
ELSEWHERE_BEFORE: Final = re.compile(r"\b(?:last|past|another|every|next|first|wait\w*(?: for)?)(?: few)?$")
ELSEWHERE_AFTER: Final = re.compile(rf"^(?:{UNIT} )?(?:ago|later|late|early|earlier|from now)\b")
IN: Final = re.compile(r"\b(?:in|within)(?: about| around| the next)?$")
AWAITS: Final = re.compile(r"(?:^|[ ,;:(])(?:when|once|as soon as|until)(?: \w+){0,2}$")
"""Right before what is waited for, where a promise follows: `When booking works again I will write`."""
PROMISES: Final = re.compile(r"^(?:[\w'-]+ ){0,8}(?:, )?(?:i|we|you|they|it) (?:will|shall)\b|\b(?:i|we|you)'ll\b")
PLANS: Final = re.compile(
    r"\b(?:i'll|i will|we'll|let me|i am going|i'm going|check back|back in|follow up|next update|report back|ping|remind|"
    r"eta|expect\w*|update you|look again)\b"
)
"""With `in 15 minutes`: when somebody will do something, not how long something takes."""

BY_SOURCE: Final = re.compile(rf"\b{_SOURCE}\b")
ATTRIBUTED: Final = re.compile(
    rf"\b{_SOURCE}\b.*\b{_SAYS}\b|\b(?:according to|per) (?:the|our)\b|"
    r"\b(?:says?|said|saying|claims?|claimed|mentions?|mentioned|tells?|told|wrote|quotes?|according to)\b"
)
CONTRAST: Final = re.compile(
    r"\b(?:but|however|whereas|while|though|although|actually|in fact|in reality|really|yet|instead(?! of))\b"
)
NEGATOR: Final = re.compile(r"^(?:not|never|no|without|[a-z]+n't|isnt|wasnt)$")
NO_MORE: Final = re.compile(r"\b(?:any ?more|no longer)\b")
BOUNDARY: Final = frozenset(
    {".", "!", ",", ":", ";", "(", ")", "|", "—", "->", "but", "however", "though", "although", "whereas", "while", "because",
     "since", "due", "so", "and", "then", "yet", "when", "after"}
)  # fmt: skip
CONDITION: Final = frozenset({"if", "unless", "until", "when", "who"})
"""What begins a condition; a rule with one (`released if not paid within …`) is stated, not doubted."""
ASKS_LATER: Final = re.compile(
    r"^(?!(?:is|are|was|were|do|does|did|can|could|will|would|has|have|should|may|shall|so)\b)"
    r"(?:(?!\b(?:who|whom|whose|when|what|which|why|how|where)\b)[^|])*\|.*\b(?:who|whom|whose|when|what|which|why|how|where)\b"
)
"""Around a mention, `|` between what stands before and behind it: only what follows is the question (`ask Ida: who …?`)."""
ASKING: Final = frozenset(
    {"know", "check", "ask", "asked", "asking", "sure", "confirm", "see", "tell", "wonder", "wondering", "unclear", "clear",
     "verify", "idea", "doubt", "as", "even", "only", "what", "find", "out"}
)  # fmt: skip
"""Before an `if` that doubts."""
UNMET: Final = re.compile(
    r"^(?:if|unless|when|once) .*\b(?:not|never|nobody|no one|[a-z]+n't|isnt|dont|doesnt)\b.*\b(?:within|in|after|for|by)"
    r"(?: the| about)?$"
)

SMALL: Final = re.compile(
    r"^(?:a|an|the|our|your|their|its|we|you|they|it|them|that|this|each|every|any|all|for|of|at|to|is|are|be|now|just|only|"
    r"about|around|exactly|currently|always|up|most|last|lasts|time|times|duration|length|limit|window|period|from|since|"
    r"between|began|begins|started|starting|beginning|will|keep|keeps|kept|stay|stays|remain|remains|so|set)$"
)
"""Words that may stand between a thing and its value and leave it the value of that thing."""
OF_ANOTHER_BEFORE: Final = re.compile(
    r"\b(?:tests?|testing|staging|prototype|demo|competitors?|example|e|imagine|grace|rehears\w+|experiment\w*|queue|waiting|"
    r"(?:on|at|by|with|for) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|average))\b|\b(?:on|all|both|the other)$"
)
OF_ANOTHER_AFTER: Final = re.compile(
    r"^(?:\w+ )?(?:more|longer|extra|before|after|left|ago|later|late|early|earlier|to spare|of grace|apart|into|in a row|too|"
    r"per|each way)\b|^(?:on|at) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|average)\b"
)
"""What makes the number beside it the number of something else than the rule."""

DENIES_TIME: Final = re.compile(
    r"\b(?:not|never|neither|nor|cannot|[a-z]+n't|isnt|wasnt|didnt) (?:\w+ )?(?:begin|began|start\w*|end\w*|stop\w*|finish\w*|"
    r"last\w*|happen\w*|over|true|right|correct|the case)\b"
    r"|\b(?:not|never|neither|nor|[a-z]+n't|unlike|rather than|instead of|forget|ignore|disregard|as opposed to|contrary to)"
    r"(?: (?:at|from|until|between|since|around|exactly|just|only|about|before|after|by|it|that|the|be|been|vendor))*$"
    r"|\b(?:untrue|false|myth|wrong|incorrect|mistaken) (?:that|to say|claim|time)\b"
)
"""Before a time of day. What did not go well between two times is no denial of them."""
DENIES_TIME_AFTER: Final = re.compile(
    rf"^(?:[ap]m |utc |gmt )?(?:(?:is|was|isn't|wasn't) (?:{_ADVERB} )*(?:{_WRONG}|not)|isn't|wasn't)\b"
)
HEDGES_TIME: Final = re.compile(
    r"\b(?:maybe|perhaps|possibly|not sure|unclear|unconfirmed|guess\w*|either|could be|doubt\w*|no idea)\b"
)

BLAMES: Final = re.compile(
    r"\b(?:causes?|caused|because|due|culprit|blame|broke|broken|reason|responsible)(?: \w+){0,3}$"
)
"""Before the name of something that is called the cause."""
