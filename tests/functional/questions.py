"""Questions by what they are about, written before the matcher was tuned; the tests hold every second one back.

Each is a world, the slot that answers it (empty where none does) and the words, a dozen of them German or Portuguese.
"""

from dataclasses import dataclass

__all__ = ["ASKED_OF", "HELD_OUT", "TUNED_ON", "Asked"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the slot that it is about; empty where it is about none."""

    world: str
    slot: str
    text: str


_TINY = {
    "boxoffice.hold_minutes": [
        "For how many minutes is a seat set aside once someone reaches checkout?",
        "What's the current reservation timeout?",
        "Someone left the payment page open over lunch. When does the hold expire?",
        "Wie lange halten wir einen Platz, während jemand bezahlt?",
        "Por quantos minutos seguramos um lugar durante o pagamento?",
        "remind me of the hold time pls, FAQ says something else",
    ],
    "boxoffice.stuck_holds_cause": [
        "Have we found the root cause of the stuck seats?",
        "Which commit introduced the bug with the holds that never go away?",
        "Why do seats stay blocked after a failed payment?",
        "What exactly broke releasing the seats?",
        "Warum bleiben die Plätze blockiert?",
        "Do you know what change is behind the false sold-out signs?",
    ],
    "boxoffice.stuck_seats": [
        "Do seats still look taken to buyers?",
        "What do venues see at the moment, are seats grey that should be free?",
        "Which seats look grey on the map?",
        "Are there seats that appear taken although nobody bought them?",
    ],
    "boxoffice.slow_evening_from": [
        "When did the incident on Monday evening start?",
        "From what time was the database slow that evening?",
        "At what time did the trouble begin on the 23rd?",
        "Wann hat die langsame Datenbank am Montag begonnen?",
        "Since when was the db slow on Monday?",
        "I need the start of the timeline for Monday evening, do you have it?",
    ],
    "": [
        "Is anybody joining for lunch at one?",
        "Which printer has the blue toner?",
        "Where can I find the holiday calendar?",
        "Could you send me the logo as a vector file?",
        "When is Priya back from her trip?",
        "Wie wird das Wetter am Wochenende?",
        "What's the wifi password for guests?",
        "How many people are coming to the summer party?",
        "Why is the coffee machine blinking?",
        "Do we have a style guide for emails?",
    ],
}
_LARKSPUR = {
    "it.mail_of_21_april": [
        "Is that mail about the credentials really from Piotr?",
        "Did Piotr send the database password request, or is it phishing?",
    ],
    "bookings.recovery": ["Is booking back up?", "Are bookings working again?"],
    "bookings.database": [
        "Which region does the bookings database run in now?",
        "Where did the bookings database move to?",
    ],
    "bookings.standby": [
        "Where is the replica of the bookings database?",
        "Which region would bookings fail over to?",
        "In welcher Region steht der Standby von bookings?",
    ],
    "bookings.trouble": [
        "What is broken in bookings right now?",
        "What's the impact for patients, is bookings down or only slow?",
    ],
    "bookings.attempts": [
        "Why did the load on the database multiply, is it retries without a cap?",
        "How often does the database client retry a slow statement?",
        "Is there any backoff between the attempts of the client?",
    ],
    "bookings.cap_dropped_by": [
        "Which pull request removed the retry cap?",
        "What commit took the pauses out of the retries?",
    ],
    "bookings.series_cause": [
        "Why are recurring appointments an hour late since the clocks changed?",
        "What introduced the bug with the series being an hour off?",
        "Porque é que as séries estão uma hora atrasadas?",
    ],
    "bookings.series_made_before": [
        "Series created before which date are off?",
        "When must a series have been made to be affected, which day in January?",
    ],
    "bookings.series_at_home": [
        "Are clinics in Germany concerned by the series bug?",
        "Do German series run at the right time?",
    ],
    "bookings.series_moved": [
        "Shall the appointments that were moved by hand be moved back again?",
        "What about series somebody already moved from a list?",
    ],
    "hafenpraxis.lead_time": [
        "How many hours before do the reminders of Hafenpraxis go out from the 29th?",
        "What lead time did Hafenpraxis settle on?",
        "Wie viele Stunden vorher gehen die Erinnerungen der Hafenpraxis raus?",
    ],
    "hafenpraxis.altona_now": [
        "What holds for Altona until the 28th?",
        "Is the trial in Altona still on?",
    ],
    "hafenpraxis.lead_decider": [
        "Who decides about the lead time at Hafenpraxis?",
        "Whose word counts at Hafenpraxis for the reminders?",
        "Wer entscheidet das bei der Hafenpraxis?",
    ],
    "hafenpraxis.lead_sites": ["For which sites of Hafenpraxis do the 40 hours hold?"],
    "luz.quiet_by": [
        "Who agreed to the quiet hour of Luz?",
        "Who of us promised Clínica Luz that nothing goes out before six?",
        "Quem prometeu a hora de silêncio à Luz?",
    ],
    "luz.quiet_until": [
        "Until when does Luz's quiet hour hold?",
        "Is there an end date for the arrangement with Luz?",
    ],
    "luz.quiet_source": [
        "Where is the quiet hour of Luz written down?",
        "Which ticket is the source of Luz's six o'clock?",
    ],
    "luz.quiet_ask": ["Whom can we ask about Luz?"],
    "hautzentrum.quiet_by": [
        "Who gave Hautzentrum their eight o'clock?",
        "Wer hat dem Hautzentrum die Ruhezeit zugesagt?",
        "Who agreed the quiet hours with Dr. Kassab?",
    ],
    "hautzentrum.quiet_until": [
        "How long does the quiet time of Hautzentrum last?",
        "Does Hautzentrum's agreement end in June?",
        "Until what date does eight o'clock hold for Hautzentrum?",
    ],
    "reminders.log_days": [
        "How long do we keep message logs?",
        "What's the retention of delivery logs, in days?",
        "Wie viele Tage werden Nachrichtenprotokolle aufbewahrt?",
    ],
    "reminders.twice": [
        "How many patients got a double reminder in February?",
        "What's the number of people who were reminded twice?",
    ],
    "reminders.twice_clinics": [
        "How many clinics were affected by it in February?",
        "Quantas clínicas foram afetadas em fevereiro?",
    ],
    "reminders.twice_mended": ["When was the double sending fixed?", "Since when are the double reminders mended?"],
    "reminders.twice_cost": [
        "Do clinics have to pay for the second messages?",
        "Will there be a credit on the invoice for the duplicates?",
    ],
    "reminders.twice_harm": ["Were any appointments changed by the double reminders?"],
    "reminders.feb_logs": ["Can we still prove delivery of the messages of 12 February to an insurer?"],
    "reminders.supplier": [
        "Who is our provider for text messages?",
        "Which vendor sends our texts?",
    ],
    "": [
        "What time is the all-hands on Thursday?",
        "Who is bringing cake for Henrik's birthday?",
        "Where do I book a meeting room in Lisbon?",
        "Do you know a good dentist in Berlin?",
        "How do I get a new badge for the office?",
        "Which laptop did you order for the new colleague?",
        "When does the canteen close?",
        "Wann ist die nächste Betriebsversammlung?",
        "Why is the heating off on the third floor?",
        "Who took my charger?",
        "How much is the train ticket to Hamburg?",
        "Does anybody have the slides of Tuesday's training?",
    ],
}
ASKED_OF = [
    Asked(world, slot, text)
    for world, by_slot in (("tiny", _TINY), ("larkspur", _LARKSPUR))
    for slot, texts in by_slot.items()
    for text in texts
]
TUNED_ON, HELD_OUT = ASKED_OF[::2], ASKED_OF[1::2]
