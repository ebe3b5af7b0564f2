"""The study of the toy clusterings."""

import numpy as np
import pytest

import fuzzyrand as fr
from study import published, toy
from study.store import Store

pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("matplotlib")


def test_toy(tmp_path):
    page = toy.run(tmp_path / "toy")
    table = pq.read_table(page.parent / "toy.parquet").to_pydict()
    assert len(table["adjusted"]) == 40
    assert np.array(table["adjusted"]) == pytest.approx(np.array(table["published"]), abs=0.005)
    with Store(page.parent, "toy", {"fuzzyrand": fr.__version__}, ("comparison",)) as store:
        ranks = toy.rankings(store.table())
    for name in ("ndc", "sym", "flat"):
        assert tuple(ranks[name]) == published.TOY_RANKING[name]
    assert tuple(ranks["perm"]) == (3, 7, 1, 10, 6, 4, 2, 8, 9, 5)
    assert tuple(ranks["fit"]) == (3, 7, 10, 6, 2, 4, 8, 9, 5, 1)
    for name in ("toy-bars", "toy-triangles"):
        assert (page.parent / f"{name}.png").stat().st_size > 10_000
    assert "{" not in page.read_text()
