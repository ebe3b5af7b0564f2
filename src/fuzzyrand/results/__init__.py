"""Results: frozen, with the objects they came from, and able to print themselves."""

from .comparison import WIDTH, Comparison
from .model_check import ModelCheck
from .pairwise import Pairwise
from .setting import Setting
from .table import ComparisonTable

__all__ = ["WIDTH", "Comparison", "ComparisonTable", "ModelCheck", "Pairwise", "Setting"]
