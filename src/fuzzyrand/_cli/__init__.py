"""The command line: one file for each command, and shared code."""

import sys

try:
    from .main import main
except KeyboardInterrupt:  # main() reports it as well, once it is imported
    print("fuzzyrand: stopped.", file=sys.stderr)
    sys.exit(130)

__all__ = ["main"]
