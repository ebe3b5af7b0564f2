"""Every result writes its page, with or without names, and after it was pickled."""

import pickle

import numpy as np
import pytest

import fuzzyrand as fr

from ..reports import Outline

FIRST, SECOND = list("aaabbbccc"), list("xxyyyyzzx")
SOFT = np.random.default_rng(0).dirichlet([1.0, 2.0], 9)
X = np.random.default_rng(1).normal(size=60)


def halves(k, x):
    return np.argsort(np.argsort(x)) * k // x.size


MAKERS = {
    "Comparison": lambda: fr.compare(FIRST, SECOND),
    "ComparisonTable": lambda: fr.compare(FIRST, SOFT, model="every"),
    "Explanation": lambda: fr.explain(FIRST, SOFT),
    "Significance": lambda: fr.significance(FIRST, SECOND),
    "ConfidenceInterval": lambda: fr.confidence_interval(FIRST, SECOND),
    "ModelCheck": lambda: fr.check_model(SOFT),
    "Matching": lambda: fr.match(FIRST, SECOND),
    "Alignment": lambda: fr.align({"one": FIRST, "two": SECOND}),
    "Pairwise": lambda: fr.pairwise({"one": FIRST, "two": SECOND}),
    "Recurrence": lambda: fr.recurrence([FIRST, SECOND]),
    "Stability": lambda: fr.stability(halves, X, [2, 3], repeats=3),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_every_result_writes_its_page(kind, tmp_path):
    result = MAKERS[kind]()
    assert type(result).__name__ == kind
    path = tmp_path / "page.html"
    result.report(path)
    page = path.read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert "Do it again" not in page
    assert "<img" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")
    result.report(str(path), command="fuzzyrand <again>")
    again = path.read_text(encoding="utf-8")
    assert "fuzzyrand &lt;again&gt;" in again
    assert again != page
    result.report(path)
    assert path.read_text(encoding="utf-8") == page


@pytest.mark.parametrize("kind", MAKERS)
def test_a_pickled_result_has_a_page(kind, tmp_path):
    result = pickle.loads(pickle.dumps(MAKERS[kind]()))
    result.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8").endswith("</html>\n")


@pytest.mark.parametrize("kind", ["Significance", "Matching"])
def test_a_page_says_what_print_shows(kind, tmp_path):
    result = MAKERS[kind]()
    result.report(tmp_path / "page.html")
    assert str(result) in Outline((tmp_path / "page.html").read_text(encoding="utf-8")).text


def test_names_are_shown(tmp_path):
    for kind in ("Comparison", "ComparisonTable", "Explanation"):
        MAKERS[kind]().report(tmp_path / "page.html", names=("wine", "k-means"))
        assert "k-means" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_blocks_have_no_page(tmp_path):
    da = pytest.importorskip("dask.array", reason="no dask here for clusterings in blocks")
    labels = da.from_array(np.arange(40) % 3, chunks=10)
    result = fr.compare(labels, da.from_array(np.arange(40) % 4, chunks=10))
    for interactive in (False, True):
        with pytest.raises(fr.NotApplicableError, match="Compare a sample of the points"):
            result.report(tmp_path / "page.html", interactive=interactive)
