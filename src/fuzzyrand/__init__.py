"""Similarity of two clusterings beyond chance, for hard, fuzzy and mixed clusterings.

The public names are listed in ``__init__.pyi``, and each is imported when it is first used.
Importing the package therefore does not import NumPy, SciPy or Numba. If the environment variable
``EAGER_IMPORT`` is 1, all names are imported at once.
"""

import lazy_loader

from ._base.version import __version__ as __version__

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

del lazy_loader
