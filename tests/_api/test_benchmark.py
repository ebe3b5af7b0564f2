"""pairwise(reference=..., confidence=..., test=True): a table of methods against a truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

import fuzzyrand as fr
from fuzzyrand.report import pairwise_report
from fuzzyrand.results.numbers import shown_ends
from fuzzyrand.results.pairwise import false_discovery_rates

from ..cli_process import run

RNG = np.random.default_rng(2)
N = 120
TRUTH = RNG.integers(3, size=N)


def noisy(share):
    return np.where(RNG.random(N) < share, TRUTH, RNG.integers(3, size=N))


METHODS = {"good": noisy(0.9), "fair": noisy(0.7), "poor": noisy(0.3)}
RESULT = fr.pairwise(METHODS, reference=TRUTH, confidence=0.95, test=True, draws=99)


def test_one_row_a_pair():
    frame = RESULT.to_frame("long")
    assert list(frame) == ["first", "second", "value", "low", "high", "pvalue", "qvalue"]
    for row in frame.itertuples():
        interval = fr.confidence_interval(TRUTH, METHODS[row.second])
        assert (row.low, row.high) == pytest.approx((interval.low, interval.high), abs=1e-12)
        assert row.value == interval.adjusted
        assert row.pvalue == fr.significance(TRUTH, METHODS[row.second], draws=99).pvalue
    assert frame["qvalue"].tolist() == pytest.approx(RESULT.qvalues[0].tolist())


def test_differences_are_paired_by_points():
    frame = RESULT.to_frame("differences")
    assert len(frame) == 3
    for row in frame.itertuples():
        pair = METHODS[row.first], METHODS[row.second]
        interval = fr.confidence_interval(TRUTH, pair)
        assert (row.low, row.high) == pytest.approx((interval.low, interval.high), abs=1e-12)
        assert row.pvalue == pytest.approx(interval.pvalue)
        assert (row.pvalue < 0.05) == (row.low > 0.0 or row.high < 0.0)
    assert frame["qvalue"].tolist() == pytest.approx(false_discovery_control(frame["pvalue"]))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_q_values_are_those_of_scipy(pvalues):
    assert false_discovery_rates(pvalues) == pytest.approx(false_discovery_control(pvalues))
    with_gaps = false_discovery_rates([np.nan, *pvalues])
    assert np.isnan(with_gaps[0])
    assert with_gaps[1:] == pytest.approx(false_discovery_control(pvalues))


def test_equal_methods_do_not_differ():
    same = fr.pairwise(
        {"a": METHODS["good"], "b": METHODS["good"]}, reference=TRUTH, confidence=0.9
    )
    (difference,) = same.differences.values()
    assert difference.adjusted == 0.0
    assert np.isnan(difference.pvalue) or difference.pvalue == 1.0


def test_p_values_of_equally_good_methods():
    """Of 150 samples of two equally good methods, about 5% have a p-value below 0.05."""
    rng = np.random.default_rng(4)
    below = 0
    for _ in range(150):
        truth = rng.integers(3, size=150)
        pair = [np.where(rng.random(150) < 0.7, truth, rng.integers(3, size=150)) for _ in "ab"]
        below += fr.confidence_interval(truth, tuple(pair)).pvalue < 0.05
    assert 1 <= below <= 17  # 99.8% of a binomial law with 0.05 are below 17


def test_all_pairs_and_a_reference_among_them():
    every = fr.pairwise({"truth": TRUTH, **METHODS}, confidence=0.9)
    assert every.differences is None
    assert every["truth", "good"].adjusted == RESULT["reference", "good"].adjusted
    assert len(every.to_frame("long")) == 6
    with pytest.raises(fr.NotApplicableError, match=r"need reference and confidence"):
        every.to_frame("differences")
    among = fr.pairwise({"truth": TRUTH, **METHODS}, reference="truth", confidence=0.9)
    assert set(among.to_frame("long")["second"]) == set(METHODS)
    assert len(among.differences) == 3


def test_fuzzy_truth_with_hard_and_fuzzy_methods_of_many_points():
    """The same points have to be used for all, although fewer are for two fuzzy clusterings."""
    n = 3500
    soft = [RNG.dirichlet([0.3, 0.3], size=n) for _ in "ab"]
    interval = fr.confidence_interval(
        soft[0], (soft[0].argmax(axis=1), soft[1]), effort=fr.Effort(pairs=20_000)
    )
    assert interval.pvalue < 1e-6


def test_other_maxima_and_models():
    soft = RNG.dirichlet([1, 1, 1], size=N)
    result = fr.pairwise(
        {"a": soft, "b": METHODS["good"]},
        reference=TRUTH,
        index="brouwer",
        maximum="self",
        confidence=0.95,
    )
    plain = fr.confidence_interval(TRUTH, soft, index="brouwer")
    assert result.intervals["reference", "a"].low == pytest.approx(plain.low, abs=1e-12)
    with pytest.raises(fr.NotApplicableError, match="no confidence intervals under 'all'"):
        fr.pairwise(METHODS, model="all", confidence=0.95)
    with pytest.raises(fr.ParameterError, match=r"confidence must lie between 0\.01"):
        fr.pairwise(METHODS, confidence=95)


def test_printed_reported_and_as_json():
    assert "95% CI" in str(RESULT)
    assert "Differences (95% CI, paired by points" in str(RESULT)
    assert len(RESULT.to_dict()["differences"]) == 3
    assert RESULT.to_dict()["long"][0]["second"] == "good"
    page = pairwise_report(RESULT, command="x")
    assert "Which agrees more with" in page


def test_ends_near_0_show_enough_digits():
    assert shown_ends(0.0002, 0.032) == ("0.0002", "0.0320")
    assert shown_ends(0.0, 0.5) == ("0.000", "0.500")
    assert shown_ends(-0.0, 1e-9) == ("0.000000", "0.000000")


def test_command(tmp_path):
    np.save(tmp_path / "truth.npy", TRUTH)
    for name, labels in METHODS.items():
        np.save(tmp_path / f"{name}.npy", labels)
    files = [f"{name}.npy" for name in METHODS]
    ended = run("pairwise", *files, "--reference", "truth.npy", "--confidence", "--csv", "--quiet",
                cwd=tmp_path)  # fmt: skip
    header, *rows = ended.out.splitlines()
    assert header == "first,second,value,low,high,pvalue,qvalue"
    assert [row.split(",")[1] for row in rows] == list(METHODS)
    ended = run("pairwise", *files, "--reference", "truth.npy", "--confidence", "0.9", "--quiet",
                cwd=tmp_path)  # fmt: skip
    assert "90% CI" in ended.out
