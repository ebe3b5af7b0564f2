"""Everything about many runs, put together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from scipy.stats import binomtest

from ..._base.types import FloatArray, IntArray
from ..._base.wording import Sentence
from ..._clusterings.matching.cluster_labels import labels_of
from ..._clusterings.noise_notes import noise_notes
from ..._clusterings.partition import Partition
from ..._clusterings.points.joined import Joined
from ...results.collected_notes import Noted, collected
from ...results.recurrence import Family, Mode, Recurrence, RunCluster
from .columns import Columns
from .consensus import Matched, consensus_of, match_runs
from .families import Relations, children_of, family_of, relate
from .firmness import point_firmness
from .shuffles import Chance, families_by_chance
from .sums import RunSums

#: Share of the runs with a family in which a core point belongs to it.
CORE = 0.9


def find_recurrence(
    joined: Joined,
    weights: FloatArray,
    alike: float,
    draws: int | None,
    rng: np.random.Generator,
) -> Recurrence:
    """Find families, modes, the consensus, and the firmness of points.

    Parameters
    ----------
    joined : Joined
        The runs.
    weights : array
        Weight of each point.
    alike : float
        Adjusted index from which two runs are alike.
    draws : int, optional
        Number of shuffles.
    rng : Generator
        Source of random numbers.
    """
    names, partitions = list(joined.partitions), list(joined.partitions.values())
    columns = Columns(partitions, joined.rows, joined.n, weights)
    columns.require_size()
    sums = RunSums.of(columns)
    sums.require_common_points(names)
    chance = families_by_chance(sums, draws, rng)
    found = _Families.of(sums)
    matched = _in_order(match_runs(sums, range(len(names))), found.family)
    consensus = consensus_of(columns, matched.places, matched.k, joined.ids)
    noted = [
        Noted(name, name, noise_notes([(repr(name), run)]))
        for name, run in joined.partitions.items()
    ]
    homes = found.homes
    return Recurrence(
        families=found.described(joined, chance, homes.core),
        modes=tuple(
            _mode(sums, joined, found.family, members)
            for members in alike_runs(sums.adjusted, alike)
        ),
        runs=tuple(names),
        clusters=tuple(found.clusters(names)),
        adjusted=sums.adjusted,
        likeness=_likeness(columns, consensus),
        home=homes.family,
        home_share=homes.share,
        ids=joined.points,
        sum_of_squares=matched.squares[-1],
        alike=alike,
        draws=chance.draws,
        consensus=consensus,
        run_sizes=tuple(run.n for run in partitions),
        present=columns.present,
        own_notes=(*_left_out(joined.unweighted), *collected(noted, len(noted), "runs")),
        points=point_firmness(sums),  # last, as it overwrites the sums
    )


def _left_out(points: int) -> Iterator[Sentence]:
    """Yield a note on points of weight 0, if there are any."""
    if points:
        yield Sentence.of(
            "{points:,} point{plural} of weight 0 {were} left out.",
            points=points,
            plural="s" * (points != 1),
            were="was" if points == 1 else "were",
        )


class _Homes(NamedTuple):
    """Core points of each family, and the family to which each point belongs most often."""

    core: list[IntArray]
    family: IntArray
    share: FloatArray


@dataclass(frozen=True, eq=False)
class _Families:
    """Families in their final order, and their clusters; empty clusters have the family −1."""

    sums: RunSums
    family: IntArray
    runs: IntArray
    sizes: FloatArray
    cluster_sizes: FloatArray

    @classmethod
    def of(cls, sums: RunSums) -> _Families:
        """Find families, the most frequent and then the largest first."""
        columns = sums.columns
        own = columns.groups[columns.run]
        sizes = sums.sums[np.arange(columns.size), own] / sums.weight[own, own] * columns.n
        family = family_of(sums.overlaps)
        family[sizes <= 0.0] = -1
        known = np.flatnonzero(family >= 0)
        _, family[known] = np.unique(family[known], return_inverse=True)
        count = int(family.max(initial=-1)) + 1
        members = np.unique(np.stack([family[known], columns.run[known]]), axis=1)
        runs = np.bincount(members[0], minlength=count)
        # Two clusters of one run in the same family are its parts there, and count together.
        totals = np.bincount(family[known], sizes[known], minlength=count) / np.maximum(runs, 1)
        order = np.lexsort((np.arange(count), -totals, -runs))
        rank = np.empty(count, dtype=np.intp)
        rank[order] = np.arange(count)
        family[known] = rank[family[known]]
        return cls(sums, family, runs[order], totals[order], sizes)

    @cached_property
    def relations(self) -> Relations:
        """Firmness of clusters, and how the families that recur lie within each other."""
        return relate(self.sums.overlaps, self.family, int(np.count_nonzero(self.runs > 1)))

    def clusters(self, names: list[str]) -> list[RunCluster]:
        """Return the clusters of all runs that are not empty."""
        columns = self.sums.columns
        labels = [label for run in columns.runs for label in labels_of(run)]
        firmness = self.relations.firmness.tolist()
        return [
            RunCluster(names[run], label, family, size, firm)
            for run, label, family, size, firm in zip(
                columns.run.tolist(),
                labels,
                self.family.tolist(),
                self.cluster_sizes.tolist(),
                firmness,
                strict=True,
            )
            if family >= 0
        ]

    @cached_property
    def homes(self) -> _Homes:
        """Core points, and the family of each point."""
        columns = self.sums.columns
        best, home = np.zeros(columns.n, dtype=np.intp), np.full(columns.n, -1)
        core: list[IntArray] = []
        order = np.argsort(self.family, kind="stable")
        order = order[np.searchsorted(self.family[order], 0) :]
        starts = np.cumsum(np.bincount(self.family[order], minlength=self.runs.size))[:-1]
        for number, members in enumerate(np.split(order, starts)):
            belongs, could = np.zeros((2, columns.n), dtype=np.intp)
            for run in np.unique(columns.run[members]).tolist():
                points = columns.rows[run]
                here = slice(None) if points is None else points
                mine = members[columns.run[members] == run] - columns.starts[run]
                belongs[here] += np.isin(columns.runs[run].rows.strongest, mine)
                could[here] += 1
            core.append(np.flatnonzero((belongs > 0) & (belongs >= CORE * could)))
            more = belongs > best
            best[more], home[more] = belongs[more], number
        return _Homes(core, home, best / np.maximum(columns.present, 1))

    def described(self, joined: Joined, chance: Chance, core: list[IntArray]) -> tuple[Family, ...]:
        """Describe the families."""
        columns, names, ids = self.sums.columns, list(joined.partitions), joined.points
        labels = [label for run in columns.runs for label in labels_of(run)]
        members: list[list[int]] = [[] for _ in self.runs]
        for cluster, number in enumerate(self.family.tolist()):
            if number >= 0:
                members[number].append(cluster)
        inside = self.relations.inside
        children = children_of(inside, self.sizes[: len(inside)])
        children += [()] * (len(members) - len(children))
        return tuple(
            Family(
                number=number,
                runs=runs,
                share=runs / len(names),
                interval=share_interval(runs, len(names)),
                members=[(names[columns.run[c]], labels[c]) for c in members[number]],
                size=float(self.sizes[number]),
                firmness=self._firmness(members[number]),
                core=[ids[point] for point in core[number].tolist()],
                children=children[number],
                splits_at=self._split(number, children[number]),
                expected=chance.expected(runs),
                stderr=chance.stderr(runs),
                pvalue=chance.pvalue(runs),
            )
            for number, runs in enumerate(self.runs.tolist())
        )

    def _firmness(self, members: list[int]) -> float:
        """Return the mean correlation over all pairs of clusters of different runs."""
        partners = self.relations.partners[members]
        if not partners.any():
            return float("nan")
        means = np.nan_to_num(self.relations.firmness[members])
        return float(partners @ means / partners.sum())

    def _split(self, number: int, children: tuple[int, ...]) -> int | None:
        """Return the smallest number of clusters of a run with two parts of a family.

        The parts are its children, and its own members where one part continues the family.
        """
        run = self.sums.columns.run
        occupied = np.bincount(run[self.family >= 0], minlength=len(self.sums.columns.runs))
        parts = np.zeros(occupied.size, dtype=np.intp)
        for part in (number, *children):
            parts[np.unique(run[self.family == part])] += 1
        split = occupied[parts > 1]
        return int(split.min()) if split.size else None


def share_interval(runs: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95% confidence interval of a share of runs."""
    found = binomtest(runs, total).proportion_ci(0.95, "wilson")
    return float(found.low), float(found.high)


def alike_runs(adjusted: FloatArray, alike: float) -> list[list[int]]:
    """Return groups of runs of which any two are alike, the largest group first.

    Groups come from complete linkage. Runs that differ only by rounding count as alike.
    """
    distances = squareform(np.maximum(1.0 - adjusted, 0.0), checks=False)
    groups = fcluster(linkage(distances, "complete"), 1.0 - alike + 1e-12, "distance")
    members = [np.flatnonzero(groups == group).tolist() for group in np.unique(groups)]
    return sorted(members, key=lambda runs: (-len(runs), runs[0]))


def _in_order(matched: Matched, family: IntArray) -> Matched:
    """Order the columns of a consensus by the families that they are mostly made of."""
    known = family >= 0
    counts = np.zeros((matched.k, int(family.max(initial=0)) + 1), dtype=np.intp)
    np.add.at(counts, (matched.places[known], family[known]), 1)
    order = np.lexsort((-counts.max(axis=1), counts.argmax(axis=1)))
    rank = np.empty(matched.k, dtype=np.intp)
    rank[order] = np.arange(matched.k)
    return Matched(rank[matched.places], matched.k, matched.squares)


def _mode(sums: RunSums, joined: Joined, family: IntArray, runs: list[int]) -> Mode:
    columns, names = sums.columns, list(joined.partitions)
    chosen = np.isin(columns.run, runs)
    matched = _in_order(match_runs(sums, runs), family[chosen])
    closest = int(sums.adjusted[np.ix_(runs, runs)].sum(axis=1).argmax())
    return Mode(
        runs=[names[run] for run in runs],
        share=len(runs) / len(names),
        medoid=names[runs[closest]],
        sum_of_squares=matched.squares[-1],
        compute=partial(consensus_of, columns.subset(runs), matched.places, matched.k, joined.ids),
    )


def _likeness(columns: Columns, consensus: Partition) -> FloatArray:
    """Return the adjusted index of each run with the consensus."""
    rows = np.flatnonzero(columns.present)
    places = None if rows.size == columns.n else rows
    out = np.empty(len(columns.runs))
    for number, run in enumerate(columns.runs):
        pair = Columns([run, consensus], [columns.rows[number], places], columns.n, columns.weights)
        out[number] = RunSums.of(pair).adjusted[0, 1]
    return out
