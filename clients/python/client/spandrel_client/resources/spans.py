from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from ..exceptions import StatusError
from ..frames.values import to_json_value
from ..transport.calls import Call, Steps, Timeout, part
from .base import Listing, M, listing, operation
from .span_annotations import SpanAnnotations
from .span_errors import creation_error
from .span_files import SpanFiles

if TYPE_CHECKING:
    from ..generated import api


class Spans(SpanAnnotations[M], SpanFiles[M]):
    """Spans: the steps of traces."""

    @listing
    def get_spans(
        self,
        *,
        project_identifier: str,
        start_time: datetime | None = None,
        end_time: datetime | None = None,
        trace_ids: Sequence[str] | None = None,
        span_ids: Sequence[str] | None = None,
        parent_id: str | None = None,
        name: str | Sequence[str] | None = None,
        span_kind: str | Sequence[str] | None = None,
        status_code: str | Sequence[str] | None = None,
        attributes: Mapping[str, Any] | None = None,
        limit: int | None = 100,
        timeout: Timeout = 5,
    ) -> Steps[Listing[api.Span]]:
        """Spans of a project, newest first. `parent_id="null"` gives root spans, `limit=None` all."""
        filters = _filter_texts(attributes)
        for given, capability, version in (
            (trace_ids, "filtering spans by trace", "13.9.0"),
            (name or span_kind or status_code, "filtering spans by name, kind or status", "13.15.0"),
            (filters, "filtering spans by attributes", "14.9.0"),
            (span_ids, "filtering spans by id", "19.6.0"),
        ):
            if given:
                yield from self._transport.require(capability, version)
        params = {
            "start_time": start_time,
            "end_time": end_time,
            "trace_id": trace_ids,
            "span_id": span_ids,
            "parent_id": parent_id,
            "name": name,
            "span_kind": span_kind,
            "status_code": status_code,
            "attribute": filters,
        }
        return Listing(Call("GET", f"/v1/projects/{part(project_identifier)}/spans", params=params, timeout=timeout), limit=limit)

    @listing
    def get_otlp_spans(
        self,
        *,
        project_identifier: str,
        start_time: datetime | None = None,
        end_time: datetime | None = None,
        trace_ids: Sequence[str] | None = None,
        span_ids: Sequence[str] | None = None,
        parent_id: str | None = None,
        name: str | Sequence[str] | None = None,
        status_code: str | Sequence[str] | None = None,
        attributes: Mapping[str, Any] | None = None,
        limit: int | None = 100,
        timeout: Timeout = 5,
    ) -> Listing[api.OtlpSpan]:
        """Spans in the JSON notation of OTLP, last stored first, for programs that read that one. `limit=None` gives all."""
        params = {
            "start_time": start_time,
            "end_time": end_time,
            "trace_id": trace_ids,
            "span_id": span_ids,
            "parent_id": parent_id,
            "name": name,
            "status_code": status_code,
            "attribute": _filter_texts(attributes),
        }
        call = Call("GET", f"/v1/projects/{part(project_identifier)}/spans/otlpv1", params=params, timeout=timeout)
        return Listing(call, limit=limit)

    @operation
    def get_spans_dataframe(
        self,
        *,
        query: Any = None,
        start_time: datetime | None = None,
        end_time: datetime | None = None,
        limit: int = 1000,
        root_spans_only: bool | None = None,
        project_identifier: str | None = None,
        project_name: str | None = None,
        timeout: Timeout = 5,
        library: str = "pandas",
    ) -> Steps[Any]:
        """Spans as a frame of pandas, or of `library="polars"`, newest first, read as they arrive.

        `limit=-1` gives all. Structured values are decoded when they are looked at. Times without an offset are of the local zone.
        """
        from ..frames.arrow import read_frame

        if project_identifier and project_name:
            raise ValueError("expected project_identifier or project_name, got both")
        project = project_identifier or project_name
        if project_identifier and _is_project_id(project_identifier):
            found = yield from self._data(Call("GET", f"/v1/projects/{part(project_identifier)}"))
            project = found["name"]
        body = {
            "queries": [query.to_dict() if query is not None else {}],
            "start_time": _aware_text(start_time),
            "end_time": _aware_text(end_time),
            "limit": limit,
            "root_spans_only": root_spans_only,
        }
        call = Call(
            "POST",
            "/v1/spans",
            params={"project_name": project},
            json=body,
            # Other servers answer any content type that they do not know with one stream.
            headers={"accept": "application/vnd.spandrel.arrow-pages"},
            timeout=timeout,
            is_repeatable=True,
        )
        return (yield from self._transport.read(call, lambda headers, file: read_frame(headers, file, library)))

    @operation
    def log_spans(
        self, *, project_identifier: str, spans: Sequence[Mapping[str, Any]], timeout: Timeout = 5
    ) -> Steps[api.QueuedSpans]:
        """Stores spans, all or none. SpanCreationError names those that are invalid or stored already."""
        spans = list(spans)
        call = Call("POST", f"/v1/projects/{part(project_identifier)}/spans", json={"data": spans}, timeout=timeout, creates=True)
        try:
            return (yield from self._json(call))
        except StatusError as error:
            if error.status not in (400, 422):
                raise
            raise creation_error(error, spans) from None

    @operation
    def log_spans_dataframe(self, *, project_identifier: str, spans_dataframe: Any, timeout: Timeout = 5) -> Steps[api.QueuedSpans]:
        """Stores the rows of a frame as spans."""
        from ..frames.spans import dataframe_to_spans

        spans = dataframe_to_spans(spans_dataframe)
        return (yield from self.log_spans.steps(project_identifier=project_identifier, spans=spans, timeout=timeout))

    @operation
    def delete(self, *, span_identifier: str, timeout: Timeout = 5) -> Steps[None]:
        """Deletes one span, by id or by OpenTelemetry span id. Its children stay."""
        yield from self._transport.send(
            Call("DELETE", f"/v1/spans/{part(span_identifier)}", timeout=timeout)
        )


def _aware_text(time: datetime | str | None) -> str | None:
    """A time without an offset is of the local zone."""
    return time.astimezone(timezone.utc).isoformat() if isinstance(time, datetime) else time


def _filter_texts(attributes: Mapping[str, Any] | None) -> list[str]:
    return [f"{key}:{_filter_text(key, value)}" for key, value in (attributes or {}).items()]


def _filter_text(key: str, value: Any) -> str:
    """A value of an attribute filter. A text that would be read as another type is quoted."""
    value = to_json_value(value) if not isinstance(value, float) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"the attribute {key} is {value}; expected a finite number")
    if isinstance(value, (int, float)):
        return str(value)
    if not isinstance(value, str):
        raise ValueError(f"the attribute {key} is {type(value).__name__}; expected a text, a number or a boolean")
    try:
        is_plain = isinstance(json.loads(value), str)
    except ValueError:
        is_plain = value != ""
    return value if is_plain else json.dumps(value)


def _is_project_id(text: str) -> bool:
    import base64

    try:
        return base64.b64decode(text, validate=True).startswith(b"Project:")
    except ValueError:
        return False
