"""
Gaussian mixtures: how good, and how many components
====================================================

*I fitted Gaussian mixtures. How well do they recover what is known, and how many components should
I use when nothing is known?*

The data are 13 measurements of 178 wines. The three growers of the wines are known, but the
mixtures do not see them.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr

X, growers = load_wine(return_X_y=True)
X = StandardScaler().fit_transform(X)

fits = {
    k: GaussianMixture(
        k, covariance_type="diag", n_init=5, random_state=0
    ).fit(X)
    for k in range(2, 6)
}
soft = {
    f"{k} components": fit.predict_proba(X) for k, fit in fits.items()
}

# %%
# With a known truth
# ------------------
# ``predict_proba`` gives the memberships: points in rows, clusters in columns. Pass them as they
# are, because taking the largest of each row would lose what the mixture says about uncertain
# wines.
#
# Chance is the same memberships in random order (``perm``, the default), so a mixture gets no
# credit for the sizes of its clusters. If finding the right sizes should count, see
# :doc:`/guide/which-model`.

against_truth = fr.pairwise(soft, reference=growers)
print(against_truth)

# %%
# 0 is chance and 1 is a perfect match. Three components close nine tenths of the gap. The remainder
# has little to do with fuzziness: ``hardened`` is the same index with each wine in its strongest
# cluster alone.

result = fr.explain(growers, soft["3 components"])
print(f"as they are {result.adjusted:.3f}")
print(f"hardened    {result.hardened:.3f}\n")
print(result.matching)

# %%
# With each other
# ---------------
# No mixture is the truth, and no reference is needed.

together = fr.pairwise(soft)
print(together)

# %%
# Choosing the number of components
# ---------------------------------
# Without the growers, the question is which number is stable when the data change.
# :func:`~fuzzyrand.stability` clusters pairs of subsamples and compares them on the wines that both
# contain. It does the same with data that have no clusters. Ten repeats are quick; use at least the
# default of 20, and more until the column "± error" is small compared with the differences between
# the means.


def mixture(k):
    """Return a mixture that is not fitted yet."""
    return GaussianMixture(k, covariance_type="diag")


stable = fr.stability(mixture, X, range(2, 6), repeats=10)
print(stable)

# %%
# BIC is the usual criterion, but it answers another question: which number describes the density
# best. It can take two components to describe a cluster that is not normal.

choice = pd.DataFrame(
    {
        "BIC": [fit.bic(X) for fit in fits.values()],
        "stability": stable.means,
        "agreement with growers": against_truth.adjusted[0],
    },
    index=pd.Index(fits, name="components"),
)
print(choice.round(2).to_string())

# %%
# Here BIC is lowest for four components, while stability and the growers favour three.

fig, (left, right) = plt.subplots(
    1, 2, figsize=(9, 3.6), layout="constrained"
)
fr.plot.stability(stable, ax=left)
right.plot(choice["agreement with growers"], "o-", color="C1")
right.set(
    xlabel="number of components",
    ylabel="adjusted index",
    ylim=(0, 1),
    xticks=choice.index,
    title="Agreement with the growers",
)
plt.show()

# %%
# What to report
# --------------
# The adjusted index with its random model: "adjusted NDC 0.90 under ``perm``".
# For a choice by stability: the repeats, the share of rows in a subsample, and the whole table.
#
# .. admonition:: Pitfall
#
#    Stable does not mean right. Most methods cut a long cloud in two across its length, repeatedly
#    at the same place. Look at the excess over data without clusters, not at the mean alone, and
#    accept that ``best`` can be None. See :doc:`/guide/stability`.
