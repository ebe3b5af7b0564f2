"""Doctests are collected from the pages alone; recipes are run when the site is built."""

collect_ignore_glob = ["*.py", "_build/*", "auto_recipes/*", "reference/*"]
