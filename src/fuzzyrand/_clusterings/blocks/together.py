"""Read clusterings in blocks of the same points together, in one pass over all blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._base.errors import NotApplicableError
from ..._base.estimate import FINEST
from ..._base.wording import Option
from ..cluster_names import ClusterNames
from ..noise import treat_noise
from ..options import InputOptions
from ..partition import Partition
from ..reading.arraylike import require_points
from ..rows import DenseRows, LabelRows
from .block_reading import LabelReader, OneHotReader, RowReader, as_given
from .blocked_rows import BlockedLabels, BlockedMemberships
from .source import BlockSource, BlockTask, Chunk, Reader, SideReader
from .surveys import AtOnce, LabelSummary, LabelSurvey, RowSummary, RowSurvey, Take

#: Most rows, and most entries, of the pilot sample of each clustering.
PILOT_ROWS, PILOT_ENTRIES = 1 << 14, 1 << 22


@dataclass(frozen=True, eq=False)
class BlockedForm:
    """Description of a clustering in blocks before it is read.

    Attributes
    ----------
    name : str
        Name in messages, as in "first clustering".
    columns : int or None
        Number of columns of memberships; None for labels.
    titles : tuple of str, optional
        Names of the columns.
    labels : sequence of str, optional
        Names of the clusters, if the labels are codes of a clustering that was read before.
    k : int, optional
        Number of clusters, if it is known in advance.
    """

    name: str
    columns: int | None
    titles: tuple[str, ...] | None = None
    labels: Sequence[str] | None = None
    k: int | None = None


def read_blocks(
    source: BlockSource, forms: Sequence[BlockedForm], options: InputOptions
) -> list[Partition]:
    """Check the clusterings of a source in one pass, and return them.

    Parameters
    ----------
    source : BlockSource
        The blocks; it holds the clusterings in the order of ``forms``.
    forms : sequence of BlockedForm
        Descriptions of the clusterings.
    options : InputOptions
        How they are read.
    """
    refuse_options(options)
    for form in forms:
        require_points(source.n, form.name, form.columns)
    surveys: list[tuple[BlockTask[Any], tuple[int, ...]]] = [
        (_survey(form, options), (side,)) for side, form in enumerate(forms)
    ]
    pilot = Take.rows(_pilot_rows(source.n, forms), source.starts)
    everything = AtOnce((*surveys, (pilot, tuple(range(len(forms))))))
    asked = [SideReader(side, as_given) for side in range(len(forms))]
    *partials, taken = source.fold(everything, asked, "first look")
    for partial in partials:
        if partial.fault is not None:
            raise partial.fault
    samples = Take.in_order(taken)
    partitions = [
        _partition(source, side, form, partial, sample, options)
        for side, (form, partial, sample) in enumerate(zip(forms, partials, samples, strict=True))
    ]
    return treat_noise(partitions, options, [form.name for form in forms])


def refuse_options(options: InputOptions) -> None:
    """Refuse options that cannot be applied block by block."""
    refused = [
        Option("possibilistic", True) if options.possibilistic else None,
        Option("missing", options.missing) if options.missing is not None else None,
        Option("noise_as", options.noise_as) if options.noise_as != "cluster" else None,
    ]
    for option in refused:
        if option is not None:
            raise NotApplicableError(
                "{parameter} is not available for clusterings in blocks (dask). Treat such points "
                "before the comparison, in both clusterings: x[keep], y[keep] with a mask of the "
                "points that stay; or compare a sample of the points in memory.",
                parameter=option,
            )


def _survey(form: BlockedForm, options: InputOptions) -> BlockTask[Any]:
    if form.columns is None:
        return LabelSurvey(form.name)
    return RowSurvey(form.name, options, form.titles, FINEST)


def _pilot_rows(n: int, forms: Sequence[BlockedForm]) -> Any:
    widest = max(form.columns or 1 for form in forms)
    size = min(n, PILOT_ROWS, max(PILOT_ENTRIES // widest, 256))
    # The seed is fixed: these rows only place bins, and stand in for all rows in notes and checks.
    return np.sort(np.random.default_rng(0).choice(n, size, replace=False)).astype(np.intp)


def _partition(
    source: BlockSource,
    side: int,
    form: BlockedForm,
    partial: LabelSummary | RowSummary,
    sample: Chunk,
    options: InputOptions,
) -> Partition:
    if isinstance(partial, LabelSummary):
        labels = _sorted(partial.counts)
        counts = np.array([partial.counts[label] for label in labels], dtype=np.int64)
        names: Sequence[str] = ClusterNames(labels)
        if form.labels is not None:
            names = ClusterNames([form.labels[label] for label in labels])
        return _hard(source, side, LabelReader(form.name, tuple(labels)), counts, names, sample)
    names_of_columns = None if form.titles is None else ClusterNames(form.titles)
    rows = RowReader(form.name, options, form.titles)
    if partial.hard:
        counts = partial.positive.astype(np.int64)
        return _hard(source, side, OneHotReader(rows), counts, names_of_columns, sample)
    pilot = DenseRows(rows(sample, 0))
    blocked = BlockedMemberships(source, SideReader(side, rows), partial, pilot)
    return Partition(blocked, names=names_of_columns)


def _hard(
    source: BlockSource,
    side: int,
    read: Reader,
    counts: Any,
    names: Sequence[str] | None,
    sample: Chunk,
) -> Partition:
    pilot = LabelRows(read(sample, 0), int(counts.size))
    labels = BlockedLabels(source, SideReader(side, read), counts, pilot)
    return Partition(labels, names=names)


def _sorted(labels: dict[Any, int]) -> list[Any]:
    """Return labels in increasing order, or in their given order if they cannot be sorted."""
    try:
        return sorted(labels)
    except TypeError:
        return list(labels)
