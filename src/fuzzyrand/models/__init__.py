"""Random models: from a clustering to the co-memberships of a random one in its place."""

from .base import Model
from .custom import Custom
from .dirichlet import Fit, Flat, Sym
from .hard import All, Cat, Num
from .perm import Perm
from .registry import MODELS, as_model
from .richer_rows import Empirical, Generalised, Kernel, Mixed, Mixture

__all__ = [
    "MODELS",
    "All",
    "Cat",
    "Custom",
    "Empirical",
    "Fit",
    "Flat",
    "Generalised",
    "Kernel",
    "Mixed",
    "Mixture",
    "Model",
    "Num",
    "Perm",
    "Sym",
    "as_model",
]
