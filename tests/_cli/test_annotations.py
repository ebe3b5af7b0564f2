"""Several columns of one file, and the annotations of .h5ad files."""

import json

import numpy as np
import pandas as pd
import pytest

import fuzzyrand as fr

from ..cli_process import refused, run

RNG = np.random.default_rng(8)
OBS = pd.DataFrame(
    {
        "leiden": RNG.integers(3, size=30),
        "louvain": RNG.integers(4, size=30),
        "type": RNG.choice(list("abc"), 30),
    },
    index=[f"cell{i}" for i in range(30)],
)
KEYS = ["--labels", "leiden", "--labels", "louvain", "--labels", "type"]


@pytest.fixture
def here(tmp_path):
    OBS.to_csv(tmp_path / "obs.csv")
    return tmp_path


def test_columns_of_one_file(here):
    told = json.loads(run("pairwise", "obs.csv", *KEYS, "--json", cwd=here).out)
    assert told["rows"] == list(OBS)
    assert np.allclose(told["adjusted"], fr.pairwise(OBS).adjusted)
    piped = run("pairwise", "-", *KEYS, "--json", cwd=here, stdin=(here / "obs.csv").read_bytes())
    assert json.loads(piped.out)["adjusted"] == told["adjusted"]
    ended = run("align", "obs.csv", *KEYS, "--reference", "type", "--quiet", cwd=here)
    assert "in the order of type" in ended.out


def test_a_column_as_reference(here):
    ended = run("pairwise", "obs.csv", *KEYS, "--reference", "type", "--json", cwd=here)
    told = json.loads(ended.out)
    assert told["rows"] == ["type"]
    assert told["adjusted"][0][2] == 1.0


def test_the_same_file_twice_without_columns(here):
    assert "the same file is given twice" in refused(
        "pairwise", "obs.csv", "obs.csv", cwd=here, code=2
    )


def test_annotated_files(here):
    ad = pytest.importorskip("anndata", reason="anndata is not installed")
    topics = RNG.dirichlet([1, 1], size=30)
    ad.AnnData(np.zeros((30, 4)), obs=OBS.copy(), obsm={"topics": topics}).write_h5ad(
        here / "data.h5ad"
    )
    files = ["data.h5ad", "data.h5ad"]
    told = json.loads(run("compare", *files, "--obs", "type", "--obs", "topics", "--json",
                          cwd=here).out)  # fmt: skip
    assert told["adjusted"] == pytest.approx(fr.adjusted_similarity(OBS["type"], topics))
    told = json.loads(run("pairwise", "data.h5ad", "--obs", "leiden", "--obs", "topics", "--json",
                          cwd=here).out)  # fmt: skip
    assert told["rows"] == ["leiden", "topics"]
    message = refused("compare", *files, cwd=here)
    assert "--obs KEY names a column of obs (leiden, louvain, type)" in message
    assert "obsm (topics)" in message
    # Matched by the names of the points with other files.
    OBS.iloc[::-1].to_csv(here / "reversed.csv", columns=["type"])
    told = json.loads(run("compare", "data.h5ad", "reversed.csv", "--obs", "type", "--json",
                          cwd=here).out)  # fmt: skip
    assert told["adjusted"] == 1.0
    (here / "cut.h5ad").write_bytes((here / "data.h5ad").read_bytes()[:2000])
    assert "is not an AnnData file, or is damaged" in refused(
        "compare", "cut.h5ad", "data.h5ad", "--obs", "type", cwd=here
    )


def test_annotated_files_need_anndata(here):
    try:
        import anndata  # noqa: F401
    except ImportError:
        (here / "data.h5ad").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
        assert "pip install anndata" in refused("check", "data.h5ad", "--obs", "x", cwd=here)
