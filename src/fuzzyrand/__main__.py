"""Entry point of ``python -m fuzzyrand``: the command line, or the demo if no command is given."""

import sys

from ._cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["demo"]))
