"""Explain where two clusterings disagree: points, clusters, refinement, fuzziness."""
