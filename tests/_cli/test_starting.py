"""How the command begins: what it imports, and Ctrl-C while it does."""

import argparse
import signal
import subprocess
import sys
import threading
import time

import pytest

from fuzzyrand._cli.interrupts import Interrupts
from fuzzyrand._cli.main import COMMANDS, main, make_parser

from ..cli_process import COMMAND, ENVIRONMENT
from ..test_namespace import loaded, printed

CALL = """
from fuzzyrand._cli import main
try:
    main({arguments})
except SystemExit:
    pass
import sys
print("parsed")
"""


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)]
)
def test_help_loads_no_library(arguments):
    assert not {"numpy", "scipy", "numba", "tqdm"} & loaded(CALL.format(arguments=arguments))


def test_help_imports_no_file_of_a_command():
    files = [f"fuzzyrand._cli.{name}" for name in COMMANDS]
    script = CALL.format(arguments=["--help"])
    script += f"print(*(name for name in {files} if name in sys.modules), 'end')"
    assert printed(script)[-2:] == ["parsed", "end"]


def commands_of(parser):
    (action,) = (a for a in parser._actions if isinstance(a, argparse._SubParsersAction))
    return {choice.dest: choice.help for choice in action._choices_actions}


def test_the_short_parser_knows_what_the_whole_one_knows():
    whole = commands_of(make_parser())
    assert whole == COMMANDS
    for wanted in ("", *COMMANDS):
        assert commands_of(make_parser(wanted)) == whole


@pytest.mark.parametrize("delay", [0.1, 0.2, 0.4])
def test_interrupt_at_the_start(tmp_path, delay):
    """It reads from a pipe that does not end, so an interrupt cannot come too late."""
    with subprocess.Popen(
        [*COMMAND, "check", "-"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**ENVIRONMENT, "PYTHONWARNINGS": ""},  # of files that an interrupt left open
    ) as process:
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        out, err = (stream.read() for stream in (process.stdout, process.stderr))
    innermost = err.rpartition(b'File "')[2]
    if b"site" in err or b"fuzzyrand/__init__.py" in err or b"__main__.py" in innermost:
        pytest.skip("a machine too slow: Python itself was not there yet")
    assert (out, err) == (b"", b"fuzzyrand: stopped.\n")
    # Python ends by the signal itself if the interrupt came while C code ran Python code.
    assert process.returncode in (130, -signal.SIGINT)


@pytest.fixture
def _interruptible():
    """Ctrl-C arrives, also in a process that was started in the background, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("error", [KeyboardInterrupt, ImportError])
def test_interrupt_that_a_library_turns_into_another_error(monkeypatch, capsys, error):
    def interrupted(*_):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            raise error("numpy failed to import") from None

    monkeypatch.setattr(sys.modules[main.__module__], "_run", interrupted)
    assert main(["demo"]) == 130
    assert capsys.readouterr().err == "fuzzyrand: stopped.\n"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.usefixtures("_interruptible")
def test_interrupt_that_is_dropped_comes_again():
    class Dropping:
        def __del__(self):
            signal.raise_signal(signal.SIGINT)

    interrupts = Interrupts()
    with pytest.raises(KeyboardInterrupt), interrupts:  # noqa: PT012
        dropping = Dropping()
        del dropping
        for _ in range(1000):
            time.sleep(0.001)
    assert interrupts.seen


def test_commands_run_on_other_threads(capsys):
    codes = []
    thread = threading.Thread(target=lambda: codes.append(main(["check", "nothing.csv"])))
    thread.start()
    thread.join()
    assert codes == [1]
    assert "nothing.csv" in capsys.readouterr().err
