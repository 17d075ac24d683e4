"""Spans as rows: from answers of the REST API, and from frames of the client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..json_values import is_missing

_FIELDS = ("name", "span_kind", "status_code", "start_time", "end_time")
_PREFIX = "attributes."


def row_of_span(span: Mapping[str, Any]) -> dict[str, Any]:
    """A span of the REST API as a row."""
    context = span.get("context") or {}
    return _row(context.get("span_id"), context.get("trace_id"), span, span.get("attributes") or {})


def rows_of_frame(frame: Any) -> Iterator[dict[str, Any]]:
    """Spans of a frame of pandas, whose attributes are columns."""
    names = [str(name) for name in frame.columns]
    for span_id, values in zip(frame.index, frame.itertuples(index=False, name=None)):
        cells = dict(zip(names, values))
        attributes = {
            name[len(_PREFIX) :]: value for name, value in cells.items() if name.startswith(_PREFIX) and not is_missing(value)
        }
        yield _row(cells.get("context.span_id", span_id), cells.get("context.trace_id"), cells, attributes)


def _row(span_id: Any, trace_id: Any, fields: Mapping[str, Any], attributes: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "span_id": span_id,
        "trace_id": trace_id,
        **{key: fields.get(key) for key in _FIELDS},
        "input": _attribute(attributes, "input.value"),
        "output": _attribute(attributes, "output.value"),
        "metadata": _attribute(attributes, "metadata"),
        "attributes": attributes,
    }


def _attribute(attributes: Mapping[str, Any], path: str) -> Any:
    """Attributes are flat or nested, as the server and its version give them."""
    if path in attributes:
        return attributes[path]
    value: Any = attributes
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
