"""The method under study: a user's function, called in a uniform way."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from types import CodeType
from typing import Any

import numpy as np

from ..._base.errors import ParameterError
from ..._base.parameters import Value, is_count
from ..._base.wording import Option, Sentence

SEED = "random_state"
#: The part of the default text of an object that differs from run to run.
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
EXPECTED = (
    "an estimator, as in KMeans(); a function of the parameter that returns one, as in lambda k: "
    "KMeans(k); or a function of the parameter and data that returns labels or memberships"
)


@dataclass(frozen=True, eq=False)
class Clusterer:
    """The method under study.

    Attributes
    ----------
    method : callable or estimator
        An estimator whose parameter is set, a function that returns an estimator, or one that
        returns a clustering of data.
    parameter : str
        Name of the parameter that is varied.
    by_name : bool
        Whether a function takes the value by this name; otherwise it is the first argument.
    data : str
        Name of the argument of a function that is the data; empty if it returns an estimator.
    takes_seed : bool
        Whether a function has a parameter ``random_state``.
    """

    method: Any
    parameter: str = "n_clusters"
    by_name: bool = False
    data: str = ""
    takes_seed: bool = False

    @property
    def takes_data(self) -> bool:
        """Whether this is a function that returns a clustering of data."""
        return bool(self.data)

    def cluster(self, value: Value, data: Any, seed: int) -> Any:
        """Return the labels or memberships of the rows of data."""
        if self.takes_data:
            return self._call(value, seed, data)
        return clusters_of(self._estimator(value, seed), data, seed)

    def describe(self) -> str:
        """Return a text that differs for different methods, as far as can be seen from outside."""
        if _is_estimator(self.method):
            return ADDRESS.sub("", repr(self.method))
        if not self.takes_data and is_count(self.parameter):
            return ADDRESS.sub("", repr(self._estimator(2, 0)))
        if isinstance(self.method, type):
            return f"{self.method.__module__}.{self.method.__qualname__}"
        return describe_function(self.method)

    def _call(self, value: Value, seed: int, *data: Any) -> Any:
        options: dict[str, Any] = {SEED: seed} if self.takes_seed else {}
        if self.by_name:
            named = dict(zip([self.data], data, strict=False))
            return self.method(**named, **{self.parameter: value}, **options)
        return self.method(value, *data, **options)

    def _estimator(self, value: Value, seed: int) -> Any:
        if _is_estimator(self.method):
            return deepcopy(self.method).set_params(**{self.parameter: value})
        estimator = self._call(value, seed)
        if not _is_estimator(estimator):
            raise ParameterError(
                "{parameter} returned {kind}, which has no fit(); expected {expected}.",
                parameter=Option("cluster"),
                kind=f"an object of type {type(estimator).__name__}",
                expected=EXPECTED,
            )
        return estimator


def describe_function(function: Any) -> str:
    """Return a text that differs for different functions: name, code and what they are bound to.

    Bound values are default arguments, the arguments of a partial function, and numbers, texts and
    functions in closures and attributes; other objects there, such as a counter of calls, may
    change while the function is used. Functions that it calls are not looked into.
    """
    if isinstance(function, partial):
        bound = _plain([function.args, function.keywords])
        return f"partial of {describe_function(function.func)} with {bound}"
    name = getattr(function, "__qualname__", type(function).__name__)
    code = getattr(function, "__code__", None)
    if code is None:
        attributes = getattr(function, "__dict__", {})
        return f"{name} {_plain({key: _lasting(value) for key, value in attributes.items()})}"
    closure = [_lasting(cell.cell_contents) for cell in function.__closure__ or ()]
    bound = _plain([function.__defaults__, function.__kwdefaults__, closure])
    return f"{name} {_digest(code)} {hashlib.sha256(bound.encode()).hexdigest()[:16]}"


def as_clusterer(cluster: Any, parameter: str = "n_clusters") -> Clusterer:
    """Find out how a user's method must be called, with a parameter of this name."""
    if _is_estimator(cluster) and hasattr(cluster, "set_params"):
        _require_parameter(type(cluster).__name__, list(cluster.get_params()), parameter)
        return Clusterer(cluster, parameter)
    if not callable(cluster) or _is_estimator(cluster):
        raise ParameterError(
            "{parameter} is an object of type {kind}; expected {expected}.",
            parameter=Option("cluster"),
            kind=type(cluster).__name__,
            expected=EXPECTED,
        )
    try:
        parameters = inspect.signature(cluster).parameters
    except (TypeError, ValueError):  # Some functions written in C have no signature.
        return Clusterer(cluster, parameter)
    usable = {
        n: p for n, p in parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    }
    by_name = parameter in usable and usable[parameter].kind != inspect.Parameter.POSITIONAL_ONLY
    if isinstance(cluster, type):  # seeded through its estimators; see _give_seed
        if not by_name and not is_count(parameter):
            _require_parameter(cluster.__name__, list(usable), parameter)
        return Clusterer(cluster, parameter, by_name)
    required = [
        name
        for name, each in usable.items()
        if each.kind != each.KEYWORD_ONLY and each.default is each.empty and name != SEED
    ]
    data = [name for name in required if name != parameter] if by_name else required[1:]
    if len(data) > 1:
        raise ParameterError(
            "{parameter} needs {count} arguments ({names}); expected {expected}.",
            parameter=Option("cluster"),
            count=len(required),
            names=", ".join(required),
            expected=EXPECTED,
        )
    return Clusterer(cluster, parameter, by_name, "".join(data), SEED in parameters)


def _is_estimator(method: Any) -> bool:
    return not isinstance(method, type) and (
        hasattr(method, "fit") or hasattr(method, "fit_predict")
    )


def _require_parameter(kind: str, names: Sequence[str], wanted: str) -> None:
    """Refuse a parameter that an estimator does not have."""
    if wanted in names:
        return
    counts = [name for name in names if is_count(name)] if is_count(wanted) else []
    near = counts or get_close_matches(wanted, names, n=1)
    raise ParameterError(
        "{kind} has no parameter {wanted!r}.{hint} It has {names}.",
        kind=kind,
        wanted=wanted,
        hint=Sentence.of(" Did you mean {name}?", name=Option("parameter", near[0]))
        if near
        else "",
        names=", ".join(sorted(names)),
        parameter=Option("parameter"),
    )


def clusters_of(estimator: Any, data: Any, seed: int) -> Any:
    """Fit an estimator and return memberships, or labels if it gives no memberships."""
    _give_seed(estimator, seed)
    if hasattr(estimator, "predict_proba"):
        estimator.fit(data)
        return estimator.predict_proba(data)
    if hasattr(estimator, "fit_predict"):
        return estimator.fit_predict(data)
    estimator.fit(data)
    if hasattr(estimator, "labels_"):
        return estimator.labels_
    raise ParameterError(
        "the estimator {kind} has neither predict_proba nor fit_predict nor labels_. Wrap it in a "
        "function of the parameter and data that returns labels or memberships.",
        parameter=Option("cluster"),
        kind=type(estimator).__name__,
    )


def _give_seed(estimator: Any, seed: int) -> None:
    """Set the random state of an estimator, and of those inside it, wherever it is None."""
    if hasattr(estimator, "get_params") and hasattr(estimator, "set_params"):
        unset = [
            name
            for name, value in estimator.get_params(deep=True).items()
            if value is None and (name == SEED or name.endswith(f"__{SEED}"))
        ]
        if unset:
            estimator.set_params(**dict.fromkeys(unset, seed))
    elif getattr(estimator, SEED, seed) is None:
        setattr(estimator, SEED, seed)


def _digest(code: CodeType) -> str:
    digest = hashlib.sha256(code.co_code + repr(code.co_names).encode())
    for constant in code.co_consts:
        inner = _digest(constant) if isinstance(constant, CodeType) else _plain(constant)
        digest.update(inner.encode())
    return digest.hexdigest()[:16]


def _lasting(value: Any) -> Any:
    """Return a value if it cannot change, else its type."""
    fixed = isinstance(value, str | int | float | bool | None) or inspect.isfunction(value)
    return value if fixed else type(value).__name__


def _plain(value: Any) -> str:
    """Return a text of a value that is the same in every process."""
    if isinstance(value, set | frozenset):  # their order differs from process to process
        return f"{{{', '.join(sorted(map(_plain, value)))}}}"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_plain(key)}: {_plain(item)}' for key, item in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"({', '.join(map(_plain, value))})"
    if isinstance(value, np.ndarray):
        return f"array {hashlib.sha256(value.tobytes()).hexdigest()[:16]}"
    if inspect.isfunction(value):  # by its code alone: what it is bound to may be itself
        return f"{value.__qualname__} {_digest(value.__code__)}"
    return ADDRESS.sub("", repr(value))
