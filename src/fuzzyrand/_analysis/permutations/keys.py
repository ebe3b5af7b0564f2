"""Keys of the random streams of a permutation test.

The stream of a batch has one number as its key, the batch. All other streams have two, the first of
which is one of these, so they differ from the streams of batches.
"""

from __future__ import annotations

#: Pairs from which the variance of the agreements is estimated.
PAIRS = 0
#: Points whose agreements with all others are computed.
ROWS = 1
#: Points that are shuffled if there are too many.
POINTS = 2
#: Points that show the shape of the law of a statistic.
SHAPE = 3
