"""Stability of clusterings: subsamples, clustered and compared, for each number of clusters."""
