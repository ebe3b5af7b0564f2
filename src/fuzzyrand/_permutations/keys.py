"""Keys of the random streams of a permutation test.

The streams of batches have one number, the batch. All others have two, of which the first is one of
these: so none of them is that of a batch.
"""

from __future__ import annotations

#: Pairs that the variance of the agreements is estimated from.
PAIRS = 0
#: Points whose agreements with all others are looked at.
ROWS = 1
#: Points that are shuffled, where there are too many.
POINTS = 2
