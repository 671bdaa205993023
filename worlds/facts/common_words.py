"""Words that any sentence may have whatever it is about, in English, German and Portuguese.

Closed classes (pronouns, articles, prepositions, conjunctions, auxiliaries, adverbs of time and degree, greetings), the verbs and
nouns by which people report (to check, to find, to confirm, to change, a number, a note), the calendar, and the words of the trade
(a ticket, a release, a branch, a customer). They say nothing for or against a sentence being about a fact.
"""

from functools import lru_cache
from typing import Final

from worlds.facts.name_matching import flat

__all__ = ["is_common"]

_CLOSED: Final = """
a an the this that these those it its itself he him his she her hers they them their theirs we us our ours you your yours i me my mine
who whom whose which what when where why how whatever whoever whichever one ones each every all both half some any most more many much few other
others another same such own herself myself yourself ourselves themselves yourselves everyone everybody anyone anybody someone somebody something anything everything
am is are was were be been being do does did done doing have has had having will can get gets got getting gotten
's 're 've 'll 'd 'm s re ve ll d m
in on at by for from to of off out up down over under into onto upon with within through throughout during across along around about
ago after before behind between among against toward towards until til till since past per via as like than instead rather except plus minus besides beyond
and or but nor so yet if then because while whereas although though however therefore thus hence also too either once unless
now extra additional far near still already again always just only even ever often sometimes usually currently presently today tonight yesterday here there away back
very quite really exactly precisely actually simply indeed well in total altogether overall together otherwise anyway meanwhile afterwards afterward onward onwards
hi hello hey dear thanks thank please sorry best regards kind cheers sincerely greetings yours team all mr mrs ms dr yes ok okay fyi ps re
der die das den dem des ein eine einen einem einer eines dies diese dieser dieses diesem diesen jener jene jenes er sie es ihn ihm ihr ihre ihren ihrem ihrer
sein seine seinen seinem seiner wir uns unser unsere unseren unserem unserer ich mich mir mein meine du dich dir dein euch euer eure man sich selbst
wer wen wem was wann wo warum wie welche welcher welches jede jeder jedes jeden jedem alle allen aller alles beide beiden einige mehr viele wenig andere anderen
bin ist sind seid war waren gewesen wird werden wurde wurden worden hat habe haben hatte hatten kann koennen konnen bleibt bleiben blieb
in im an am auf aus bei beim von vom zu zum zur fur fuer mit nach vor uber ueber unter um durch gegen seit ab bis wegen wahrend zwischen hinter neben pro je
und oder aber denn sondern so dass da weil wenn als damit danach davor dann also auch noch schon nur erst etwa genau jetzt nun derzeit aktuell momentan heute gestern hier dort
wieder immer bereits insgesamt zusammen weiterhin inzwischen mittlerweile daher deshalb davon dafur dazu daran darauf dabei hiermit lang lange
hallo liebe lieber guten tag moin danke bitte grusse gruesse viele herzliche ja gruß gruss
o a os as um uma uns umas este esta estes estas esse essa isso isto aquele aquela aquilo ele ela eles elas nos vos eu tu voce voces me te se lhe lhes seu sua seus suas nosso nossa nossos nossas
meu minha que quem qual quais quando onde como porque cada todo toda todos todas tudo ambos algum alguma alguns algumas mais muito muitos outro outra outros outras mesmo mesma
e sao foi foram ser sido sendo esta estao estar estava estou tem temos ter ha fica ficam ficar ficou ficaram vai vem pode podem
de do da dos das em no na num numa por pelo pela pelos pelas para com sem sob sobre entre ate desde apos contra durante ao aos
ou mas nem pois porem contudo entao assim logo portanto enquanto embora ja ainda agora hoje ontem atualmente neste momento aqui ali la tambem apenas so sempre bem depois
ola caro cara bom boa dia tarde obrigado obrigada cumprimentos sim total
"""

_REPORTING: Final = """
say says said tell tells told ask asks asked asking answer answers answered question questions know knows known see sees seen look looks looked looking find finds found
check checks checked confirm confirms confirmed confirmation verify verified note notes noted mention update updates updated updating correct corrected correction
report reports reported show shows shown write writes written wrote read record recorded records post posted mail email message reply page pages ticket faq wiki docs documentation list listed
mean means meant give gives gave given take takes taken took make makes made put puts keep keeps kept come comes came go goes went going let lets stay stays stayed remain remains
set sets use uses used using need needs want call called calls counting count counted
new old current present actual right true official final original previous earlier later former latest first last next
time times date day days week month year hour hours minute minutes number figure value amount length period point moment start ending expire expires end begin begins thing things began
people person customer customers client clients user users colleague colleagues everybody
status change changes changed case cases case fact answer reason result details summary source heads quick short confirmed
code settings setting config file log logs system service
sagen sagt sagte fragen fragt gefragt frage antwort wissen weiß sehen sieht gesehen finden gefunden geprüft prufen gepruft bestatigt bestätigt bestatige gilt gelten betragt beträgt liegt lautet steht
neu neue neuen neuer neues alt alte alten alter altes richtig richtige aktuelle aktuellen offiziell kurz kurze ruckmeldung hinweis info stand angabe angaben
zeit datum tag tage tagen woche monat jahr stunde stunden minute minuten uhr zahl wert dauer anfang ende kunde kunden kundin person personen leute seite geben gibt macht gemacht nehmen
dizer diz disse perguntar perguntou pergunta resposta saber sei ver vi visto encontrar encontrei confirmei confirmo confirmado confirma verifiquei corrigi corrigido corrigida
novo nova novos novas antigo antiga atual correto correta valor numero data dia dias semana mes ano hora horas minuto minutos prazo pagina cliente clientes pessoa pessoas equipa
vale valem dar dao damos fazer feito passou passa continua informacao nota
"""

_CALENDAR: Final = """
january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday weekday weekend morning noon afternoon evening night midnight spring summer autumn winter century season quarter
januar februar marz maerz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag fruh morgen vormittag mittag nachmittag abend nacht montagabend wochenende
janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro segunda terca quarta quinta sexta sabado domingo feira manha noite madrugada fim
"""

_TRADE: Final = """
account agreement agree apply approve arrangement article attach branch bug build change channel chat clarify clear close code comment commit complete contact contract correct cost cover decide decision default deploy deployed
deliver dependency diff document draft effect entry error evidence explain extend extension fail failover fault feature field fix form fully graph handle handover help history incident increase inform instance investigate involve
issue item key known lead leave left letter line link load login main manager manual measure meeting member merge merged message metric migrate mistake model module move moved normal notice notification offer office open operation
order outage outcome owner patch pay period permit place plan plain policy previous price primary problem process produce product production project promise proof property provide provider pr prs pull push query queue range rate ready reason receive
recover reduce refer reference region release released remind remove repair replace repo repository request require resolve respond restore result return review revert rollback root row rule run runbook running schedule script section
send sent serve served service session sheet side ship sign site software speak stage start started starting step stop store supplier support switch switched table tag task team template term test text thread ticket timeline title tool trace
track traffic trouble turn type value vendor version via view wait warn website window work worker works working wrong trace traced trigger
abgeschlossen andern anderung anbieter angelegt antrag arbeiten auftrag ausfall ausgehen bearbeiten beginnen behoben bekommen bericht bestellung beitrag brauchen buchen datei datenbank dokument einstellung eintrag entscheiden erhalten erklaren ersetzen
fehler festgelegt frau herr freigeben gehen geht gelten handeln heissen herausfinden hinterlegt kommen konfiguration korrigieren laufen lauft lassen lesen liegen loschen melden meldung nachricht nachrichten notieren problem raus
schicken schreiben senden sitzung sprechen starten stehen storung stelle stimmen suchen tabelle treffen ubernehmen umstellen ursache vereinbarung verschicken verwenden vertrag vorgang werk zeigen ziel zusage allein
nas atencao abrir acordo alteracao alterar apagar aplicar apurar aviso causa chegar codigo comecar comecou concluir configuracao correcao correr decidir decisao deixar deixou devolver dever documento encontrar entregar entrega enviar enviado erro escrever explicar
falhar fechar ficheiro fornecedor fornecer guardar informar incidente iniciar levar ligar livre lista manter mantem marcar mensagem mostrar mudar mudanca partir passar pedido pedir permitir problema receber registo resolver responder sair servico tirar tornar
trabalhar tratar usar utilizar verificar versao voltar erradas antes houve
"""

_TAILS: Final = ("'s", "n't", "'ve", "'re", "'ll", "'d")
_ENDINGS: Final = (
    "aram", "amos", "ados", "adas", "idos", "idas", "ings", "ing", "ados", "ado", "ada", "ido", "ida", "est", "ed", "en", "em", "er", "es", "et",
    "te", "ar", "ir", "os", "as", "am", "ou", "ei", "s", "e", "a", "o", "n", "t", "d", "r", "u", "i",
)  # fmt: skip
_STEM: Final = 4
"""Letters that a word keeps at least when its ending is taken off."""


def is_common(word: str) -> bool:
    """Whether a word, in one of its forms, is one of those: `ihr`, `until`, `confirmei`."""
    plain = _plain(word)
    return plain in _words() or _stem(plain) in _stems()


def _plain(word: str) -> str:
    found = flat(word.replace("’", "'")).strip("'-")
    return next((found.removesuffix(tail) for tail in _TAILS if found.endswith(tail)), found)


def _stem(word: str) -> str:
    return next(
        (word.removesuffix(end) for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= _STEM), word
    )


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    return frozenset(flat(word) for text in (_CLOSED, _REPORTING, _CALENDAR, _TRADE) for word in text.split())


@lru_cache(maxsize=1)
def _stems() -> frozenset[str]:
    return frozenset(_stem(word) for word in _words() if len(word) > _STEM)
