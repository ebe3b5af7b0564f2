"""
Every picture
=============

This page shows what can be drawn, and with which call. The data are 178 wines from three growers,
clustered by Gaussian mixtures with three and with four components. Every function takes Matplotlib
axes and returns them, and every result that has a picture has ``plot()``.
"""

import matplotlib.pyplot as plt
from sklearn.cluster import KMeans
from sklearn.datasets import load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr

X, numbers = load_wine(return_X_y=True)
growers = [("Ada", "Bruno", "Carla")[number] for number in numbers]
X = StandardScaler().fit_transform(X)
ASH, X = X[:, [2]], X[:, [0, 6, 9]]
three = GaussianMixture(3, random_state=0).fit(X).predict_proba(X)
four = GaussianMixture(4, random_state=0).fit(X).predict_proba(X)

# %%
# Memberships
# -----------
# With three clusters, each point lies in a triangle. Points in the corners are hard.

fr.plot.simplex(three)
plt.show()

# %%
# Bars show any number of clusters, and several clusterings in common colours.

fr.plot.memberships({"three": three, "four": four}, groups=growers)
plt.show()

# %%
# Comparing
# ---------
# The observed index, what each random model expects, and the adjusted index.

table = fr.compare(growers, three, model=["perm", "fit", "sym", "flat"])
fr.plot.comparison(table)
plt.show()

# %%
# The same with a confidence interval, and with a null distribution: each in the row of its model.

fr.plot.comparison(
    table,
    interval=fr.confidence_interval(growers, three),
    test=fr.significance(growers, three),
)
plt.show()

# %%
# Many clusterings, with similar ones side by side.

runs = {"growers": growers, "three": three, "four": four}
runs |= {
    f"k-means {k}": KMeans(k, n_init=10, random_state=0).fit_predict(X)
    for k in (2, 3, 5)
}
fr.plot.pairwise(fr.pairwise(runs))
plt.show()

# %%
# How sure
# --------
# The co-memberships of pairs under a random model beside those of the clustering.

fr.plot.laws(fr.check_model(three, "fit"))
plt.show()

# %%
# What shuffled clusterings would score, and the observed value.

ash = GaussianMixture(3, random_state=0).fit(ASH).predict_proba(ASH)
fr.plot.significance(fr.significance(growers, ash))
plt.show()

# %%
# A benchmark: how close several clusterings are to the growers, with 95% confidence intervals.

fr.plot.interval(fr.pairwise(runs, reference="growers", confidence=0.95))
plt.show()

# %%
# The stability of each number of clusters in subsamples. Use 20 repeats or more for a decision.


def mixture(k):
    """Return a Gaussian mixture of k components."""
    return GaussianMixture(k)


fr.plot.stability(fr.stability(mixture, X, range(2, 6), repeats=5))
plt.show()

# %%
# Clusters that come back in many runs: runs are columns, and a band of one colour is the same
# cluster. Thick is large, faint is little like itself in other runs, and a gap is a run without it.

runs = {
    f"{k} components, start {seed}": GaussianMixture(
        k, init_params="random_from_data", random_state=seed
    )
    .fit(X)
    .predict_proba(X)
    for k in (3, 4)
    for seed in range(6)
}
fr.plot.recurrence(fr.recurrence(runs))
plt.show()

# %%
# Where they disagree
# -------------------
# Scores of the points, on any two coordinates: 1 is agreement, 0 is chance.

explanation = fr.explain(growers, three)
fr.plot.points(X[:, 1:], explanation)
plt.show()

# %%
# Scores of the clusters, with their sizes.

fr.plot.clusters(explanation, names=("growers", "three components"))
plt.show()

# %%
# Which cluster is which: overlaps with partners in frames, and the same as bands.

matching = fr.match(growers, four)
fr.plot.overlap(matching, names=("the growers", "four components"))
plt.show()

# %%
#

fr.plot.flow(matching, names=("growers", "four components"))
plt.show()
