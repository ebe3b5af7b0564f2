"""Clusterings in blocks of rows: partial results of blocks ("words"), and how to combine them."""
