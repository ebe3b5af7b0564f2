"""
A scorer for grid search
========================

*I know the true classes of some points. How do I choose the settings of a clustering method by
cross validation, and score its memberships?*

scikit-learn's ``GridSearchCV`` fits an estimator on a part of the points and scores it on the rest.
The score here is the adjusted index of the true classes and ``predict_proba``. The data are 150
iris flowers, sorted by species, as tables often are.
"""

# %%
import matplotlib.pyplot as plt
import numpy as np
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
# A scorer is a function of a fitted estimator, points and their classes. The random model is
# ``perm``: folds are small, and under ``perm`` unrelated clusterings score 0 on average, however
# few the points are. A model that is fitted to 30 points would favour many clusters.


def adjusted(estimator, X, y):
    """Compare the memberships of new points with their classes."""
    soft = estimator.predict_proba(X)
    return fr.adjusted_similarity(y, soft, model="perm")


def search(folds):
    """Score mixtures with 2 to 5 components, by the given folds."""
    grid = {
        "n_components": [2, 3, 4, 5],
        "covariance_type": ["full", "diag"],
    }
    mixture = GaussianMixture(n_init=3, random_state=0)
    return GridSearchCV(mixture, grid, scoring=adjusted, cv=folds).fit(
        X, species
    )


# %%
# Why unshuffled folds mislead
# ----------------------------
# A mixture is no classifier, so that ``cv=5`` means ``KFold(5)``: consecutive rows. Of sorted data,
# such folds hold one or two species.

in_order = KFold(5)
mixed = StratifiedKFold(5, shuffle=True, random_state=0)
for name, folds in {"in order": in_order, "shuffled": mixed}.items():
    counts = [
        np.bincount(species[test], minlength=3).tolist()
        for _, test in folds.split(X, species)
    ]
    print(f"{name}, species in each fold:", *counts)

# %%
# If all points of a fold are of one species, no pair of points is to be kept apart. A mixture that
# uses one component there scores 1, and any other about 0. That says nothing about the mixture. The
# scores of single folds show it:

results = {"in order": search(in_order), "shuffled": search(mixed)}
for name, result in results.items():
    print(f"\n{name}: best {result.best_params_}")
    for setting, mean, *scores in zip(
        result.cv_results_["params"],
        result.cv_results_["mean_test_score"],
        *(result.cv_results_[f"split{i}_test_score"] for i in range(5)),
        strict=True,
    ):
        kind, k = setting["covariance_type"], setting["n_components"]
        row = " ".join(f"{score:5.2f}" for score in scores)
        print(f"  {k} {kind}: mean {mean:.2f}, folds {row}")

# %%
fig, axes = plt.subplots(
    1, 2, figsize=(9, 3.6), sharey=True, layout="constrained"
)
for ax, (name, result) in zip(axes, results.items(), strict=True):
    table = result.cv_results_
    for kind, colour, shift in (("full", "C0", -0.1), ("diag", "C1", 0.1)):
        of = table["param_covariance_type"] == kind
        k = table["param_n_components"][of].astype(float) + shift
        for i in range(5):
            scores = table[f"split{i}_test_score"][of]
            ax.plot(k, scores, "o", color=colour, alpha=0.4)
        means = table["mean_test_score"][of]
        ax.plot(k, means, "_-", color=colour, markersize=14, label=kind)
    ax.set(title=f"Folds {name}", xlabel="number of components")
    ax.set_xticks([2, 3, 4, 5])
axes[0].set_ylabel("adjusted index of a fold")
axes[1].legend(title="covariance", frameon=False)
plt.show()

# %%
# Points are folds, and lines their means. On the left the folds jump between 0 and 1, and two
# components win. On the right each fold holds all species, and three components with full
# covariances win, as many as there are species.
#
# What to report
# --------------
# How folds were made, the index and the random model, the mean over folds, and their spread. Each
# fold is adjusted by itself, so that folds of different sizes can be averaged.

best = results["shuffled"]
place = best.best_index_
mean, sd = (
    best.cv_results_[f"{what}_test_score"][place]
    for what in ("mean", "std")
)
print(f"{best.best_params_}: {mean:.2f} (standard deviation {sd:.2f})")

# %%
# .. admonition:: Pitfalls
#
#    - ``make_scorer(fr.adjusted_similarity, model="perm")`` calls ``predict`` and scores hard
#      labels: the usual adjusted Rand index. With ``response_method="predict_proba"`` it scores
#      memberships. Of a *classifier* of two classes, however, ``make_scorer`` then hands on one
#      column only; the function above always has all of them.
#    - Folds overlap in what they were trained on, so that their spread is no standard error.
#      Whether one setting is better than another is a question for
#      :func:`~fuzzyrand.confidence_interval` on points that were not used for the choice.
#    - Without known classes there is nothing to score. See :doc:`/guide/stability` instead.
