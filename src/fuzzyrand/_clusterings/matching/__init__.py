"""Match the clusters of one clustering with those of another: overlaps and one-to-one pairs."""
