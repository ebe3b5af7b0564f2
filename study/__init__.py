"""The experiments of DeWolfe and Andrews (arXiv:2312.10270), rerun and corrected.

There are three studies: :mod:`.toy`, :mod:`.error` and :mod:`.factorial`. Each has a function
``run(out, ...)`` that computes what is missing in a directory and writes tables, figures and a page
there. On the command line they are ``python -m study toy``, ``error`` and ``factorial``.
"""
