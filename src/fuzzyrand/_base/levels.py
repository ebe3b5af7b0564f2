"""Confidence levels that can be asked for."""

from __future__ import annotations

#: Beyond these, the ends of an interval depend on tails that no sample shows.
LOWEST_LEVEL, HIGHEST_LEVEL = 0.01, 0.9999
