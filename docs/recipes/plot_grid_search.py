"""
A scorer for grid search
========================

*I know the true classes of some points. How do I choose the settings of a clustering method by
cross-validation, and score its memberships?*

scikit-learn's ``GridSearchCV`` fits an estimator on part of the points and scores it on the rest.
The score here is the adjusted index of the true classes and ``predict_proba``. The data are 150
iris flowers, sorted by species, as tables often are.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
)

import fuzzyrand as fr

X, species = load_iris(return_X_y=True)

# %%
# The scorer
# ----------
# A scorer is a function of a fitted estimator, points and their classes. Folds are small, and under
# the default model, ``perm``, unrelated clusterings score 0 on average, however few the points are.
# A model fitted to 30 points would favour many clusters.


def adjusted(estimator, X, y):
    """Compare the memberships of new points with their classes."""
    soft = estimator.predict_proba(X)
    return fr.adjusted_similarity(y, soft)


def search(folds):
    """Score mixtures with 2 to 5 components, by the given folds."""
    grid = {
        "n_components": [2, 3, 4, 5],
        "covariance_type": ["full", "diag"],
    }
    mixture = GaussianMixture(n_init=3, random_state=0)
    result = GridSearchCV(mixture, grid, scoring=adjusted, cv=folds)
    return result.fit(X, species)


# %%
# Why unshuffled folds mislead
# ----------------------------
# A mixture is not a classifier, so ``cv=5`` means ``KFold(5)``: consecutive rows. With sorted data,
# such a fold contains one or two species.

in_order = KFold(5)
mixed = StratifiedKFold(5, shuffle=True, random_state=0)
for name, folds in {"in order": in_order, "shuffled": mixed}.items():
    print(f"{name}: species in each fold")
    for _, test in folds.split(X, species):
        print("  ", np.bincount(species[test], minlength=3))

# %%
# If all points of a fold are of one species, no pair of points should be separated. A mixture that
# uses one component there scores 1, and any other scores about 0. This says nothing about the
# mixture. The scores of individual folds show it:


def scores(result):
    """Return the scores of all settings: folds, and their mean."""
    table = pd.DataFrame(result.cv_results_)
    table = table.set_index(
        ["param_covariance_type", "param_n_components"]
    ).filter(regex="split|mean_test")
    return table.set_axis([*range(5), "mean"], axis=1).rename_axis(
        index=["covariance", "components"], columns="fold"
    )


results = {"in order": search(in_order), "shuffled": search(mixed)}
for name, result in results.items():
    print(f"{name}: best is {result.best_params_}")
    rounded = scores(result).round(2) + 0.0  # 0.0 instead of -0.0
    print(rounded.to_string(), "\n")

# %%
fig, axes = plt.subplots(
    1, 2, figsize=(9, 3.6), sharey=True, layout="constrained"
)
for ax, (name, result) in zip(axes, results.items(), strict=True):
    table = scores(result)
    for colour, kind in {"C0": "full", "C1": "diag"}.items():
        k = table.loc[kind].index + (0.1 if kind == "diag" else -0.1)
        folds = table.loc[kind].drop(columns="mean")
        ax.plot(k, folds, "o", color=colour, alpha=0.4)
        ax.plot(k, table.loc[kind, "mean"], color=colour, label=kind)
    ax.set(title=f"Folds {name}", xlabel="number of components")
    ax.set_xticks([2, 3, 4, 5])
axes[0].set_ylabel("adjusted index of a fold")
axes[1].legend(title="covariance", frameon=False)
plt.show()

# %%
# Dots are folds, and lines are their means. On the left, the folds jump between 0 and 1, and which
# setting wins says nothing. On the right, each fold contains all species, and full covariances win
# with three components, as many as there are species.
#
# What to report
# --------------
# How the folds were made, the index and the random model, the mean over folds, and their spread.
# Each fold is adjusted independently, so folds of different sizes can be averaged.

best = scores(results["shuffled"]).loc[("full", 3)]
folds = best.drop("mean")
print(f"mean {best['mean']:.2f} over {len(folds)} folds,")
print(f"from {folds.min():.2f} to {folds.max():.2f}")

# %%
# .. admonition:: Pitfalls
#
#    - ``make_scorer(fr.adjusted_similarity)`` calls ``predict`` and scores hard
#      labels: the usual adjusted Rand index. With ``response_method="predict_proba"`` it scores
#      memberships. For a *classifier* with two classes, however, ``make_scorer`` then passes on
#      only one column; the function above always has all of them.
#    - The training sets of the folds overlap, so their spread is not a standard error. Whether one
#      setting is better than another is a question for :func:`~fuzzyrand.confidence_interval` on
#      points that were not used for the choice.
#    - Without known classes there is nothing to score. See :doc:`/guide/stability` instead.
