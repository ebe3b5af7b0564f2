"""Which points clusterings share: ids, order, and what was left out."""
