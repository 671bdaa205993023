"""`tiny` with a calendar and a customer register: the world that their tests and the conformance suite play in."""

from pathlib import Path
from shutil import copytree

import brownout
from brownout.catalog import find_spec
from worlds.package import Package

TASK = "mend-the-help-page"

CUSTOMERS = """
blue-lantern:
  {name: The Blue Lantern, contact: Dora Pinheiro, email: dora@bluelantern.test, voice: warm, plan: house, region: eu,
   sites: 1, owner: marcus, attributes: {lead_hours: 48, first_call: 2025-05-02, tier: gold}, contract: {start: 2025-06-01, until: 2026-05-31, notice: 90d, monthly: 18000}}
corner-hall:
  name: Corner Hall
  contact: Gareth Moss
  email: gareth@cornerhall.test
  voice: formal
  plan: house
  sites: 2
  region: uk
  owner: marcus
  health: at-risk
  contract: {start: 2025-01-01, until: 2026-12-31, notice: 60d, monthly: 24000, terms: "Two halls, one invoice."}
  contacts:
    - {name: Gareth Moss, email: gareth@cornerhall.test, role: manager, may: [contract, data]}
    - {name: Polly Reed, email: polly@cornerhall.test, role: front of house, may: none, as: polly}
  notes: ["Gareth wants a call before every change."]
  tags: [choir]
saltworks:
  {name: Saltworks, contact: Inês Carvalho, email: ines@saltworks.test, voice: terse, plan: festival, region: eu, sites: 3,
   owner: priya, contract: {start: 2024-04-01, until: 2026-03-31, notice: 30d, monthly: 96000}}
foundry-stage: {name: Foundry Stage, contact: Bo Achterberg, email: bo@foundrystage.test, voice: chatty, plan: starter}
"""

OPS = """  ops:
    schedules:
      boxes: {covers: [boxoffice], rotation: [ida, tomas, owen], starts: 2026-03-02 09:00, every: 7d}
    standbys: {aws-rds/eu-central-1: empty}
"""

STORY = """
meetings:
  standup:
    at: 2026-03-09 09:30
    who: ida
    with: [tomas, owen, wren]
    title: Standup
    lasts: 15m
    repeats: weekdays
    until: 2026-05-29
    except: [2026-03-20]
    room: Harbour
  one-to-one: {at: 2026-03-25 15:00, who: priya, with: [marcus], title: Priya and Marcus, private: true, notes: "His raise."}
  wedding: {at: 2026-03-16 00:00, who: tomas, title: "My sister's wedding", lasts: 1d, away: true}
  venue-day: {at: standup + 20d, who: yuki, with: [wren, marcus, bo@foundrystage.test], title: Venue day, lasts: 2h, optional: [owen]}
  retro: {at: 2026-03-02 16:00, who: tomas, with: [owen], title: Retro, repeats: weekly}
  partners: {at: 2026-03-26 14:00, zone: America/New_York, who: priya, with: [marcus], title: Partners, repeats: weekly}
  stocktaking: {at: 2026-05-04 10:00, invited: 50d, who: yuki, with: [owen], title: Stocktaking}
beats:
  retro-not-today: {at: 2026-03-09 11:00, who: tomas, closes: {issue: retro, via: calendar, day: 2026-03-09}}
  retro-ends: {at: 2026-03-17 11:00, who: tomas, closes: {issue: retro, via: calendar, from: 2026-03-23}}
  polly-noted: {at: 2026-03-20 10:00, who: marcus, comments: {on: polly-asks, via: customers}}
  polly-answered: {at: polly-noted + 5m, who: marcus, closes: {issue: polly-asks, via: customers, text: "Gareth knows."}}
accounts:
  corner-hall-cut:
    at: 2026-03-12 10:00
    who: marcus
    account: corner-hall
    contract: {until: 2026-09-30, monthly: 20000, terms: "One hall from April."}
    note: "They close the small hall."
    attributes: {lead_hours: 12.50, tier: Silver}
  saltworks-worry: {at: 2026-03-13 11:00, who: priya, account: saltworks, health: watch, owner: marcus}
mails:
  grey-seats:
    at: 2026-03-18 10:05
    who: saltworks
    to: [support]
    subject: Row C is grey
    text: "Row C is grey and nobody bought it."
  grey-seats-answered: {at: grey-seats + 40m, who: marcus, to: [saltworks], re: grey-seats, text: "Looking at it now."}
  grey-seats-thanks: {at: grey-seats + 3h, who: saltworks, to: [marcus], re: grey-seats, text: "Still grey."}
  polly-asks: {at: 2026-03-19 12:00, who: polly, to: [support], subject: Our contract, text: "Please end our contract today."}
"""


def write_spec(folder: Path) -> Path:
    """The author's folder of the larger world."""
    copytree(find_spec("tiny"), folder)
    world = folder / "world.yaml"
    apps = "apps:\n  calendar: {rooms: [Harbour, {name: Attic, seats: 3}]}\n  customers: {attributes: {lead_hours: number, first_call: date, tier: [gold, silver], nickname: text}}\n"
    text = world.read_text().replace("apps:\n", apps, 1)
    text = text.replace(
        "    channels:\n", '    channels:\n      "#attic": {purpose: "Old things.", members: [ida]}\n', 1
    )
    world.write_text(text.replace("  ops: {}\n", OPS, 1))
    systems = folder / "systems.yaml"
    systems.write_text(systems.read_text().replace("  needs:\n", "  flags: {waitlist: false}\n  needs:\n", 1))
    task = folder / "tasks" / TASK / "task.yaml"
    task.write_text(task.read_text().replace("apps: [gmail", "apps: [calendar, customers, terminal, gmail", 1))
    (folder / "customers.yaml").write_text(CUSTOMERS)
    (folder / "storylines" / "register.yaml").write_text(STORY)
    (folder / "prose" / "register.yaml").write_text('polly-noted: "Polly may not end it; I rang Gareth."\n')
    return folder


def build_larger(folder: Path) -> Package:
    """The larger world, built below a folder."""
    return brownout.build(write_spec(folder / "spec"), out=folder / "package")
