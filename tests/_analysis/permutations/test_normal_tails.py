"""How often z is large by chance: the table of docs/guide/certainty.md."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

PAGE = Path(__file__).parents[3] / "docs" / "guide" / "certainty.md"
#: Sizes of the clusters on both sides, and how the page calls them.
SIZES = {
    "two halves of 200 points": [100, 100],
    "90% and 10% of 200 points": [180, 20],
    "4 equal clusters of 200 points": [50] * 4,
    "8 equal clusters of 400 points": [50] * 8,
    "20 equal clusters of 400 points": [20] * 20,
}
#: z that a normal variable exceeds with a probability of 5%, 1% and 0.13%.
Z = (1.6449, 2.3263, 3.0)
DRAWS = 20_000


@pytest.mark.parametrize("name", SIZES)
def test_the_page_says_how_often_z_is_large(name):
    sizes = SIZES[name]
    tables = stats.random_table(sizes, sizes).rvs(DRAWS, random_state=np.random.default_rng(1))
    together = (tables.astype(float) ** 2).sum(axis=(1, 2))  # the index is linear in it
    z = (together - together.mean()) / together.std()
    (row,) = (line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {name}"))
    told = [float(cell.strip(" %")) / 100.0 for cell in row.split("|")[2:5]]
    for share, limit in zip(told, Z, strict=True):
        noise = np.sqrt(share * (1.0 - share) * (1.0 / DRAWS + 1.0 / 40_000))
        assert (z > limit).mean() == pytest.approx(share, abs=4.0 * noise + 5e-4)
