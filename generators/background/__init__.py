"""What a world's everyday life is drawn from: its text, its rooms, the phrase packs and the measured tables in one value."""

from generators.background.everyday_code import everyday_code, write_code
from generators.background.life import everyday_projects, life_of
from generators.background.outside_senders import everyday_bots, everyday_cards
from generators.background.pack_files import (
    pack_mistakes,
    read_code_packs,
    read_mail_packs,
    read_packs,
    read_work_packs,
)

__all__ = [
    "everyday_bots",
    "everyday_cards",
    "everyday_code",
    "everyday_projects",
    "life_of",
    "pack_mistakes",
    "read_code_packs",
    "read_mail_packs",
    "read_packs",
    "read_work_packs",
    "write_code",
]
