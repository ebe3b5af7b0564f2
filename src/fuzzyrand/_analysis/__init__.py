"""Analyse two clusterings under random models: observed, expected and adjusted discordance."""

from .analysis import Analysis, Observation, analyse_models

__all__ = ["Analysis", "Observation", "analyse_models"]
