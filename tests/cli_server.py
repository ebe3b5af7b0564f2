"""Run commands for the tests: import the package once, then fork a process for each command.

Each request is a line of JSON, and each answer an exit code. Starting Python and importing
everything would take longer than most of the commands that are tested.
"""

import json
import os
import sys
import warnings

import fuzzyrand.report.rendering  # noqa: F401
from fuzzyrand._api import catalogue, check_model, compare, pairwise  # noqa: F401
from fuzzyrand._cli import check, demo, input_files, models, study  # noqa: F401
from fuzzyrand._cli.main import main
from fuzzyrand._files import files, readings, text_files  # noqa: F401


def become(request):
    """Turn this process into the one that runs the command."""
    os.chdir(request["cwd"])
    for number, name, how in ((0, "stdin", "rb"), (1, "stdout", "wb"), (2, "stderr", "wb")):
        with open(request[name], how) as file:
            os.dup2(file.fileno(), number)
    sys.stdin = open(0, closefd=False)  # noqa: SIM115
    sys.exit(main(request["arguments"]))


def serve():
    """Run one command after another."""
    for line in sys.stdin:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python 3.12 warns about idle threads of OpenBLAS
            process = os.fork()
        if process == 0:
            become(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
