"""Scorers for scikit-learn: the adjusted index of what an estimator finds with known labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .._base.errors import InputError, NotApplicableError, ParameterError
from .._base.wording import Option
from .._clusterings.partition import as_partition
from ..indices import Index, as_index
from ..models import as_model
from .arguments import ModelLike
from .compare import compare


@dataclass(frozen=True)
class Scorer:
    """A function of estimator, data and known labels, as scikit-learn's ``scoring`` takes it.

    Made by :func:`scorer`.

    Attributes
    ----------
    index, model : str or object
        The index and the random model.
    soft : bool or None
        Whether memberships are compared, or labels; None takes memberships where there are any.
    options : dict
        Further options of :func:`compare`.
    """

    index: str | Index
    model: ModelLike
    soft: bool | None = None
    options: dict[str, Any] = field(default_factory=dict)

    def __call__(self, estimator: Any, X: Any, y: Any = None, **_: Any) -> float:
        """Return the adjusted index of the known labels and what the estimator predicts."""
        if y is None:
            raise InputError(
                "the scorer compares with known labels: pass them as y. Without labels, "
                "stability() says how many clusters are stable."
            )
        known = as_partition(y, name="known labels")
        if known.is_hard and known.occupied == 1:
            raise InputError(
                "all {n:,} points of this part have the same known label, so there is nothing to "
                "compare. For estimators that are not classifiers, scikit-learn cuts the data into "
                "consecutive parts: use cv=StratifiedKFold(shuffle=True), which mixes the labels.",
                n=known.n,
            )
        found = _predicted(estimator, X, self.soft)
        result = compare(known, found, index=self.index, model=self.model, **self.options)
        return result.adjusted


def scorer(
    index: str | Index = "ndc",
    *,
    model: ModelLike = "perm",
    soft: bool | None = None,
    **options: Any,
) -> Scorer:
    """Make a scorer for ``cross_validate``, ``GridSearchCV`` and other tools of scikit-learn.

    Parameters
    ----------
    index : str or Index
        The index, as in :func:`compare`.
    model : str or Model
        The random model, as in :func:`compare`.
    soft : bool, optional
        Whether to compare memberships (``predict_proba``) or labels (``predict``). By default
        memberships, if the estimator offers them.
    **options
        Further options of :func:`compare`, such as ``fixed`` or ``noise``.

    Returns
    -------
    Scorer
        A function of estimator, X and y that returns the adjusted index, where larger is better.

    See Also
    --------
    adjusted_similarity : The number itself.

    Notes
    -----
    Labels y are needed. Names of clusters do not matter, and their number may differ from that of
    the classes. An estimator must be able to predict for new points, as ``KMeans`` and
    ``GaussianMixture`` are. If data are sorted by label, give ``cv`` as a splitter that shuffles:
    scikit-learn stratifies by itself only for classifiers.

    Examples
    --------
    >>> from sklearn.cluster import KMeans
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import StratifiedKFold, cross_val_score
    >>> X, y = load_iris(return_X_y=True)
    >>> model, cv = KMeans(3, n_init=1, random_state=0), StratifiedKFold(3)
    >>> scores = cross_val_score(model, X, y, scoring=scorer("rand"), cv=cv)
    >>> bool((scores > 0.5).all())
    True
    """
    as_index(index)
    as_model(model)
    if soft is not None and not isinstance(soft, bool):
        raise ParameterError(
            "{parameter} must be True, False or None, got {value!r}.",
            parameter=Option("soft"),
            value=soft,
        )
    return Scorer(index, model, soft, options)


def _predicted(estimator: Any, X: Any, soft: bool | None) -> Any:
    """Return the memberships or the labels of some points."""
    if soft is not False and hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(X)
    if soft:
        raise NotApplicableError(
            "{kind} has no predict_proba, so there are no memberships; {soft} compares labels.",
            kind=type(estimator).__name__,
            soft=Option("soft", False),
        )
    if hasattr(estimator, "predict"):
        return estimator.predict(X)
    raise NotApplicableError(
        "{kind} cannot predict the clusters of new points, as cross-validation needs it. Fit it to "
        "all points, and compare its labels_ with the known ones: adjusted_similarity(y, labels).",
        kind=type(estimator).__name__,
    )
