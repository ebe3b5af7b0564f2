"""
Many runs of one method
=======================

*I ran the same method from several starts. Do the runs agree, which one do I report, and how do I
draw them side by side?*

Mixture models, k-means and topic models depend on their random start, and number their clusters
differently in each run. Here, a Gaussian mixture clusters 178 wines from five starts. A sixth
clustering uses a single measurement, the ash of the wines, which has little to do with the others.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr

wine = load_wine()
X = StandardScaler().fit_transform(wine.data)


def mixture(columns, seed):
    """Fit three components from a random start."""
    model = GaussianMixture(
        3, covariance_type="diag", init_params="random_from_data",
        max_iter=1000, random_state=seed,
    )  # fmt: skip
    model.fit(columns)
    return model.predict_proba(columns), model.lower_bound_


runs, likelihoods = {}, {}
for seed in range(5):
    name = f"start {seed}"
    runs[name], likelihoods[name] = mixture(X, seed)
runs["ash"], _ = mixture(X[:, [2]], 0)

# %%
# All pairs
# ---------
# ``test=True`` also tests each pair. The default model, ``perm``, keeps the memberships of each run
# and shuffles them over the wines.

table = fr.pairwise(runs, test=True)
print(table)

# %%
# Three starts end in nearly the same clustering. The other two are stuck elsewhere, and agree less
# with these three.
#
# The second table has q-values: p-values corrected for the number of pairs (Benjamini and
# Hochberg). Between two starts they are as small as 9,999 shuffles allow. With ash, four of five
# are still below 0.01, although the adjusted indices are 0.03 at most. A small q-value says that
# two clusterings have something in common, and the adjusted index says how much.
#
# The run to report
# -----------------
# The medoid has the largest mean adjusted index with all others. It is a real run, not an average
# of several, and needs no truth.

print("medoid:", table.medoid)
print("log-likelihood of a wine:")
for name, value in likelihoods.items():
    print(f"  {name}: {value:.3f}")

# %%
# Here it is also one of the runs with the highest likelihood. If a method has a likelihood, the
# best run is the usual choice, and the medoid shows whether it is typical.
#
# The heat map puts similar runs side by side.

fr.plot.pairwise(table)
plt.show()

# %%
# Side by side
# ------------
# :func:`~fuzzyrand.align` gives the same column, and so the same colour, to the same cluster in all
# runs. The medoid sets the order.

alignment = fr.align(runs, reference=table.medoid)
print(alignment)
fr.plot.memberships(alignment, groups=wine.target_names[wine.target])
plt.show()

# %%
# Each wine is a bar. The names below are the growers, which no run knows. Both starts that are
# stuck move some wines of one grower to the cluster of another, and ash mixes all growers.
#
# What to report
# --------------
# The number of runs, the mean and the range of the adjusted index over pairs, and which run was
# chosen and why. :func:`fuzzyrand.recurrence` says which clusters the runs have in common:

starts = table.adjusted[:5, :5][np.triu_indices(5, 1)]
print(
    f"5 runs: mean {starts.mean():.2f}, "
    f"from {starts.min():.2f} to {starts.max():.2f}"
)

# %%
# .. admonition:: Pitfall
#
#    Agreement between runs says that the method finds the same optimum again, not that the clusters
#    exist. With many starts per run (``n_init``), runs can agree perfectly on data without any
#    clusters. To learn about the data, change them: see :doc:`/guide/stability`. Do not average
#    memberships of runs that were not aligned.
