"""The one workflow every project uses: statuses, their categories and the moves between them."""

__all__ = ["CATEGORIES", "LINK_TYPES", "PRIORITIES", "RESOLUTIONS", "STATUSES", "TRANSITIONS", "TYPES", "transition_id"]

STATUSES = ("To Do", "In Progress", "In Review", "Done")
CATEGORIES = {"To Do": "To Do", "In Progress": "In Progress", "In Review": "In Progress", "Done": "Done"}
PRIORITIES = ("Highest", "High", "Medium", "Low", "Lowest")
TYPES = ("Bug", "Task", "Story", "Incident")
RESOLUTIONS = ("Done", "Duplicate", "Won't Do", "Cannot Reproduce")
LINK_TYPES = {
    "Duplicate": ("duplicates", "is duplicated by"),
    "Blocks": ("blocks", "is blocked by"),
    "Relates": ("relates to", "relates to"),
    "Cause": ("causes", "is caused by"),
}
TRANSITIONS = {
    "To Do": ("In Progress", "Done"),
    "In Progress": ("To Do", "In Review", "Done"),
    "In Review": ("In Progress", "Done"),
    "Done": ("To Do", "In Progress"),
}


def transition_id(status: str) -> str:
    """The id of the transition into a status, as Jira numbers them (11, 21, 31)."""
    return str(STATUSES.index(status) * 10 + 11)
