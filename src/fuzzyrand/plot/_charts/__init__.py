"""Charts as data: what the Matplotlib plots and the SVG drawings of the reports show.

A chart holds values, ranges, ticks, order and labels. How it looks is up to its two renderers,
``fuzzyrand.plot`` and ``fuzzyrand.report``.
"""

from .heat import Cell, HeatMap
from .law import BINS, BinnedLaw, LawChart
from .scale import ScaleChart, ScaleRow

__all__ = ["BINS", "BinnedLaw", "Cell", "HeatMap", "LawChart", "ScaleChart", "ScaleRow"]
