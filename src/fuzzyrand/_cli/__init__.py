"""The command line: one file for each command, and what they share."""

import sys

try:
    from .main import main
except KeyboardInterrupt:  # which main() reports as well, once it is there
    print("fuzzyrand: stopped.", file=sys.stderr)
    sys.exit(130)

__all__ = ["main"]
