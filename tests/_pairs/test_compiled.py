"""The compiled loops: specialised for what is compared, and announced while they are compiled."""

import subprocess
import sys

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand._base import compiling
from fuzzyrand._clusterings.partition import as_partition
from fuzzyrand._pairs import compiled, plain
from fuzzyrand._pairs.bins import NO_GRID, grid_for
from fuzzyrand.indices import INDICES, NDC, as_index

from .._base.test_progress import watch

RNG = np.random.default_rng(0)
N = 300
FUZZY = RNG.dirichlet(np.ones(7), N)
SIDES = {
    "hard": as_partition(FUZZY.argmax(axis=1)),
    "fuzzy": as_partition(FUZZY),
    "sparse": as_partition(np.where(FUZZY > 0.1, FUZZY, 0.0), normalize=True),
    "possibilistic": as_partition(RNG.random((N, 3)), possibilistic=True),
}
#: Two sides, the index and whether agreements are counted in bins; few, as each kind is compiled.
VISITS = [
    ("fuzzy", "sparse", "ndc", False),
    ("fuzzy", "sparse", "ndc", True),
    ("hard", "fuzzy", "ndc", True),
    ("sparse", "hard", "ndc", False),
    ("fuzzy", None, "ndc", True),
    ("possibilistic", "fuzzy", "ndc", True),
    ("hard", "possibilistic", "ndc", False),
    ("fuzzy", "sparse", "belief", True),
    ("hard", "fuzzy", "belief", False),
    ("fuzzy", "sparse", "jousselme", True),
    ("fuzzy", "sparse", NDC(p=3, q=1.5), False),
    ("sparse", "hard", NDC(p=float("inf"), q=2), False),
]


@pytest.mark.parametrize(("first", "second", "index", "binned"), VISITS)
def test_pairs_are_visited_as_by_numpy(first, second, index, binned):
    one, other = SIDES[first], None if second is None else SIDES[second]
    agreement, concordance = as_index(index).agreement, as_index(index).concordance
    order = RNG.permutation(N)
    grids = tuple(
        grid_for(side, agreement) if binned and side is not None else NO_GRID
        for side in (one, other)
    )
    visit = compiled.visitor(one, other, agreement, concordance.power, order, grids)
    by_numpy = plain.visitor(one, other, agreement, concordance, order, grids)
    for rows in ((0, 100), (100, 257), (257, N)):
        total, *bins = visit(rows)
        expected, *expected_bins = by_numpy(rows)
        assert total == pytest.approx(expected, rel=1e-13, abs=1e-12)
        for mine, theirs in zip(bins, expected_bins, strict=True):
            assert mine.shape == theirs.shape
            assert mine[0].sum() == theirs[0].sum()
            # An agreement on the edge of a bin may fall on either side of it.
            assert np.abs(np.cumsum(mine[0] - theirs[0])).max(initial=0.0) <= 2


@pytest.mark.parametrize("first", SIDES)
def test_kept_agreements_are_those_of_numpy(first):
    agreement = INDICES["ndc"].agreement
    kept = compiled.pair_agreements(SIDES[first], agreement)
    np.testing.assert_allclose(kept, plain.pair_agreements(SIDES[first], agreement), atol=1e-14)


def test_compiling_is_said_once_on_a_terminal(monkeypatch):
    screen = watch(monkeypatch)
    listener = compiling._Compilations()
    listener.on_start(None)
    listener.on_start(None)  # of a function that the first one calls
    listener.on_end(None)
    assert screen.shown() == "\rcompiling, which is done once ..."
    listener.on_end(None)
    assert screen.shown().strip("\r ") == ""


def test_compiling_is_not_said_elsewhere(capsys):
    listener = compiling._Compilations()
    listener.on_start(None)
    listener.on_end(None)
    assert capsys.readouterr().err == ""
    assert not sys.stderr.isatty()


@pytest.mark.slow
def test_loops_are_compiled_where_nothing_can_be_kept(tmp_path):
    """Numba refuses to cache where no folder can be written, as in a read-only container."""
    script = """
import numba, numpy as np
compile = numba.njit
def refuse(*arguments, **options):
    if options.get("cache"):
        raise RuntimeError("cannot cache function: no locator available")
    return compile(*arguments, **options)
numba.njit = refuse
import fuzzyrand as fr
rng = np.random.default_rng(0)
print(repr(fr.similarity(rng.dirichlet([1, 1], 3000), rng.dirichlet([1, 1], 3000))))
"""
    ended = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    rng = np.random.default_rng(0)
    here = fr.similarity(rng.dirichlet([1, 1], 3000), rng.dirichlet([1, 1], 3000))
    assert float(ended.stdout) == pytest.approx(here, abs=1e-13)
