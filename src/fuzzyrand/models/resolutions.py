"""The option ``resolution`` of the models that fit memberships."""

from __future__ import annotations

from numbers import Real
from typing import Any

from .._base.errors import NotApplicableError, ParameterError
from .._base.wording import Option
from .._clusterings.rows import Rows
from .._clusterings.treatment import Treatment
from .._distributions.resolution import treatment_of


def require_resolution(resolution: Any) -> None:
    """Raise an error if a resolution is invalid whatever the clustering."""
    if isinstance(resolution, str) and resolution == "auto":
        return
    if not (isinstance(resolution, Real) and 1e-30 <= float(resolution) < 1.0):
        raise ParameterError(
            "{parameter} must be 'auto' or lie between 1e-30 and 1, got {value!r}; it is the size "
            "below which a membership counts as zero.",
            parameter=Option("resolution"),
            value=resolution,
        )


def checked_treatment(resolution: Any, rows: Rows) -> Treatment:
    """Return what was done to memberships; raise an error if a row may lie below a given limit."""
    k = rows.k
    if resolution != "auto" and resolution >= 1.0 / k:
        raise NotApplicableError(
            "a resolution of {value:g} is no smaller than 1/{k}: rows of {k} clusters may then "
            "have no entry above it. Lower the resolution.",
            parameter=Option("resolution"),
            value=resolution,
            k=k,
        )
    return treatment_of(rows, resolution)
