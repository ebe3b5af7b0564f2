"""The command line: one file for each command, and what they share."""

from .main import main

__all__ = ["main"]
