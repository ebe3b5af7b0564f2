"""
Fuzzy c-means and its fuzzifier
===============================

*Two runs of fuzzy c-means with different m agree only a little better than chance. Did they find
different clusters?*

The fuzzifier m of fuzzy c-means sets how soft the memberships are: close to 1 they are almost hard,
and for large m all of them approach 1/k. Two runs with different m can disagree although they found
the same clusters. fuzzyrand distinguishes a difference in fuzziness from one in structure. The data
are 150 iris flowers of three species.
"""

# %%
# The memberships
# ---------------
# Two packages are common, and their matrices have different orientations.
#
# - scikit-fuzzy 0.5.0 runs with NumPy 2 and Python 3.11 to 3.13. It takes features × points and
#   returns **clusters × points**: transpose both. It needs ``packaging``, which it does not
#   install: ``pip install scikit-fuzzy packaging``.
# - fuzzy-c-means 2.3.1 returns points × clusters, and nothing is transposed. It requires NumPy
#   below 2, so pip cannot install it alongside NumPy 2. Installed with ``--no-deps``, it ran with
#   NumPy 2 when this was written: ``model = FCM(n_clusters=3, m=2.0, random_state=0)``,
#   ``model.fit(X)``, ``model.u``.

from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from skfuzzy.cluster import cmeans
from sklearn.datasets import load_iris

import fuzzyrand as fr

iris = load_iris()
species = iris.target_names[iris.target]


def memberships(m):
    """Cluster the flowers; points in rows, clusters in columns."""
    _, u, *_ = cmeans(
        iris.data.T, c=3, m=m, error=1e-6, maxiter=1000, seed=0
    )
    return u.T


runs = {f"m = {m}": memberships(m) for m in (2, 5)}
print({name: run.shape for name, run in runs.items()})

# %%
# The disagreement
# ----------------
# Adjusted for chance, 0 is what the same memberships would score in random order.

print(fr.compare(runs["m = 2"], runs["m = 5"]))

# %%
# The runs seem to have little in common. But with m = 2 most flowers belong to one cluster, and
# with m = 5 they belong to all three in part, so the runs differ on most pairs of flowers.
# :func:`~fuzzyrand.explain` also compares the clusterings with each flower in its strongest cluster
# alone, and says what kind of difference it is.

result = fr.explain(runs["m = 2"], runs["m = 5"])
print(f"as they are  {result.adjusted:6.3f}")
print(f"hardened     {result.hardened:6.3f}")
print(f"a difference in {result.difference}")

# %%
# The clusters are nearly the same. The bars show this: each flower has a bar, and each cluster a
# colour.

fr.plot.memberships(fr.align(runs), groups=species)
plt.show()

# %%
# The effect of m
# ---------------
# All runs are compared with m = 2, and with the species.

grid = np.arange(1.5, 6.1, 0.5)
fuzzy, hard, truth = [], [], []
for m in grid:
    run = memberships(m)
    comparison = fr.explain(runs["m = 2"], run)
    fuzzy.append(comparison.adjusted)
    hard.append(comparison.hardened)
    truth.append(fr.adjusted_similarity(species, run))

fig, ax = plt.subplots(figsize=(7, 3.8), layout="constrained")
ax.plot(grid, hard, "s-", label="with m = 2, hardened")
ax.plot(grid, fuzzy, "o-", label="with m = 2")
ax.plot(grid, truth, "^--", label="with the species")
ax.axhline(0, color="grey", linewidth=0.8)
ax.set(xlabel="fuzzifier m", ylabel="adjusted index")
ax.legend(frameon=False)
plt.show()

# %%
# The structure hardly depends on m. What decreases is how much of it the memberships still show:
# with m = 5, the largest membership of a flower is only about 0.5 on average. The agreement with
# the species decreases as well, as it should: such memberships say less about the species.
#
# What to report
# --------------
# m, both numbers (as they are and hardened), and the random model. If only the partition into
# clusters matters, say so and compare the hardened clusterings. If memberships are used later on,
# the first number counts.
#
# .. admonition:: Pitfall
#
#    Memberships from scikit-fuzzy that were not transposed look like three points with 150
#    clusters. fuzzyrand rejects them, because their rows do not sum to 1. Do not silence this error
#    with ``normalize=True``.

try:
    fr.compare(runs["m = 2"].T, runs["m = 5"].T)
except fr.InputError as error:
    print(fill(str(error), 72))
