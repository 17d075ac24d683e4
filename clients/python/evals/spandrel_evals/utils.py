"""Helpers by the names that code for other evaluation libraries imports."""

from __future__ import annotations

from .frames.annotations import to_annotation_dataframe
from .mapping.input_mapping import remap_eval_input
from .mapping.jsonpath import extract_with_jsonpath

__all__ = [
    "default_tqdm_progress_bar_formatter",
    "extract_with_jsonpath",
    "remap_eval_input",
    "to_annotation_dataframe",
]


def default_tqdm_progress_bar_formatter(title: str) -> str:
    """The format of a progress bar of tqdm. Our runs print their own progress, so it is for other loops."""
    return f"{title} |{{bar}}| {{n_fmt}}/{{total_fmt}} ({{percentage:.1f}}%) | {{elapsed}}<{{remaining}} | {{rate_fmt}}"

