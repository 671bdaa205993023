"""What a world's everyday life is drawn from: its text, its rooms, the phrase packs and the measured tables in one value."""

from generators.background.life import everyday_projects, life_of
from generators.background.packs import pack_mistakes, read_mail_packs, read_packs, read_work_packs

__all__ = ["everyday_projects", "life_of", "pack_mistakes", "read_mail_packs", "read_packs", "read_work_packs"]
