"""Datasets as handles, and their uploads."""

from .dataset import Dataset, Example

__all__ = ["Dataset", "Example"]
