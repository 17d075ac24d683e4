"""Spans from frames."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from .values import is_missing, to_json_value

_DEFAULTS = {"name": "unknown", "span_kind": "UNKNOWN", "status_code": "UNSET"}


def dataframe_to_spans(df: Any) -> list[dict[str, Any]]:
    """Spans of the rows of a pandas or polars frame, as `log_spans` takes them.

    Columns `attributes.*` become attributes. Rows without a trace id are left out. ValueError without span ids or for
    times without an offset.
    """
    if hasattr(df, "iter_rows"):
        rows: Any = df.iter_rows(named=True)
        columns, index = list(df.columns), None
    elif hasattr(df, "itertuples"):
        columns = [str(name) for name in df.columns]
        rows = (dict(zip(columns, row)) for row in df.itertuples(index=False, name=None))
        index = df.index
    else:
        raise TypeError(f"expected a data frame of pandas or polars, got {type(df).__name__}")
    id_column = next((name for name in ("context.span_id", "span_id") if name in columns), None)
    if id_column is None and (index is None or not all(isinstance(value, str) for value in index)):
        raise ValueError("expected span ids in a column context.span_id or span_id, or as the index")
    spans = []
    for number, row in enumerate(rows):
        trace_id = next((row[name] for name in ("context.trace_id", "trace_id") if not is_missing(row.get(name))), None)
        span_id = row[id_column] if id_column else index[number]  # type: ignore[index]
        if is_missing(span_id):
            raise ValueError(f"row {number} has no span id")
        if trace_id is not None:
            spans.append(_span(row, str(span_id), str(trace_id)))
    return spans


def _span(row: Mapping[str, Any], span_id: str, trace_id: str) -> dict[str, Any]:
    def value(name: str) -> Any:
        return None if is_missing(row.get(name)) else row[name]

    span: dict[str, Any] = {"context": {"trace_id": trace_id, "span_id": span_id}}
    for name, default in _DEFAULTS.items():
        span[name] = str(value(name) or default)
    for name in ("start_time", "end_time"):
        span[name] = _time(name, value(name), span_id)
    if value("parent_id"):
        span["parent_id"] = str(row["parent_id"])
    if value("status_message"):
        span["status_message"] = str(row["status_message"])
    span["attributes"] = {
        name[len("attributes.") :]: to_json_value(cell)
        for name, cell in row.items()
        if name.startswith("attributes.") and not is_missing(cell)
    }
    events = value("events")
    if events is not None and len(events):
        span["events"] = [to_json_value(event) for event in events]
    return span


def _time(name: str, value: Any, span_id: str) -> str:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            raise ValueError(f"{name} of span {span_id} is {value!r}; expected a time in ISO form") from None
    if not isinstance(value, datetime):
        raise ValueError(f"{name} of span {span_id} is {value!r}; expected a time")
    if value.tzinfo is None:
        raise ValueError(f"{name} of span {span_id} has no time zone; expected one, such as UTC")
    return value.isoformat()
