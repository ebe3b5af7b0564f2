"""
Resolution, radius: which value suits the data?
===============================================

*Leiden's resolution and DBSCAN's eps decide how many clusters I get. Which value should I take, and
which of its clusters can I believe?*

:func:`fuzzyrand.stability` clusters subsamples with each value of a parameter and measures how much
the clusterings agree. It also seeks each cluster of all points in every subsample: a cluster that
is found again is firm.

The graph is simulated: six groups of 30 people, in two camps of three. People know each other most
often within their group, and more often within their camp than across. At a low resolution we
should find the camps, and at a higher one the groups. The communities are those of greedy
modularity, which NetworkX has; Leiden is called in the same way (see below).
"""

# %%
import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from sklearn.cluster import DBSCAN
from sklearn.datasets import make_moons

import fuzzyrand as fr

group = np.repeat(np.arange(6), 30)
camp = group // 3
rng = np.random.default_rng(0)
same_group = group[:, None] == group
same_camp = camp[:, None] == camp
chance = np.where(same_group, 0.5, np.where(same_camp, 0.15, 0.02))
edges = np.triu(rng.random((180, 180)) < chance, 1)
graph = nx.from_numpy_array(edges | edges.T)

# %%
# The data are a graph and not rows of numbers, so the function gets the numbers of the people in
# the subsample, and looks up their part of the graph. It has a parameter called ``resolution``,
# which is the one to vary.


def communities(people, resolution):
    """Return the community of each of some people."""
    part = graph.subgraph(people.tolist())
    found = nx.community.greedy_modularity_communities(
        part, resolution=resolution
    )
    where = {
        person: number
        for number, members in enumerate(found)
        for person in members
    }
    return [where[person] for person in people.tolist()]


people = np.arange(180)
values = [0.2, 0.6, 1.0, 1.5, 2.5, 4.0]
result = fr.stability(
    communities, people, values, parameter="resolution", repeats=8
)
print(result)

# %%
# Without rows of numbers there is no box of points without clusters to compare with, and ``best``
# stays open. A function as ``reference`` could draw graphs without communities. ``most_stable`` is
# the value that agrees most with itself.
#
# The picture shows more. Above is the stability of each resolution, and below are its communities:
# large circles are large communities, and filled ones are firm.
result.plot()
plt.show()

# %%
# Which clusters can I believe?
# -----------------------------
# The table has a row for each community. Take those of the two levels that we planted:
clusters = result.to_frame("clusters")
columns = [
    "resolution",
    "cluster",
    "size",
    "firmness",
    "chance",
    "verdict",
]
chosen = clusters.loc[clusters.resolution.isin([0.6, 2.5]), columns]
print(chosen.round(2).to_string(index=False))

# %%
# Both camps are firm. At the higher resolution, the six groups come back, of which five are firm,
# and a community of four people and a single person should not be believed: subsamples do not have
# them. The mean of this resolution, 0.77, hides that.
#
# Each person has a firmness, too. At this resolution, those with the lowest are:
points = result.to_frame("points")
of_chosen = points[points.resolution == 2.5]
print(of_chosen.nsmallest(5, "firmness").round(2).to_string(index=False))

# %%
# With Leiden, and with DBSCAN
# ----------------------------
# Scanpy's Leiden takes a resolution in the same way::
#
#     def leiden(cells, resolution, random_state):
#         part = adata[cells].copy()
#         sc.pp.neighbors(part, use_rep="X_pca")
#         sc.tl.leiden(part, resolution=resolution, random_state=random_state)
#         return part.obs["leiden"].to_numpy()
#
#     cells = np.arange(adata.n_obs)
#     fr.stability(leiden, cells, [0.2, 0.5, 1, 2], parameter="resolution")
#
# An estimator of scikit-learn needs no function. Two half moons have two clusters, but not for
# every radius:
moons, _ = make_moons(300, noise=0.06, random_state=0)
radii = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5]
swept = fr.stability(
    DBSCAN(), moons, radii, parameter="eps", repeats=10, noise=-1
)
print(swept)
swept.plot()
plt.show()

# %%
# .. rubric:: What to report
#
# The values that were tried, the number of subsamples and their size, the mean for each value with
# that of data without clusters, and the firmness of each cluster of the value you chose.
#
# .. rubric:: Pitfall
#
# Firmness says that a cluster is found again, not that it is of one kind. A low resolution merges
# groups into firm camps. If there are levels, as here, show both.
