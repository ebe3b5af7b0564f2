"""An interactive shell on its own terminal, to see how Tab completes a line."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

from .cli_process import ENVIRONMENT

#: Seconds that an answer may take on a busy machine.
PATIENCE = 60.0
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set show-all-if-ambiguous on'"),
    "zsh": (["zsh", "-f", "-i"], "unsetopt list_ambiguous; autoload -U compinit; compinit -D -u"),
}
#: Control sequences for movements and colours.
CONTROL = re.compile(r"\x1b(\[[0-9;?]*[A-Za-z]|[=>])|\r|\x07")


class Terminal:
    """A shell that completes ``fuzzyrand``, for use in a ``with`` block."""

    def __init__(self, shell, folder):
        command, setup = START[shell]
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        self._process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={**ENVIRONMENT, "TERM": "xterm", "HOME": str(folder), "LC_ALL": "C"},
            start_new_session=True,
        )
        os.close(theirs)
        # The completed line is run, which marks its end. The quotes distinguish the marks that are
        # printed from the typed text, which the terminal shows as well.
        self.press(
            f'{setup}; eval "$(command fuzzyrand completion {shell})"; '
            "fuzzyrand() { echo; echo '<r''an>'\"$*\"'<e''nd>'; }; fuzzyrand\r"
        )

    def press(self, keys):
        """Type keys; return the words shown before the line is run, and those of the line."""
        os.write(self._ours, keys.encode())
        shown, end = "", time.monotonic() + PATIENCE
        while "<end>" not in shown:
            ready, _, _ = select.select([self._ours], [], [], max(end - time.monotonic(), 0.0))
            assert ready, f"the shell does not answer: {shown!r}"
            shown += os.read(self._ours, 1 << 16).decode()
        shown, _, ran = CONTROL.sub(" ", shown).partition("<end>")[0].partition("<ran>")
        return shown.split(), ran.split()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._ours)  # this ends the shell
        self._process.wait(PATIENCE)
