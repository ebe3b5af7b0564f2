"""
Clusterings that do not fit into memory
=======================================

*My clusterings are files of many gigabytes. Can I compare them without loading them?*

Yes, as dask arrays: a block of rows is read, checked and reduced to a few sums, and the sums are
added. The result is the same as with all points in memory. This recipe shows this with the pixels
of a photograph, which do fit into memory, so that both ways can be compared. For the tiles of a
satellite image, the code would be the same.

It needs ``pip install "fuzzyrand[dask]"``, scikit-learn and Pillow.
"""

# %%
# Here, a photograph is divided into four classes of colour in two ways. K-means gives each pixel a
# label, and a Gaussian mixture gives it memberships. Both are fitted to a small sample of the
# pixels.
import dask.array as da
import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_sample_image
from sklearn.mixture import GaussianMixture

import fuzzyrand as fr

image = load_sample_image("china.jpg")
height, width, _ = image.shape
colours = image.reshape(-1, 3) / 255.0

rng = np.random.default_rng(0)
sample = colours[rng.choice(len(colours), 3000, replace=False)]
kmeans = KMeans(4, n_init=3, random_state=0).fit(sample)
mixture = GaussianMixture(4, random_state=0).fit(sample)

# %%
# The photograph becomes a dask array, in blocks of 40,000 pixels. ``map_blocks`` only records what
# is to be done: the labels and memberships of a block are computed when the block is needed, and
# discarded afterwards.
pixels = da.from_array(colours, chunks=(40_000, 3))
labels = pixels.map_blocks(kmeans.predict, drop_axis=1, dtype=np.int32)
four = (pixels.chunks[0], (4,))  # the same rows, four columns
soft = pixels.map_blocks(mixture.predict_proba, chunks=four, dtype=float)
print(f"{soft.shape[0]:,} pixels in {soft.numblocks[0]} blocks")

# %%
# The same functions accept dask arrays and arrays in memory:
lazy = fr.compare(labels, soft)
print(lazy)

# %%
# And with all pixels in memory:
in_memory = fr.compare(
    kmeans.predict(colours), mixture.predict_proba(colours)
)
print(f"in blocks {lazy.adjusted:.6f}")
print(f"in memory {in_memory.adjusted:.6f}")

# %%
# Two hard clusterings, or a hard and a fuzzy one, need no sampling. Two fuzzy clusterings have too
# many pairs to visit: random groups of points are drawn from all blocks, and the result has a Monte
# Carlo error. It is as small as you ask for with ``tol``, whatever the number of points.
tied = GaussianMixture(4, covariance_type="tied", random_state=0)
tied.fit(sample)
again = pixels.map_blocks(tied.predict_proba, chunks=four, dtype=float)
print(fr.compare(soft, again, tol=2e-3))

# %%
# Where do they differ?
# ---------------------
# :func:`fuzzyrand.explain` scores individual points, so it needs them in one place. Take the same
# random rows of both.
rows = np.sort(rng.choice(len(colours), 20_000, replace=False))
sampled = labels[rows].compute(), soft[rows].compute()
result = fr.explain(*sampled)

_, axes = plt.subplots(2, figsize=(6.4, 7.4), layout="constrained")
axes[0].imshow(image)
xy = np.column_stack([rows % width, height - rows // width])
fr.plot.points(xy, result, ax=axes[1])
for ax in axes:
    ax.set_aspect("equal")
    ax.set_axis_off()
plt.show()

# %%
# The two agree on the sky, less on the building and the trees, and by less than chance on the lake
# and the hills behind it.
#
# .. rubric:: On a cluster
#
# The comparison uses whatever scheduler dask has at the time of the call: threads here, or all
# machines of a cluster. Only these lines change, and fuzzyrand has to be installed on the workers:
#
# .. code-block:: python
#
#    import dask.array as da
#    import dask.dataframe as dd
#    from dask.distributed import Client
#
#    client = Client("tcp://10.0.0.1:8786")  # as `dask scheduler` prints it
#    labels = dd.read_parquet("/shared/labels.parquet")["cluster"]
#    soft = da.from_zarr("/shared/memberships.zarr")
#
# On the command line: ``fuzzyrand compare labels.parquet memberships.zarr --dask``. See
# :doc:`/guide/dask` for chunks, memory and running times.
#
# .. rubric:: What to report
#
# The adjusted index, its random model, and the Monte Carlo error if there is one.
#
# .. rubric:: Pitfall
#
# Rows are matched by their position. Two files that were written by different programs may have
# their rows in different orders; sort both by the same key first. The comparison cannot detect a
# different order, and would find only chance.
