"""Files that are too large for memory, which dask reads a block at a time."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .._base.errors import MissingExtraError, ParameterError
from .._base.wording import Option
from .commands import whole
from .input_files import reading_options, tell_readings

if TYPE_CHECKING:
    from .._files.dask_files import DaskReading

#: Options that are refused for files that are read a block at a time, and why.
WHOLE_FILES = {
    "id": "points cannot be matched by ids",
    "names": "points cannot be matched by names",
    "common": "points cannot be matched by ids",
    "test": "points cannot be shuffled",
    "confidence": "there are no intervals",
    "weights": "points with weights are read as a whole",
    "html": "there is no report",
    "interactive": "there is no page to explore",
    "xy": "there is no page to explore",
    "max_size": "there is no limit, as blocks are small",
}


def add_dask(parser: argparse.ArgumentParser) -> None:
    """Add the options for files that are too large for memory."""
    group = parser.add_argument_group("large files")
    group.add_argument(
        "--dask",
        action="store_true",
        help="read Parquet, NPY or Zarr a block at a time, by dask; points are matched by order",
    )
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="let a dask cluster read and count: the address of its scheduler, "
        "such as tcp://10.0.0.1:8786",
    )
    group.add_argument(
        "--pairs",
        type=_pairs,
        default="auto",
        metavar="NUMBER",
        help="with --dask and two fuzzy clusterings: visit all pairs of points, or sample this "
        "many (auto)",
    )


def _pairs(text: str) -> str | int:
    return text if text in ("auto", "all") else whole(text)


def open_with_dask(arguments: argparse.Namespace, paths: Sequence[str]) -> list[DaskReading]:
    """Open files that are read a block at a time, and report how they are read."""
    from .._files.dask_files import open_with_dask as opened  # Deferred: NumPy, as elsewhere.

    for name, why in WHOLE_FILES.items():
        if getattr(arguments, name) not in (None, False, []):
            raise ParameterError(
                "{parameter} needs whole files: with {dask}, {why}. Leave it out, or compare a "
                "sample of the points without {dask}.",
                parameter=Option(name),
                dask=Option("dask", True),
                why=why,
            )
    readings = opened(paths, reading_options(arguments))
    tell_readings(arguments, readings)
    return readings


def use_single_blas_threads() -> None:
    """Let each dask thread multiply matrices on a single thread, as workers of a cluster do.

    Threads of the linear algebra inside threads of dask wait for each other most of the time. Their
    number is fixed when NumPy is first imported, so this must come before.
    """
    for library in ("OPENBLAS", "OMP", "MKL"):
        os.environ.setdefault(f"{library}_NUM_THREADS", "1")


@contextmanager
def scheduler(arguments: argparse.Namespace) -> Iterator[None]:
    """Connect to a cluster while a block runs, if one is given; else dask runs on this machine."""
    if not arguments.scheduler:
        yield
        return
    try:
        from distributed import Client  # Deferred: an extra.
    except ImportError:
        raise MissingExtraError(
            '{parameter} needs dask.distributed: pip install "fuzzyrand[dask]".',
            parameter=Option("scheduler"),
        ) from None
    try:
        client = Client(arguments.scheduler, timeout="10s")
    except (OSError, ValueError) as error:
        raise ParameterError(
            "no dask scheduler answers at {value}: {reason}. Start one with dask scheduler, and "
            "give the address that it prints, such as tcp://10.0.0.1:8786.",
            parameter=Option("scheduler"),
            value=arguments.scheduler,
            reason=str(error).splitlines()[0] if str(error) else type(error).__name__,
        ) from None
    with client:
        yield
