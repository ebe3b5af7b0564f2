"""The experiments of DeWolfe and Andrews (arXiv:2312.10270), rerun and corrected.

Three studies, each with a ``run(out, ...)`` that computes what is missing in a directory and
writes tables, figures and a page there: :mod:`.toy`, :mod:`.error` and :mod:`.factorial`. From a
shell they are ``fuzzyrand study toy``, ``error`` and ``factorial``.
"""
