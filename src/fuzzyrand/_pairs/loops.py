"""Description of an agreement for the compiled loops; importing this does not load Numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Loop:
    """How the agreement of two rows is computed.

    Attributes
    ----------
    kind : "norm" or "dot"
        One minus a scaled distance, or a dot product.
    p : float
        Order of the norm.
    """

    kind: Literal["norm", "dot"]
    p: float = 1.0
