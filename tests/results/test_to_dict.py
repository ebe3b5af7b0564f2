"""Every result as plain Python values."""

import json
from dataclasses import replace

import numpy as np
import pytest

import fuzzyrand as fr
from fuzzyrand.indices.registry import INDICES
from fuzzyrand.models.registry import MODELS

RNG = np.random.default_rng(0)
SOFT, SOFTER = RNG.dirichlet([1, 2, 3], 24), RNG.dirichlet([2, 2], 24)
HARD, HARDER = RNG.integers(3, size=24), RNG.integers(2, size=24)


def unplain(value, path=""):
    """Where values are of other types than those of JSON; a NumPy float is a float, but no bool."""
    if isinstance(value, dict):
        return [p for key, item in value.items() for p in unplain(item, f"{path}.{key}")]
    if isinstance(value, list | tuple):
        return [p for i, item in enumerate(value) for p in unplain(item, f"{path}[{i}]")]
    return [] if type(value) in (int, float, str, bool, type(None)) else [path]


def require_plain(result):
    found = result.to_dict()
    assert unplain(found) == []
    assert json.loads(json.dumps(found, allow_nan=False)).keys() == found.keys()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("index", INDICES)
def test_comparisons(model, index):
    compared = 0
    for first, second in ((SOFT, SOFTER), (HARD, HARDER), (SOFT, HARD)):
        try:
            comparison = fr.compare(first, second, model=model, index=index, tol=0.05)
        except fr.NotApplicableError:
            continue
        compared += 1
        if index != "ndc":  # notes are found in the same way for every index
            comparison.__dict__["data_notes"] = ()
        require_plain(comparison)
    no_value = index in ("frobenius", "omega") or (
        INDICES[index].hard_only and MODELS[model].draws_fuzzy
    )
    # Random clusterings of any number of clusters hold more information than these.
    no_value |= model == "all" and index in ("mi", "homogeneity", "completeness")
    assert compared or no_value


@pytest.mark.parametrize("model", MODELS)
def test_checks(model):
    require_plain(fr.check_model(HARD, model))
    if not MODELS[model].hard_only:
        require_plain(fr.check_model(SOFT, model))


def test_tables_and_matrices():
    require_plain(fr.compare(SOFT, SOFTER, model="every", tol=0.05))
    for index in ("ndc", "brouwer"):
        require_plain(fr.pairwise([SOFT, SOFTER, HARD], model="empirical", index=index))


def test_numbers_that_are_not_finite():
    """Every number of every result may be infinite or missing, as far as JSON is concerned."""
    interval = fr.confidence_interval(HARD, HARDER, model="perm")
    comparison = fr.compare(SOFT, SOFTER, model="perm")
    explanation = fr.explain(HARD, SOFT, model="perm")
    runs = fr.pairwise([SOFT, SOFTER, HARD], model="perm", test=True)
    results = [
        (interval, "low", "high", "stderr"),
        (comparison, "error_bound", "stderr"),
        (fr.significance(HARD, HARDER), "z", "pvalue_approx"),
        (fr.check_model(SOFT, "fit"), "distance"),
        (explanation, "hardened"),
        (explanation.wallace.first, "adjusted", "stderr"),
        (explanation.worst()[0], "score", "stderr"),
    ]
    for result, *names in results:
        for number in (np.inf, -np.inf, np.nan):
            changed = replace(result, **dict.fromkeys(names, number))
            require_plain(changed)
            assert not {changed.to_dict()[name] for name in names} - {None}
    infinite = replace(comparison, error_bound=np.inf)
    require_plain(replace(runs, comparisons=((infinite,) * 3,) * 3))
    assert fr.ComparisonTable([infinite]).to_dict()["comparisons"][0]["error_bound"] is None
