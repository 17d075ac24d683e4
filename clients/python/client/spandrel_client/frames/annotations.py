"""Annotations as frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .libraries import load_pandas


def annotations_frame(annotations: Iterable[Mapping[str, Any]]) -> Any:
    """A pandas frame by `span_id`. The name is `annotation_name`, the result is flat."""
    pandas = load_pandas()
    rows = []
    for annotation in annotations:
        row = {key: value for key, value in annotation.items() if key not in ("result", "name")}
        row["annotation_name"] = annotation.get("name")
        row.update({f"result.{key}": value for key, value in (annotation.get("result") or {}).items()})
        rows.append(row)
    if not rows:
        return pandas.DataFrame()
    return pandas.DataFrame(rows).set_index("span_id")


def span_ids_of_frame(frame: Any) -> list[str]:
    if "context.span_id" in frame.columns:
        return [str(value) for value in frame["context.span_id"]]
    if getattr(getattr(frame, "index", None), "name", None) == "context.span_id":
        return [str(value) for value in frame.index]
    raise ValueError("spans_dataframe has no column context.span_id")
