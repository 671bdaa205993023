"""The words by which English, German and Portuguese ask, suppose, doubt, plan, deny, date and quote; shared by all facts.

Regular expressions over small letters, tried on a clause or a sentence. Nothing here knows a fact, a slot or a value.
"""

import re
from typing import Final

__all__ = [
    "AGO", "APART", "APPROVES", "ASIDE", "ASKED", "ATTRIBUTES", "BEFORE", "BOUNDS", "BREAKS", "CALLS_ON", "CONDITION", "DENIES", "DENIES_AFTER", "DENIES_NEXT", "DISOWNS", "DOUBTS", "END", "ENDED", "FILLERS", "FIRST_PERSON", "GIVES", "GONE", "HAPPENED", "HISTORY", "HISTORY_AFTER", "LABEL", "LAST", "LATER", "LIMITS", "NO_DENIAL", "NUMBER", "OR_AFTER", "OR_BEFORE", "PAST", "PLANS", "PLANS_AHEAD", "PORTUGUESE", "PRESENT", "RELATIVE", "RELATIVE_PRONOUN", "RULE", "SINCE", "SOURCES", "START", "STRANGERS", "TAIL", "TAKES_BACK", "UNREAL", "WAS_ONLY", "WITHDRAWS",
]  # fmt: skip


def _words(*lines: str) -> re.Pattern[str]:
    """Any of the alternatives as whole words; `*` is any ending."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(lines)})(?!\w)".replace("*", r"\w*"))


# where a clause begins
BREAKS: Final = re.compile(
    r"[;()!]|\|(?=\s|$)|[.?](?=\s)|,(?=\s|$)|:(?=\s|$)|\s[—–-](?=\s)|(?<!\w)(?=(?:(?<!anything )(?<!nothing )but|however|while|whereas|although|though|(?<!not )because|so that|"
    r"and|then|which|if|unless|whether|when|once|had it|rather than|instead of|unlike|not (?!\w+ (?:than|only))|aber|sondern|während|"
    r"obwohl|weil|und|dann|wenn|falls|ob|sofern|sobald|statt|anstatt|dass|mas|porque|embora|enquanto|se|caso|quando|em vez de|ao contrário de)"
    r"(?!\w))"
)
LABEL: Final = re.compile(
    r"^\W*(?:(?!(?:we|i|it|they|he|she|did|is|was|are|were|wir|es|ist|war|ich|sie|foi|é)(?!\w))[^\W\d][\w'-]*[ /]){0,5}[^\W\d][\w'-]*(?: \([\w ]{1,20}\))?\W{0,3}[:=|]\s*$"
)

# asked
ASKED: Final = _words(
    "who|whom|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|may|any",
    "wer|wem|wen|was|wann|wo|welch*|warum|wieso|wie|ist|sind|war|hat|haben|hast|habt|kann|kannst|können|könn*|soll*|darf|gibt|gilt|weiß|stimmt",
    "quem|qual|quais|quando|onde|porque|porquê|como|é|são|foi|está|estão|tem|têm|pode*|podia*|deve*|há|será",
    "right|correct|ok|okay|oder|richtig|certo|não é|nicht wahr|really|wirklich",
)
APPROVES: Final = re.compile(
    r"^\W*(?:yes|yep|yeah|correct|exactly|right|indeed|ja|genau|stimmt|richtig|sim|exato|exatamente|certo)\b(?!\?)"
)

# supposed
CONDITION: Final = re.compile(
    r"^\W*(?:and |und |e |even |only |auch |selbst |nur |mesmo )?(?:if|unless|whether|suppos\w+|imagine|assum\w+|in case|provided|had(?= (?!to\b|been\b))|were(?= )|"
    r"wenn|falls|ob|sofern|angenommen|hätten?|wären?|se|caso|imagin\w+|supon\w+)(?!\w)"
)
ASIDE: Final = re.compile(
    r"(?<!\w)(?:if you (?:want|need|like|wish|wonder|ask)|if (?:anyone|anybody|somebody|someone) asks|falls jemand fragt|wenn (?:sie|du|ihr) wissen|se quiser\w*|se precisar\w*)(?!\w)"
)
"""Courtesy, and no condition."""
UNREAL: Final = _words(
    "would|wouldn't|would've|could have|could've|might have|should have|if only",
    "würde*|wäre*|hätte*|könnte*|müsste*|dürfte*|sollte*|wuerde*|waere*|haette*|koennte*",
    "teria*|teríamos|seria*|seríamos|haveria*|poderia*|deveria*|ficaria*|estaria*|tivesse*|fosse*|estivesse*|houvesse*",
)
RULE: Final = _words(
    "within|after|before|until|by|earlier than|later than|innerhalb|binnen|nach|vor|bis|dentro de|em|após|depois|antes|até"
)

# doubted
DOUBTS: Final = _words(
    "might|maybe|perhaps|possibl[ey]|probabl[ey]|presumably|supposedly|allegedly|reportedly|apparently|likely|unlikely|unsure|not sure|unclear|unconfirmed|unverified|guess*|wonder*|suspect*",
    "suppos*|assum*|could be|may (?:well )?be|may have|may run|may still|seems?|i think|we think|i believe|we believe|believe so|i reckon|i doubt|rumou?r*|hearsay|either|tbc|tbd|candidates?|options?|whether|or so|or maybe",
    "don't know|do not know|doesn't know|no idea|cannot say|can't say|can't confirm|cannot confirm|not certain|if i remember|if memory serves|from memory|iirc|afaik|expect(?!ed (?!at|to|in|on|by|from|until|around|that)\\w)\\w*|estimate*|one theory|theor(?:y|ies)|bet",
    "vielleicht|möglicherweise|womöglich|vermut*|wahrscheinlich|wohl|angeblich|anscheinend|scheint|unklar|unsicher|glaube|glauben|denke|schätze|könnte*|dürfte*|ob|weiß nicht|keine ahnung|verdacht*|kandidat*",
    "talvez|provavelmente|possivelmente|supostamente|alegadamente|parece*|acho|achamos|creio|julgo|penso|pode ser|deve ser|poderá*|suspeit*|candidat[oa]s?|não sei|se calhar|porventura",
)
TAIL: Final = re.compile(
    r"(?:i (?:think|guess|believe|suppose|reckon)|maybe|perhaps|or so|probably|apparently|allegedly|supposedly|presumably|glaube ich|denke ich|vielleicht|vermutlich|wohl|angeblich|"
    r"acho(?: eu)?|creio|talvez|provavelmente|parece)\W*$"
)
DISOWNS: Final = re.compile(
    r"(?<!\w)(?:not (?:yet )?(?:been )?(?:verified|confirmed|checked|sure|certain|proven|tested|answered|settled|agreed|true|looked)|un(?:verified|confirmed|checked|proven)|to be (?:verified|confirmed|checked)|"
    r"(?:haven't|have not|hasn't|has not|didn't|did not|couldn't|could not|can't|cannot|nobody|never|don't|do not)(?: \w+)? (?:verif\w+|reproduc\w+|repeat|confirm\w*|check\w*|look\w*|ask\w*|answer\w*|tell|know\w*|prove\w*|support\w*|believe\w*|trust|vouch)|"
    r"nothing (?:\w+ ){0,2}(?:supports?|confirms?|proves?|says so)|nothing is settled|take (?:it|that|this) with|treat with care|grain of salt|guess\w*|who (?:posted|wrote|said|says) (?:that|it|this)|is it so|"
    r"nicht (?:bestätigt|geprüft|überprüft|gesichert|sicher|belegt|nachgeprüft|verifiziert|nachgesehen)|un(?:bestätigt|geprüft|gesichert|belegt)|ohne gewähr|weiß (?:ich )?nicht|"
    r"não (?:está |foi |é )?(?:confirm\w+|verifi\w+|certo|certeza|comprov\w+|sei|posso)|por confirmar|sem confirma\w+)(?!\w)"
)

# planned
PLANS: Final = _words(
    "should(?:n't)?|could|about to|(?:was|were|is|are|due) to be|announced|scheduled|can (?:still )?(?:move|be moved|switch|go|fail over)|ready to|supposed to|meant to|want(?:s|ed)? to|would like to|plan(?:s|ned|ning)?|going to|gonna|intend*|propos*|suggest*|consider*|thinks? of|thinking of|aim(?:s|ing)? (?:to|for)|roadmap|hope(?:s|d)? to|we hope|let's|should we|to do|todo|discuss*|draft|idea is|offering",
    "soll|sollen|sollte*|angekündigt*|möchte*|wollen|will (?=(?:\\w+ ){0,3}(?:bis|das|den|die|der|es|noch|uns|mit|auf)(?!\\w))|wollte*|plan(?:t|en|ung|ten)?|geplant|vorhaben|vorschlag*|vorgeschlagen|schlage*|überleg*|beabsichtig*|hoffen|erwäg*",
    "deve|devia|deveria|anunciad[oa]|quer(?:emos|em|o)?|queremos|pretend*|planeia*|planeamos|planos?|plano|tenciona*|vamos|propo*|sugir*|sugere*|esperamos|pondera*|a pensar",
)
PLANS_AHEAD: Final = re.compile(
    r"(?<!\w)(?:i'll|i will|we'll|we will|i'm going to|shall (?:i|we)|"
    r"(?:will|'ll)(?=.*\b(?:tomorrow|soon|later|next (?:week|month|year|quarter|sprint|release)|shortly|one day|eventually)\b)|"
    r"(?:tomorrow|soon|next (?:week|month|year|quarter|sprint|release)|one day|eventually|from (?:the )?(?:summer|autumn|winter|spring|next \w+)(?: on)?)\b.*(?:\bwill|'ll)|"
    r"(?:morgen|demnächst|bald|künftig|nächst\w+ (?:woche|monat|jahr|sprint|quartal)|ab (?:sommer|herbst|winter|frühjahr))|(?:ich|wir) werden?|"
    r"next (?:week|month|year|quarter|time)|nächst\w+ (?:woche|monat|jahr|mal|quartal)|próxim\w+ (?:semana|mês|ano|vez)|"
    r"(?:amanhã|em breve|futuramente|para a semana|próxim\w+ (?:semana|mês|ano)|a partir do (?:verão|outono|inverno)))(?!\w)"
)

BOUNDS: Final = re.compile(
    r"(?<!\w)(?<!no )(?<!not )(?<!nicht )(?<!não )(?:fewer than|less than|more than|at most|at least|up to|over|under|above|below|nearly|almost|close to|mehr als|weniger als|höchstens|mindestens|maximal|"
    r"bis zu|über|unter|fast|knapp|mais de|menos de|no máximo|no mínimo|pelo menos|até|quase|acima de|abaixo de)\s+(?:the |os |as |die )?$"
)
"""Right before a number that is only a bound."""
LIMITS: Final = re.compile(r"(?<!\w)(?:at most|up to|höchstens|maximal|bis zu|no máximo|até)\s+(?:the |os |as |die )?$")
"""Right before a span: how a rule puts it that something lasts so long."""
WAS_ONLY: Final = re.compile(r"^\W*(?:was|were|war|waren|era|eram|down from|up from|formerly|statt|instead of)\W*$")
"""All that stands before a value in its clause: `(was 15 minutes)`."""
SINCE: Final = _words(
    "since|because of|due to|thanks to|owing to|ever since|seit|wegen|aufgrund|durch|desde|por causa d[aeo]|devido a"
)
OR_BEFORE: Final = re.compile(r"(?<!\w)(?:or|oder|ou)\s*(?:the |a )?[\"'(]*$")
OR_AFTER: Final = re.compile(r"^[\"')\s]*(?:or|oder|ou)(?!\w)")
TAKES_BACK: Final = re.compile(r"^\W*(?:or|oder|ou|so (?:did|does|is|was)|which (?:one|of|is)|welche\w*|qual)(?!\w)")
"""At the beginning of the next sentence: what was said is one of several."""
STRANGERS: Final = re.compile(
    r"^\W*(?:but |and |aber |mas )?(?:(?:somebody|someone|jemand|alguém)(?! who| that|,| que| der)|a competitor|(?:our |the )?competitors?|others|another (?:company|team|vendor|firm)|other (?:companies|vendors|teams)|rumou?r|andere|(?:ein|der|die) konkurren\w+|"
    r"mitbewerber|outr[oa]s|(?:um|o|a) concorrent\w+|a concorrência)(?!\w)"
)
"""Whose doings are not ours, at the beginning of a clause."""
RELATIVE: Final = re.compile(
    r"(?:(?<!\w)(?:back|again|ready|see you|there|wieder|zurück|gleich|daqui a|volto|de volta)\W+(?:in|em)?|(?:(?<!\w)(?:will|wird|werden?|vai|vou|vamos)|'ll)\b.{0,60}\b(?:in|em|dentro de)|(?<!\w)(?:vor|há|last|past|another|waited|waiting(?: for)?))\s*(?:about |etwa |the |cerca de )?$"
)
"""Before a span that runs from now or until now, and is no rule's: `back in`."""
AGO: Final = re.compile(r"^\W*(?:ago|late\b|later|from now|atrás|more\b|to go|left\b|later on|old\b)")

# denied
PORTUGUESE: Final = re.compile(
    r"[ãõçâê]|(?<!\w)(?:é|foi|foram|uma|os|as|nos|nas|nosso|nossa|da|dos|das|pelo|pela|com|para|que|não|são|até|em|ao)(?!\w)"
)
DENIES: Final = _words(
    "not|never|neither|nor|cannot|[a-z]+n't|isnt|wasnt|dont|doesnt|didnt|aren?t|wont|cant|nobody|none|no longer|no more|no|without|nothing|unlike|rather than|instead of|as opposed to|contrary to|forget|ignore|disregard|hardly|wrongly|mistakenly|falsely|myth|untrue|tried to|attempted|failed to|in vain|without success|false|incorrect|wrong to|wrong that|denied|denies|ruled out|wrong|stale|outdated|obsolete|superseded|far from|anything but",
    "nicht|kein|keine|keinen|keinem|keiner|nie|niemals|niemand|versucht*|vergeblich|weder|noch nie|ohne|statt|anstatt|anstelle|falsch*|irrtümlich|veraltet*|unwahr|überholt*|entgegen",
    "não|nao|nunca|jamais|tent(?:ei|ou|ámos|aram)|em vão|nem|nenhum*|ninguém|sem|em vez de|ao contrário|já não|errad[oa]|fals[oa]|desatualizad[oa]|incorret[oa]",
)
NO_DENIAL: Final = _words(
    "(?:contrary to|unlike|despite|regardless of|entgegen|anders als|ao contrário d[aeo]) (?:what )?(?:the |our |der |dem |die )?\\w+(?= (?:says )?(?:we|it|they|a|each|wir|es|the)(?!\\w))|^(?:no|nein|não|nope) ?[:,—]",
    "(?:go|goes|going|gone|went) wrong|not only|not just|not merely|no doubt|no question|no worries|no later than|not later than|not earlier than|not before|no earlier than|no change|no changes|don't worry|do not worry|don't forget|do not forget|why not|nothing longer|nothing else|no exceptions?|without exceptions?|no fewer than|no less than|no more and no less|not sooner than|nobody else|not until|never before|not before",
    "nicht nur|nicht erst|ohne ausnahme|kein zweifel|ohne zweifel|nicht vergessen|nicht vor|nicht mehr als|nicht später als|keine sorge|nichts anderes",
    "não só|não apenas|sem dúvida|sem exce\\w+|não antes|não mais do que",
)
DENIES_AFTER: Final = re.compile(
    r"^\W*(?:(?!and |und |e )\w+ ){0,2}(?:never|nothing|denie[sd]|nicht|nie|nunca|não|not)(?!\w)(?! (?:only|just|merely|nur|só|apenas|before|until|vor|bis))|"
    r"^(?:[\s\"')]|(?:on|in|of|at|for|from|to|em|de|do|da|im|am|von) \w+ |[\w'-]+ ){0,5}?(?:(?:is|was|are|were|did|does|do|has|have|had|can|could|ist|sind|war|waren|hat|haben|wurde|foi|é|está|são|estava|tem)"
    r"(?:n't| not| nicht| kein\w*| não| never| no longer| nie)(?= |$|[.,!])(?! (?:only|just|nur|só|before|until|changed|touched))|"
    r"(?:não|nao|nunca) (?:é|foi|está|são|tem|teve|vale|corresponde)|(?:stimmt|gilt|stimmen|gelten) (?:so |also |jedoch )?(?:nicht|nie)|"
    r"(?:is|are|was|were|seems|sounds|ist|sind|war|waren|é|são|está|estava|era) (?:\w+ )?(?:false|wrong|untrue|incorrect|stale|outdated|obsolete|innocent|nonsense|unrelated|a myth|a mistake|a lie|out of date|history|"
    r"falsch|veraltet|überholt|unsinn|gelogen|unschuldig|errad\w+|fals\w+|mentira|desatualizad\w+)|"
    r"ha[sd] nothing to do|have nothing to do|hat (?:damit |mit \w+ )?nichts|nada tem|não tem nada|ausgeschlossen|anymore|any more|nicht mehr|no longer)(?!\w)"
)
GONE: Final = re.compile(
    r"^\W*(?:failed(?! over)|falhou|fehlgeschlagen|looked|(?:\w+ ){0,2}(?:is|are|was|were|been|got) (?:\w+ )?(?:ruled out|gone|no more|decommission\w*|retired|abandoned|shut down|switched off|turned off|removed|rejected|dropped|refused)|"
    r"(?:\w+ ){0,2}(?:wurde|ist|sind|wurden) (?:\w+ )?(?:abgeschaltet|stillgelegt|außer betrieb|verworfen|abgelehnt)|(?:\w+ ){0,2}(?:foi|foram|está) (?:desativad\w+|desligad\w+|rejeitad\w+))(?!\w)"
)
"""Right behind a name."""
DENIES_NEXT: Final = re.compile(
    r"^\W*(?:(?:but|and|aber|und|mas|e|which|that|this|it|das|dies|es|isso|isto|o que) )*(?:(?:is|was|are|were|isn't|ist|war|é|foi|turned out (?:to be )?|has been|since) ?(?:\w+ )?)?(?:not (?:true|so|right|correct|the case|it)|isn't (?:true|so|right)|"
    r"wrong|wrongly|false|untrue|incorrect|nonsense|a myth|no longer|not any ?more|over\W*$|gone\W*$|out of date|outdated|stale|obsolete|superseded|disproved|struck|retracted|withdrawn|history|legacy|(?:not|no)\b(?= *[.!,|]|\W*$)|nope|"
    r"(?:but |and )?(?:it|that|this|which|das|es|isso) (?:is|was|ist|war|é|foi) (?:\w+ )?(?:not|nicht|não)|"
    r"(?:\w+ ){0,3}(?:ist|is|war|was) (?:es|it|er|that|das) (?:nicht|not)|"
    r"stimmt (?:so )?nicht|stimmen nicht|falsch|unwahr|vorbei|veraltet|überholt|nicht mehr|nicht wahr|não é (?:verdade|assim)|é falso|errado|já não|desatualizad\w+|mentira|turned out to be (?:an)?other)(?!\w)"
)
WITHDRAWS: Final = re.compile(
    r"^\W*(?:but |and |aber |und |mas |e )?(?:that|this|it|das|dies|es|isso|we|which|what) (?:\w+ )?(?:turned out|has been (?:disproved|struck|corrected|withdrawn|changed)|(?:is|was) (?:cut short|redone|revoked|withdrawn|over(?! (?:at|by|around|after|since))|corrected|another|no longer|rejected|out of date)|know better|hat sich|ist vorbei|wurde (?:korrigiert|verworfen|geändert)|mudou|acabou)"
    r"|^\W*(?:before the (?:recount|correction)|until it happened again|we know better|then (?:it|the|we|somebody) (?:\w+ )?(?:broke|changed|moved|restored|was|were))"
)

# past
HISTORY: Final = _words(
    "used to|previously|formerly|originally|initially|at first|at the beginning|in the beginning|in the past|once (?:thought|believed|was|were|had)|(?:was|were) once|no longer|back then|at the time|until (?:january|february|march|april|may|june|july|last \\w+|then|recently|the \\w+ (?:release|change))|(?:the|an?|my|our|your|his|her|their) (?:first|old|earlier|previous|former) (?:\\w+ )?(?:draft|version|value|number|figure|setting|count|plan|page|text|limit|rule)|first (?:wrote|thought|counted|believed|said|assumed|planned)|for a (?:while|long time|time)|in (?:an|the|our) (?:early|earlier|first|old) \\w+|blamed|old|former|we thought|thought|believed|had been|earlier this year|last year|before the (?:change|move|release|switch|recount)",
    "früher*|vorher|ursprünglich*|anfangs|zunächst|zuerst|damals|ehemals|einst|bisher|vormals|bis (?:januar|februar|märz|april|zum \\w+)|alte[rnsm]?|lange zeit|im ersten entwurf|dachten|glaubten",
    "antes(?! d[aeo]s?| que)|originalmente|inicialmente|antigamente|anteriormente|no início|outrora|ao princípio|costumava*|dantes|até (?:janeiro|fevereiro|março|abril)|antig[oa]s?|pensávamos|era|eram",
)
HAPPENED: Final = re.compile(
    r"(?<!\w)(?:was|were|had|got|ran|held|stood|opened|made|took|gave|came|went|left|broke|began|brought|did|sent|lost|fell|rose|cut|wrote|froze|chose|spoke|drove|threw|knew|drew|met|told|said|sold|bought|caught|"
    r"taught|thought|found|won|paid|led|built|hid|kept|laid|let|saw|sang|shut|swore|wore|war|waren|hatten?|galt|galten|wurden?|era|eram|tinham?|foi|foram|estava\w*|corria\w*)(?!\w)|"
    r"(?<!\w)\w{3,}ed(?!\w)"
)
"""In an author's sentence: it tells of what happened."""
PRESENT: Final = re.compile(
    r"(?<!\w)(?:is|are|be|can|has|have|runs?|keeps?|holds?|lasts?|opens?|begins?|starts?|ends?|goes|go|costs?|gets?)(?!\w)"
)
"""In an author's sentence: it tells of what is so."""
PAST: Final = _words(
    "was|were|had|held|lasted|stayed|stood|ran|kept|war|waren|hatte*|wurde|wurden|galt|galten|era|eram|estava*|ficava*|tinha*|foi|foram"
)
ENDED: Final = _words("until|before|bis|bevor|till|antes|até")
"""Behind something that was so: it is so no more."""
APART: Final = re.compile(
    r"(?<!\w)(?:before|prior to|without|despite|besides|except|apart from|vor|ohne|außer|trotz|abgesehen von|antes d[aeo]|sem|exceto|apesar d[aeo])\W+(?:the |our |der |dem |den |die |das )?$"
)
"""Right before a name that is set apart from what is said."""
CALLS_ON: Final = re.compile(
    r"(?<!\w)(ask|asks|asked|asking|tell|told|call|inform\w*|mailed|frag\w*|pergunt\w+)\s+(?:with |bei |a |ao |à |o )?(?:dr\.? |mr\.? |ms\.? |frau |herrn? )?@?$"
)
HISTORY_AFTER: Final = re.compile(
    r"^\W*(?:\w+ ){0,4}?(?:before|previously|formerly|originally|at first|initially|back then|in the past|until (?:january|february|march|april|recently|last \w+|then|the change)|früher|vorher|damals|ursprünglich|bis (?:januar|februar|märz|april)|antigamente|antes|anteriormente|no início|at the beginning|zuvor|once|of last year|last year|last month|letztes jahr|im vorjahr|do ano passado|no ano passado)\W*$"
)

# said by somebody else
ATTRIBUTES: Final = _words(
    "say|says|said|claim(?:s|ed)?|states?|stated|gives?|gave|wrote|writes|mention(?:s|ed)|told|tells|reports?|reported|according to|quoted?|reads|lists?|listed|shows|insist(?:s|ed)|swears|answered|names",
    "sagt|sagte|schreibt|schrieb|behauptet|behauptete|meint|meinte|nennt|nannte|laut|gibt|zufolge",
    "diz|disse|dizem|afirma|afirmou|escreve|escreveu|segundo|indica|indicou|refere|alega|conforme",
)
GIVES: Final = _words("gives?|gave|tells|gibt|gab|dá|dão")
"""Whoever stands behind these is given something, and says nothing: `gives people 10 minutes`."""
SOURCES: Final = _words(
    "faqs?|wikis?|pages?|docs?|documentation|runbooks?|handbooks?|manuals?|articles?|blogs?|slides?|templates?|posters?|notes?|sticky note|emails?|mails?|chats?|vendor|supplier|provider|amazon|aws|statuspage|trainings?|press|somebody|someone|people|rumou?r|he|she|they|customers?|venues?|desks?|colleagues?|drafts?|hand-?over|memos?|minutes of",
    "seiten?|wikiseite|dokument\\w*|handbuch|anbieter|lieferant|hersteller|jemand|leute|kunden?|notiz\\w*|zettel|entwurf|protokoll der|er|sie|man",
    "páginas?|documento|manual|fornecedor|alguém|clientes?|notas?|rascunho|ele|ela|eles|elas",
)
FIRST_PERSON: Final = _words("i|we|ich|wir|eu|nós")

RELATIVE_PRONOUN: Final = re.compile(
    r"^\W*(?:who|which|that|whose|die|der|das|welche\w*|que|quem|wer|so|and so|verlier\w+|perde\w*)(?!\w)"
)
NUMBER: Final = re.compile(
    r"\d|(?<!\w)(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty\w*|dozen|hundred|thousand|half|quarter|noon|midnight|"
    r"\w*(?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|zwanzig|ßig|zig|hundert|tausend)\w*|elf|halb|viertel|mittag\w*|mitternacht|dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|"
    r"treze|catorze|quinze|dezasseis|dezassete|dezoito|dezanove|vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|cem|cento|mil|meia|meio)(?!\w)"
)

# when, of a time or a day
START: Final = _words(
    "from|since|began|begins?|beginn?ing|start|starts|started|starting|onset|onwards?|as of|ab|seit|von|vom|anfang|begann|beginn|beginnt|angefangen|desde|a partir|começou|começ\\w+|início|inicio"
)
END: Final = _words(
    "until|till|through|to|ended|ends?|ending|over|by|finished|expires?|due|bis|ende|endet|endete|vorbei|até|ate|fim|termin\\w+|acab\\w+|recovered|up to"
)
LAST: Final = _words(
    "deadline|last (?:day|date)|due date|expir\\w+|runs? out|ran out|frist|letzter tag|stichtag|ablauf\\w*|abläuft|läuft|laufen|prazo|último dia|data limite|expira\\w*|caduca\\w*|validade"
)
"""What is said to be a day until which something holds, however far before it."""
BEFORE: Final = _words(
    "before|earlier than|prior to|older than|vor|vorm|früher als|älter als|antes|anterior(?:es)?|anteriormente"
)
LATER: Final = _words("after|later than|past|nach|später als|depois|após|posterior(?:es)?")

FILLERS: Final = _words(
    "the|a|an|is|are|was|were|be|been|in|on|of|to|for|at|by|with|it|its|we|i|you|they|this|that|and|or|not|has|have|from|until|since|as|our|your|no|s|did|do",
    "der|die|das|den|dem|des|ein|eine|ist|sind|war|waren|im|am|von|vom|zu|zum|zur|für|mit|es|wir|ich|sie|er|und|oder|nicht|hat|haben|wird|werden|bis|seit|ab|auf|bei|nach|vor",
    "o|os|as|um|uma|é|são|foi|foram|está|no|na|nos|nas|do|da|dos|das|de|em|para|por|com|e|ou|não|que|se|há|até|desde|ao|à|às|pelo|pela",
)
"""Words that a sentence has and a heap of words has not."""
