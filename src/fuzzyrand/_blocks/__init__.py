"""Clusterings in blocks of rows: what a block says, and how the words of two blocks are added."""
