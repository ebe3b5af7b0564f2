"""Array types shared by the package."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
#: Whole numbers of any width: labels of 8 bits stay as they are.
IntArray = npt.NDArray[np.integer]
