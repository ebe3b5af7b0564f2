"""Array types shared by the package."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
#: Integers of any width: 8-bit labels, for example, are not widened.
IntArray = npt.NDArray[np.integer]
