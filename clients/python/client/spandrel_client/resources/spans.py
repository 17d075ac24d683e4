from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from ..exceptions import SpanCreationError, StatusError
from ..frames.values import to_json_value
from ..limits import SPAN_IDS_PER_REQUEST
from ..transport.calls import Call, Steps, Timeout, part
from .annotations import DOCUMENT, SPAN, build_annotation, send_annotations, send_frame
from .base import Listing, Resource, listing, operation

Texts = "str | Sequence[str] | None"


class Spans(Resource):
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
    ) -> Steps[Listing[dict[str, Any]]]:
        """Spans of a project, newest first. `parent_id="null"` gives root spans, `limit=None` all."""
        filters = [f"{key}:{_filter_text(key, value)}" for key, value in (attributes or {}).items()]
        for given, capability, version in (
            (trace_ids, "filtering spans by trace", "13.9.0"),
            (name or span_kind or status_code, "filtering spans by name, kind or status", "13.15.0"),
            (filters, "filtering spans by attributes", "14.9.0"),
            (span_ids, "filtering spans by id", "19.6.0"),
        ):
            if given:
                yield from self._transport.require(capability, version)
        params = {
            "start_time": time_text(start_time),
            "end_time": time_text(end_time),
            "trace_id": trace_ids,
            "span_id": span_ids,
            "parent_id": parent_id,
            "name": name,
            "span_kind": span_kind,
            "status_code": status_code,
            "attribute": filters,
        }
        return Listing(Call("GET", f"/v1/projects/{part(project_identifier)}/spans", params=params, timeout=timeout), limit=limit)

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
    def get_span_annotations(
        self,
        *,
        project_identifier: str,
        span_ids: Iterable[str] | None = None,
        spans: Iterable[Mapping[str, Any]] | None = None,
        include_annotation_names: Sequence[str] | None = None,
        exclude_annotation_names: Sequence[str] | None = None,
        limit: int = 1000,
        timeout: Timeout = 5,
    ) -> Steps[list[dict[str, Any]]]:
        """Annotations of spans. Notes are left out unless `exclude_annotation_names` says otherwise; `limit` is of a page."""
        if (span_ids is None) == (spans is None):
            raise ValueError("expected exactly one of span_ids, spans")
        ids = [span["context"]["span_id"] for span in spans] if spans is not None else span_ids
        return (
            yield from self._annotations(
                project_identifier, ids or (), include_annotation_names, exclude_annotation_names, limit, timeout
            )
        )

    @operation
    def get_span_annotations_dataframe(
        self,
        *,
        spans_dataframe: Any = None,
        span_ids: Iterable[str] | None = None,
        spans: Iterable[Mapping[str, Any]] | None = None,
        project_identifier: str = "default",
        include_annotation_names: Sequence[str] | None = None,
        exclude_annotation_names: Sequence[str] | None = None,
        limit: int = 1000,
        timeout: Timeout = 5,
    ) -> Steps[Any]:
        """Annotations of spans as a pandas frame by span id, with columns `result.label`, `result.score` and so on."""
        from ..frames.annotations import annotations_frame, span_ids_of_frame

        if sum(source is not None for source in (spans_dataframe, span_ids, spans)) != 1:
            raise ValueError("expected exactly one of spans_dataframe, span_ids, spans")
        if spans_dataframe is not None:
            span_ids = span_ids_of_frame(spans_dataframe)
        elif spans is not None:
            span_ids = [span["context"]["span_id"] for span in spans]
        found = yield from self._annotations(
            project_identifier, span_ids or (), include_annotation_names, exclude_annotation_names, limit, timeout
        )
        return annotations_frame(found)

    def _annotations(
        self,
        project: str,
        span_ids: Iterable[str],
        include: Sequence[str] | None,
        exclude: Sequence[str] | None,
        limit: int,
        timeout: Timeout,
    ) -> Steps[list[dict[str, Any]]]:
        ids = list(dict.fromkeys(span_ids))
        found: list[dict[str, Any]] = []
        for start in range(0, len(ids), SPAN_IDS_PER_REQUEST):
            params = {
                "span_ids": ids[start : start + SPAN_IDS_PER_REQUEST],
                "include_annotation_names": include,
                "exclude_annotation_names": ["note"] if exclude is None else exclude,
            }
            cursor: str | None = None
            pages: Listing[dict[str, Any]] = Listing(
                Call("GET", f"/v1/projects/{part(project)}/span_annotations", params=params, timeout=timeout)
            )
            while True:
                page = yield from pages.page(self._transport, cursor, limit)
                found.extend(page.data)
                cursor = page.next_cursor
                if not cursor:
                    break
        return found

    @operation
    def log_spans(
        self, *, project_identifier: str, spans: Sequence[Mapping[str, Any]], timeout: Timeout = 5
    ) -> Steps[dict[str, Any]]:
        """Stores spans, all or none. SpanCreationError names those that are invalid or stored already."""
        spans = list(spans)
        call = Call("POST", f"/v1/projects/{part(project_identifier)}/spans", json={"data": spans}, timeout=timeout, creates=True)
        try:
            return (yield from self._json(call))
        except StatusError as error:
            if error.status not in (400, 422):
                raise
            raise _creation_error(error, spans) from None

    @operation
    def log_spans_dataframe(self, *, project_identifier: str, spans_dataframe: Any, timeout: Timeout = 5) -> Steps[Any]:
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

    @operation
    def add_span_annotation(
        self,
        *,
        span_id: str,
        annotation_name: str,
        annotator_kind: str = "HUMAN",
        label: str | None = None,
        score: float | None = None,
        explanation: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        identifier: str | None = None,
        sync: bool = False,
    ) -> Steps[dict[str, Any] | None]:
        """Annotates one span. Returns `{id}` if `sync`, else None."""
        annotation = build_annotation(
            {"span_id": span_id},
            annotation_name=annotation_name,
            annotator_kind=annotator_kind,
            label=label,
            score=score,
            explanation=explanation,
            metadata=metadata,
            identifier=identifier,
        )
        ids = yield from send_annotations(self, SPAN, [annotation], sync=sync)
        return ids[0] if ids else None

    @operation
    def log_span_annotations(self, *, span_annotations: Iterable[Mapping[str, Any]], sync: bool = False) -> Steps[Any]:
        """Stores annotations in one request."""
        return (yield from send_annotations(self, SPAN, span_annotations, sync=sync))

    @operation
    def log_span_annotations_dataframe(
        self, *, dataframe: Any, annotation_name: str | None = None, annotator_kind: str | None = None, sync: bool = False
    ) -> Steps[Any]:
        """Stores an annotation for each row of a frame."""
        return (
            yield from send_frame(
                self, SPAN, dataframe, annotation_name=annotation_name, annotator_kind=annotator_kind, sync=sync
            )
        )

    @operation
    def add_document_annotation(
        self,
        *,
        span_id: str,
        document_position: int,
        annotation_name: str,
        annotator_kind: str = "HUMAN",
        label: str | None = None,
        score: float | None = None,
        explanation: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        sync: bool = False,
    ) -> Steps[dict[str, Any] | None]:
        """Annotates a retrieved document by its position from 0. Returns `{id}` if `sync`, else None."""
        annotation = build_annotation(
            {"span_id": span_id, "document_position": document_position},
            annotation_name=annotation_name,
            annotator_kind=annotator_kind,
            label=label,
            score=score,
            explanation=explanation,
            metadata=metadata,
        )
        ids = yield from send_annotations(self, DOCUMENT, [annotation], sync=sync)
        return ids[0] if ids else None

    @operation
    def log_document_annotations(
        self, *, document_annotations: Iterable[Mapping[str, Any]], sync: bool = False
    ) -> Steps[Any]:
        """Stores annotations of documents in one request."""
        return (yield from send_annotations(self, DOCUMENT, document_annotations, sync=sync))

    @operation
    def log_document_annotations_dataframe(
        self, *, dataframe: Any, annotation_name: str | None = None, annotator_kind: str | None = None, sync: bool = False
    ) -> Steps[Any]:
        """Stores an annotation of a document for each row of a frame."""
        return (
            yield from send_frame(
                self, DOCUMENT, dataframe, annotation_name=annotation_name, annotator_kind=annotator_kind, sync=sync
            )
        )

    @operation
    def add_span_note(self, *, span_id: str, note: str, identifier: str | None = None) -> Steps[dict[str, Any]]:
        """Adds a note; with an identifier it replaces the note of that identifier."""
        from .traces import add_note

        return (yield from add_note(self, "span", span_id, note, identifier))


def time_text(time: datetime | str | None) -> str | None:
    return time.isoformat() if isinstance(time, datetime) else time


def _aware_text(time: datetime | str | None) -> str | None:
    """A time without an offset is of the local zone."""
    return time.astimezone(timezone.utc).isoformat() if isinstance(time, datetime) else time


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


def _creation_error(error: StatusError, spans: Sequence[Mapping[str, Any]]) -> SpanCreationError | StatusError:
    """What the server says about single spans. The error itself when it says nothing of them."""
    try:
        told = json.loads(error.response.content)
        if isinstance(told, dict) and isinstance(told.get("detail"), str):
            told = json.loads(told["detail"])
    except ValueError:
        return error
    if error.status == 422 and isinstance(told, dict) and isinstance(told.get("detail"), list):
        invalid = [_invalid_span(problem, spans) for problem in told["detail"]]
        return SpanCreationError(
            f"{len(invalid)} of {len(spans)} spans are invalid, and none was stored; the first: {invalid[0]['error']}"
            if invalid
            else str(error),
            invalid_spans=invalid,
            total_received=len(spans),
            total_invalid=len(invalid),
        )
    if not isinstance(told, dict) or "total_received" not in told:
        return error
    counts = {name: int(told.get(name, 0)) for name in ("total_received", "total_queued", "total_invalid", "total_duplicates")}
    return SpanCreationError(
        f"{counts['total_invalid']} of {counts['total_received']} spans are invalid, and {counts['total_duplicates']} are "
        "stored already; none was stored: leave them out, or give them new ids with uniquify_spans",
        invalid_spans=told.get("invalid_spans", []),
        duplicate_spans=told.get("duplicate_spans", []),
        **counts,
    )


def _invalid_span(problem: Mapping[str, Any], spans: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    location = problem.get("loc", [])
    number = location[2] if len(location) > 2 and isinstance(location[2], int) else None
    span = spans[number] if number is not None and number < len(spans) else {}
    context = span.get("context") if isinstance(span, Mapping) else None
    context = context if isinstance(context, Mapping) else {}
    return {
        "span_id": str(context.get("span_id", "")),
        "trace_id": str(context.get("trace_id", "")),
        "error": f"{'.'.join(str(step) for step in location)}: {problem.get('msg', '')}",
    }
