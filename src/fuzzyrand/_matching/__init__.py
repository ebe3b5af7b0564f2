"""Which cluster of one clustering is which cluster of another: overlaps and one-to-one pairs."""
