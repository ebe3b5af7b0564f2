"""Advice on two clusterings: how models describe them, and rules that choose a model."""
