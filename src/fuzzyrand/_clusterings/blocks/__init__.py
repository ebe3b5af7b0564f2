"""Clusterings in blocks of rows: partial results of blocks, and how to combine them."""
