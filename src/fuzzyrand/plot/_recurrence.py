"""x."""


def recurrence(result, ax=None):
    """x."""
