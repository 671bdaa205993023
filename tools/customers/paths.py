"""How the things of the register are called: `customers:corner-hall`, `customers:conversation/12`."""

from brownout.core.rows import Row

__all__ = ["path_of_account", "path_of_conversation"]


def path_of_account(account: Row) -> str:
    """`customers:corner-hall`."""
    return f"customers:{account.text('short')}"


def path_of_conversation(conversation: Row) -> str:
    """`customers:conversation/12`."""
    return f"customers:conversation/{conversation.number('id')}"
