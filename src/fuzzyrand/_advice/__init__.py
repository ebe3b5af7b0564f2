"""Advice on two clusterings: what the models say about them, and rules that choose by it."""
