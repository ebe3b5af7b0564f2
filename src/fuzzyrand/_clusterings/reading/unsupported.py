"""Objects that contain or produce a clustering but are not one, and what to pass instead.

``dimensions`` in ``arraylike.py`` refuses them, with this advice.
"""

from __future__ import annotations

from typing import Any

_SET = "A set has no order and no repetitions, so the points are lost."
_BY_TYPE = {
    "str": "If each character is a label, pass list(text).",
    "dict": "Of dicts, as_partition reads those of point to label, and of cluster to a list or set "
    "of points. If the values are the clustering, in the order of the points: list(d.values()).",
    "dict_values": "Make a list of it: list(...).",
    "set": _SET,
    "frozenset": _SET,
    "generator": "Make a list of it: list(...).",
    "map": "Make a list of it: list(...).",
    "LazyFrame": "Call its collect() first.",
    "Partition": "It has been read already: pass it as it is.",
    "VertexClustering": "Pass its labels: clustering.membership.",
    "VertexCover": "as_cover reads it, and index='omega' compares covers.",
    "NodeClustering": "as_cover reads it, and index='omega' compares covers.",
}


def is_dask(data: Any) -> bool:
    """Return whether this is a dask array, a dask dataframe or one of its columns.

    The name of the type's module decides, so dask need not be imported.
    """
    module = type(data).__module__.partition(".")[0]
    return module in ("dask", "dask_expr") and hasattr(data, "__dask_graph__")


def advice_for(data: Any) -> str:
    """Return advice on what to pass instead of an object that is not a clustering, or "".

    Some of these objects, such as AnnData, have a shape and would be taken for a matrix.
    """
    if isinstance(data, type):
        return ""
    if is_dask(data):
        # Rows of a dask frame cannot be chosen by their numbers.
        array = "x.to_dask_array(lengths=True)" if hasattr(data, "divisions") else "x"
        return (
            "Dask objects go to compare, similarity, expected_similarity, adjusted_similarity, "
            "pairwise and check_model; here all points are needed in one place. Take a random "
            "sample of the rows into memory, the same of all clusterings: with sorted row numbers, "
            f"{array}[rows].compute()."
        )
    if isinstance(getattr(data, "n_obs", None), int) and hasattr(data, "obs"):
        return (
            'Pass labels from its annotation, adata.obs["leiden"], or a matrix of memberships, '
            'adata.obsm["..."]; pairwise and align take it with keys=[...].'
        )
    # Must be callable: columns of a frame with these names are attributes of it, too.
    methods = [name for name in ("predict", "fit_predict") if callable(getattr(data, name, None))]
    if methods and callable(getattr(data, "fit", None)):
        return f"It makes clusterings; pass one of them: {_output(data)}."
    return _BY_TYPE.get(type(data).__name__, "")


def _output(estimator: Any) -> str:
    """Say how to get a clustering from an estimator, memberships if it offers them."""
    if hasattr(estimator, "predict_proba"):
        return "model.predict_proba(X) for memberships, model.predict(X) for labels"
    if hasattr(estimator, "labels_"):
        return "model.labels_"
    return "model.predict(X)" if hasattr(estimator, "predict") else "model.fit_predict(X)"
