"""
Single cells: annotated types and clusters
==========================================

*My cells are in an AnnData object. How well do the clusters agree with the annotated cell types,
and where do they not?*

An AnnData object holds many clusterings. To compare two of them, pass a column of ``adata.obs`` for
labels, or an entry of ``adata.obsm`` for memberships; to compare several, name them:
``fr.pairwise(adata, keys=["louvain", "X_mixture"])``.

The 700 cells of this example are real: blood cells of one donor (Zheng et al., Nature
Communications 8, 2017), which scanpy ships as ``scanpy.datasets.pbmc68k_reduced()``. To keep this
page light, the required parts are read from a table,
:download:`data/pbmc700.csv </recipes/data/pbmc700.csv>`, which is stored beside this script. This
recipe needs ``pip install anndata``.
"""

# %%
import anndata
import matplotlib.pyplot as plt
import pandas as pd
from sklearn.mixture import GaussianMixture

import fuzzyrand as fr

cells = pd.read_csv("data/pbmc700.csv", index_col="cell")
adata = anndata.AnnData(
    obs=cells[["cell_type", "louvain"]],
    obsm={
        "X_pca": cells.filter(like="pc").to_numpy(),
        "X_umap": cells.filter(like="umap").to_numpy(),
    },
)
print(adata)

# %%
# The soft clusters of a Gaussian mixture are stored with the rest, as a matrix of memberships.
mixture = GaussianMixture(
    8, covariance_type="diag", n_init=3, random_state=0
)
components = adata.obsm["X_pca"]
adata.obsm["X_mixture"] = mixture.fit(components).predict_proba(
    components
)

# %%
# Labels with labels, labels with memberships
# -------------------------------------------
# Chance is the same rows in another order (``perm``, the default).
types, louvain = adata.obs["cell_type"], adata.obs["louvain"]
soft = adata.obsm["X_mixture"]
print(f"Louvain {fr.adjusted_similarity(types, louvain):.3f}")
print(f"mixture {fr.adjusted_similarity(types, soft):.3f}")

# %%
# For two columns of labels, this is the adjusted Rand index. The memberships of the
# mixture are compared as they are, without converting them to labels first.
#
# Where do they disagree?
# -----------------------
# Each cell has a score, whose mean is the adjusted index. The mean over the cells of a type is the
# score of the type.
result = fr.explain(types, louvain)
scores = result.to_frame("clusters").query("side == 'first'")
scores = scores[["cluster", "size", "score"]].round(2)
print(scores.to_string(index=False))

ax = fr.plot.points(adata.obsm["X_umap"], result)
ax.set_xlabel("UMAP 1")
ax.set_ylabel("UMAP 2")
plt.show()

# %%
# The bands lead from annotated types to Louvain clusters.
fr.plot.flow(result.matching)
plt.show()

# %%
# One type accounts for more than half of the difference: cells that are annotated as dendritic are
# spread over many clusters, and share some of them with monocytes. The other types are found, or
# split into parts. Either the clusters are too fine there, or the annotation of these cells cannot
# be trusted. The score cannot show which, but it shows where to look.
#
# How sure?
# ---------
# Cells are not independent: those of one patient, or of one batch, have more in common. ``groups``
# identifies what was sampled. These cells come from one donor, through eight channels of the
# instrument, which the last digit of a barcode identifies:
channel = adata.obs_names.str[-1]
print(fr.confidence_interval(types, louvain))
print(fr.confidence_interval(types, louvain, groups=channel))

# %%
# With channels as groups, the interval is wider, and a note warns that eight groups are few. Is the
# mixture really closer to the annotation than Louvain's clusters? A tuple asks for the difference.
both = (louvain, soft)
print(fr.confidence_interval(types, both, groups=channel))

# %%
# .. rubric:: What to report
#
# The adjusted index, the model, and an interval with the groups on which it is based. With several
# patients: ``groups=adata.obs["patient"]``.
#
# .. rubric:: Pitfall
#
# With only one donor, no interval says anything about other donors, however many cells there are. A
# column of ``adata.obs`` carries the names of its cells: two columns with the same names are
# matched by them, whatever their order. An array in ``adata.obsm`` has no names. If you sort or
# filter cells, do it to the AnnData object and not to one of its parts.
