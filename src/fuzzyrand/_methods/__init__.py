"""Beyond a comparison: tests, intervals, where clusterings disagree, advice, many runs."""
