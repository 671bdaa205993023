"""A reward in words: files keep every digit of it, people read the first three."""

__all__ = ["reward_text"]


def reward_text(reward: float | None) -> str:
    """A reward as people read it: `1`, `0.333`, `0.3` of 0.30000000000000004, `null`; what is not quite 1 or 0 is `just under 1`, `just over 0`."""
    if reward is None:
        return "null"
    whole = round(reward)
    if reward != whole and abs(reward - whole) < 0.0005:
        return f"just {'under' if reward < whole else 'over'} {whole}"
    return f"{reward:.3f}".rstrip("0").rstrip(".")
