"""The most memory that this process has taken."""

import resource
import sys
from pathlib import Path


def peak_megabytes():
    """Return the peak of the resident memory of this program.

    ``ru_maxrss`` begins with what the parent process held when it started this one; on Linux,
    VmHWM is the figure of this program alone.
    """
    status = Path("/proc/self/status")
    if status.exists():
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        return int(line.split()[1]) / 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
