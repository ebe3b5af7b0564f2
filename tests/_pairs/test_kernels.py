"""The compiled pass over all pairs, held to the definition."""

import subprocess
import sys

import numpy as np
import pytest

import fuzzyrand as fr

from .. import brute

#: Sends even small problems through the compiled pass over all pairs.
VISIT = fr.Effort(budget=fr.Budget(kept_pairs=0))


def _modules_after(code):
    script = f"import sys, numpy as np, fuzzyrand as fr; {code}; print('numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return run.stdout.strip()


@pytest.mark.slow
def test_numba_is_not_imported_before_it_is_needed():
    many = "u = np.random.default_rng(0).dirichlet(np.ones(4), 5000); y = u.argmax(1); "
    assert _modules_after("pass") == "False"
    assert _modules_after(many + "fr.compare(y, y[::-1], model='every')") == "False"
    assert _modules_after(many + "fr.compare(y, u, model='every')") == "False"
    assert _modules_after(many + "fr.similarity(u, u[::-1])") == "True"


@pytest.mark.parametrize("seed", range(10))
def test_the_compiled_dot_product_is_the_definition(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 40)), int(rng.integers(2, 12))
    u, v = (rng.dirichlet(np.full(k, 0.3), n) for _ in range(2))
    v[rng.random((n, k)) < 0.3] = 0.0
    v[:, 0] += 1e-9
    v /= v.sum(axis=1, keepdims=True)
    c = fr.compare(u, v, index="belief", model="perm", effort=VISIT)
    assert c.observed == pytest.approx(brute.index_by_name("belief", u, v), abs=1e-12)
    exact = brute.expected_perm_by_name("belief", u, v)
    assert c.expected == pytest.approx(exact, abs=c.error_bound + 1e-12)
    assert c.error_bound < 1e-8


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("possibilistic", [False, True])
def test_the_compiled_pass_is_the_definition(seed, possibilistic):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 40)), int(rng.integers(2, 14))
    u, v = (_some_memberships(rng, n, k, possibilistic) for _ in range(2))
    p, q = rng.choice([1.0, 1.0, 2.0, 3.0, np.inf]), rng.choice([1.0, 1.0, 2.0, 1.5])
    options = {"possibilistic": possibilistic, "effort": VISIT}
    c = fr.compare(u, v, index=fr.NDC(p, q), model="perm", **options)
    assert c.observed == pytest.approx(brute.index(u, v, p, q), abs=1e-12)
    assert c.expected == pytest.approx(brute.expected_perm(u, v, p, q), abs=c.error_bound + 1e-12)
    # Powers between 1 and 2 are read off a table of 2^15 cells, which errs by width^q at most.
    assert c.error_bound < (1e-8 if q in (1.0, 2.0) else 1e-5)


def _some_memberships(rng, n, k, possibilistic):
    x = rng.standard_gamma(rng.choice([0.1, 1.0]), size=(n, k)) + 1e-30
    x[rng.random((n, k)) < rng.choice([0.0, 0.5])] = 0.0
    x[x.sum(axis=1) == 0.0, 0] = 1.0
    if possibilistic:
        return np.minimum(x, 1.0)
    one_hot = rng.random(n) < rng.choice([0.0, 0.5])
    x[one_hot] = np.eye(k)[rng.integers(k, size=one_hot.sum())]
    return x / x.sum(axis=1, keepdims=True)
