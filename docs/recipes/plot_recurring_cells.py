"""
Single cells: which clusters come back at every resolution?
===========================================================

*Every resolution gives other clusters. Which of them can I believe?*

Clusters of cells depend on a resolution: the number of clusters, the ``resolution`` of Leiden, or
the ``min_cluster_size`` of HDBSCAN. Some clusters are found at any resolution, and others come and
go. :func:`fuzzyrand.recurrence` finds the clusters of different runs that correspond to each
other, and counts the runs in which they occur.

The 700 blood cells are those of :doc:`plot_single_cells`, as a table,
:download:`data/pbmc700.csv </recipes/data/pbmc700.csv>`. Here k-means and HDBSCAN of scikit-learn
cluster them; columns of ``adata.obs`` with Leiden clusters are passed in the same way.
"""

# %%
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.cluster import HDBSCAN, KMeans

import fuzzyrand as fr

cells = pd.read_csv("data/pbmc700.csv", index_col="cell")
components = cells.filter(like="pc").to_numpy()

runs = {}
for k in range(3, 11):
    for seed in range(4):
        model = KMeans(k, n_init=1, random_state=seed)
        runs[f"k-means {k}, start {seed}"] = pd.Series(
            model.fit_predict(components), index=cells.index
        )
result = fr.recurrence(runs)
print(result)

# %%
# Each column of the picture is a run, and each band of one colour is a family: clusters of
# different runs that hold the same cells. A gap is a run that lacks it.

fr.plot.recurrence(result)
plt.show()

# %%
# What are the families? Their core cells, which belong to them in at least 90% of the runs in which
# they occur, have annotated types that the clustering did not use.
for family in result.families[:8]:
    types = cells["cell_type"][family.core].value_counts(normalize=True)
    low, high = family.interval
    print(
        f"family {family.number}: {family.share:.0%} of runs "
        f"({low:.0%} to {high:.0%}), {len(family.core)} core cells, "
        f"{types.iloc[0]:.0%} {types.index[0]}"
    )

# %%
# Which cells are loose? Those between clusters, whose neighbours change from run to run.
axes = cells.plot.scatter(
    "umap1", "umap2", c=result.points, cmap="viridis", s=12,
    colorbar=True, title="firmness of cells",
)  # fmt: skip
plt.show()

# %%
# Another method
# --------------
# A cluster that only one method finds says more about the method than about the cells. HDBSCAN
# leaves some cells as noise, with the label −1. With ``noise_as="drop"``, such a cell is left out
# of the runs in which it is noise, and stays in the others.
for size in (5, 10, 15, 20, 30):
    model = HDBSCAN(min_cluster_size=size, copy=True)
    runs[f"HDBSCAN {size}"] = pd.Series(
        model.fit_predict(components), index=cells.index
    )
both = fr.recurrence(runs, noise=-1, noise_as="drop")
for family in both.families[:8]:
    methods = {run.split(" ")[0] for run, _ in family.members}
    print(f"family {family.number}: {', '.join(sorted(methods))}")

# %%
# .. rubric:: What to report
#
# For each cluster that you name: the share of runs in which it occurs with its interval, what the
# runs were (methods, resolutions, starts), and the number of families that come back as often by
# chance.
#
# .. rubric:: Pitfall
#
# All runs here cluster the same cells. A family that occurs in all of them is no accident of the
# start or of the resolution, but it may be one of this sample: cluster subsamples of the cells as
# well, and pass all runs together. Cells that a run lacks are no problem, as cells are joined by
# their names.
