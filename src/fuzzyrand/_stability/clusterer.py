"""The method under study: a user's function, called in a uniform way."""

from __future__ import annotations

import hashlib
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from types import CodeType
from typing import Any

import numpy as np

from .._base.errors import ParameterError
from .._base.wording import Option

SEED = "random_state"
#: The part of the default text of an object that differs from run to run.
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
EXPECTED = (
    "a function of k that returns an estimator, as in lambda k: KMeans(k), or a function of k and "
    "data that returns labels or memberships"
)


@dataclass(frozen=True, eq=False)
class Clusterer:
    """The method under study.

    Attributes
    ----------
    function : callable
        Function of k that returns an estimator, or of k and data that returns a clustering.
    takes_data : bool
        Whether it takes the data.
    takes_seed : bool
        Whether it has a parameter ``random_state``.
    """

    function: Callable[..., Any]
    takes_data: bool
    takes_seed: bool

    def cluster(self, k: int, data: Any, seed: int) -> Any:
        """Return the labels or memberships of the rows of data."""
        options = {SEED: seed} if self.takes_seed else {}
        if self.takes_data:
            return self.function(k, data, **options)
        return clusters_of(self._estimator(k, options), data, seed)

    def describe(self) -> str:
        """Return a text that differs for different methods, as far as can be seen from outside."""
        if not self.takes_data:
            estimator = self._estimator(2, {SEED: 0} if self.takes_seed else {})
            return ADDRESS.sub("", repr(estimator))
        return describe_function(self.function)

    def _estimator(self, k: int, options: dict[str, Any]) -> Any:
        estimator = self.function(k, **options)
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") or hasattr(estimator, "fit_predict")
        ):
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


def as_clusterer(cluster: Any) -> Clusterer:
    """Find out how a user's function must be called."""
    if not callable(cluster) or (hasattr(cluster, "fit") and not isinstance(cluster, type)):
        raise ParameterError(
            "{parameter} is an object of type {kind}; expected {expected}.",
            parameter=Option("cluster"),
            kind=type(cluster).__name__,
            expected=EXPECTED,
        )
    try:
        parameters = inspect.signature(cluster).parameters
    except (TypeError, ValueError):  # Some functions written in C have no signature.
        return Clusterer(cluster, takes_data=False, takes_seed=False)
    required = [
        name
        for name, parameter in parameters.items()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is parameter.empty
        and name != SEED
    ]
    if len(required) > 2:
        raise ParameterError(
            "{parameter} needs {count} arguments ({names}); expected {expected}.",
            parameter=Option("cluster"),
            count=len(required),
            names=", ".join(required),
            expected=EXPECTED,
        )
    # A class is seeded through its estimators; see _give_seed.
    takes_seed = SEED in parameters and not isinstance(cluster, type)
    return Clusterer(cluster, len(required) == 2, takes_seed)


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
        "function of k and data that returns labels or memberships.",
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
