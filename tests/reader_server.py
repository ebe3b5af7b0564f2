"""Read files for the tests in a process of its own, which may crash, hang or run out of memory.

Each request is a line of JSON with a path and what to do with it. Each answer is a line with what
went wrong ("" if nothing did, or only what fuzzyrand refuses on purpose) and the most memory that
the process has taken so far, in megabytes.
"""

import json
import resource
import sys
import traceback
import warnings

import numpy as np

import fuzzyrand as fr
from fuzzyrand._files.column_choice import ReadingOptions
from fuzzyrand._files.filemaps import read_filemap
from fuzzyrand._files.readings import read_clusterings
from fuzzyrand._methods.stability.checkpoint import Checkpoint
from tests.memory import peak_megabytes

#: Settings of the checkpoints that are read.
SETTINGS = {"data": "abc", "share": 0.8}
#: Address space, which libraries reserve without using it: a last resort.
MOST = 12 << 30


def read(path, **options):
    """Read a clustering, and let the compiled loops follow what was read."""
    options = {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}
    (reading,) = read_clusterings([path], ReadingOptions(**options))
    partition = reading.partition
    assert np.isfinite(fr.similarity(partition, partition))
    str(reading)


def resume(path):
    """Open a checkpoint and check that it holds values."""
    with Checkpoint(path, SETTINGS) as store:
        assert all(not each.score > 2.0 for each in store.finished.values())


TASKS = {"read": read, "resume": resume, "filemap": read_filemap}


def serve():
    """Answer one request after another."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST, MOST))
    warnings.simplefilter("error")
    print("ready", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            TASKS[request.pop("task")](**request)
            fault = ""
        except fr.FuzzyRandError as error:
            fault = "" if str(error).strip() else "an error without a message"
        except (Exception, fr.SampledPairsWarning):
            fault = traceback.format_exc()
        print(json.dumps([fault, peak_megabytes()]), flush=True)


if __name__ == "__main__":
    serve()
