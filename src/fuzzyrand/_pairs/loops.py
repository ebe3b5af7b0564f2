"""What the compiled loops need to know of an agreement; importing this does not load Numba."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Loop:
    """How an agreement of two rows is computed.

    Attributes
    ----------
    kind : "norm" or "dot"
        1 minus a scaled distance, or a dot product.
    p : float
        The norm.
    """

    kind: Literal["norm", "dot"]
    p: float = 1.0
