"""Uncertainty of a comparison: significance tests, and confidence intervals."""
