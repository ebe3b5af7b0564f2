"""
Is it more than chance, and how sure?
=====================================

*My clustering agrees with the truth by 0.9. Is that significant? Is it better than the 0.78 of
another method? How uncertain is it?*

Three questions need three calls: a test, an interval, and the interval of a difference. The data
are 178 wines from three growers. One mixture uses all 13 measurements, one uses three of them, and
one only the ash.
"""

# %%
from textwrap import fill

import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.datasets import load_sample_image, load_wine
from sklearn.mixture import GaussianMixture
from sklearn.preprocessing import StandardScaler

import fuzzyrand as fr

wine = load_wine()
X, growers = StandardScaler().fit_transform(wine.data), wine.target


def mixture(columns):
    """Fit three components."""
    model = GaussianMixture(
        3, covariance_type="diag", n_init=5, random_state=0
    )
    return model.fit(columns).predict_proba(columns)


soft = {
    "all": mixture(X),
    "three": mixture(X[:, [0, 6, 9]]),
    "ash": mixture(X[:, [2]]),
}

# %%
# More than chance?
# -----------------
# :func:`~fuzzyrand.significance` shuffles the memberships over the wines.

test = fr.significance(growers, soft["ash"])
print(test)

# %%
fr.plot.significance(test)
plt.show()

# %%
# The ash of a wine has something to do with its grower, but an adjusted index of 0.02 is of no use.
# A small p-value says that there is some agreement, not that there is much. The null distribution
# is skewed: a normal curve would give z = 3.9 a p-value of 0.00005 instead of 0.004.
#
# How sure?
# ---------
# The wines are a sample. :func:`~fuzzyrand.confidence_interval` gives a range for the adjusted
# index in the population that they were sampled from.

intervals = {
    name: fr.confidence_interval(growers, memberships)
    for name, memberships in soft.items()
}
for name, interval in intervals.items():
    print(
        f"{name:<6}{interval.adjusted:.3f}"
        f"  ({interval.low:.3f} to {interval.high:.3f})"
    )

# %%
fr.plot.interval(intervals)
plt.show()

# %%
# The interval for ash reaches below 0 although its test is significant. Use the test to ask about
# chance, and the interval to ask about size: close to 0, the two need not agree.
#
# Is one closer to the truth?
# ---------------------------
# A tuple asks for a difference. Both mixtures are compared on the same wines, and the interval is
# paired, which is more precise than checking whether two intervals overlap.

difference = fr.confidence_interval(
    growers, (soft["all"], soft["three"])
)
print(difference)

# %%
# All measurements are better than three, although the two intervals above overlap.
#
# Points that belong together
# ---------------------------
# The pixels of a photograph are not an independent sample: neighbours look alike. The same is true
# of cells of one patient or documents of one author. ``groups`` identifies what belongs together,
# here square tiles, and the groups are then the sample. Two methods cluster the colours of a
# photograph:

photo = load_sample_image("china.jpg")[::8, ::8] / 255
pixels = photo.reshape(-1, 3)
row, column = np.indices(photo.shape[:2]) // 8
tiles = (100 * row + column).ravel()

hard = KMeans(4, n_init=5, random_state=0).fit_predict(pixels)
fuzzy = GaussianMixture(4, random_state=0).fit(pixels)
fuzzy = fuzzy.predict_proba(pixels)
intervals["pixels"] = fr.confidence_interval(hard, fuzzy)
intervals["tiles"] = fr.confidence_interval(hard, fuzzy, groups=tiles)
for name in ("pixels", "tiles"):
    low, high = intervals[name].low, intervals[name].high
    print(f"{name:<7}{low:.3f} to {high:.3f}, {high - low:.3f} wide")

# %%
fig, ax = plt.subplots(figsize=(7, 3), layout="constrained")
for place, (name, interval) in enumerate(intervals.items()):
    colour = "C0" if name in soft else "C1"
    ax.plot([interval.low, interval.high], [place, place], colour, lw=3)
    ax.plot(interval.adjusted, place, "o", color=colour)
ax.set_yticks(range(5), intervals)
ax.margins(y=0.15)
ax.invert_yaxis()
ax.set(xlabel="adjusted index, with 95% interval", xlim=(-0.05, 1))
plt.show()

# %%
# Blue intervals compare mixtures with the growers, and orange ones compare the two clusterings of
# the photograph. If pixels are treated as independent, the interval is five times narrower than
# with tiles.
#
# What to report
# --------------
# The adjusted index with its interval and the random model, and the p-value if anybody doubts that
# there is any agreement. The result provides a paragraph for a paper:

result = fr.compare(growers, soft["all"])
text = result.methods_text(interval=intervals["all"])
print(fill(text, 72))

# %%
# .. admonition:: Pitfall
#
#    The interval is about other points, for these clusterings. It does not include how much a
#    method would change if it were fitted again: for that, see :doc:`/guide/stability`. Never
#    bootstrap the points: a point that is drawn twice agrees with itself. See
#    :doc:`/guide/certainty`.
