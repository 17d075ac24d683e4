from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..transport.calls import Call, Steps, Timeout, part
from .annotations import TRACE, build_annotation, deletion_params, name_params, send_annotations, send_frame
from .base import Listing, M, Resource, listing, operation

if TYPE_CHECKING:
    from ..generated import api


class Traces(Resource[M]):
    """Traces: trees of spans that belong to one request."""

    @listing
    def get_traces(
        self,
        *,
        project_identifier: str,
        start_time: datetime | None = None,
        end_time: datetime | None = None,
        sort: str | None = None,
        order: str | None = None,
        include_spans: bool = False,
        session_id: str | Sequence[str] | None = None,
        error: bool | None = None,
        min_latency_ms: float | None = None,
        max_latency_ms: float | None = None,
        limit: int | None = 100,
        timeout: Timeout = 5,
    ) -> Steps[Listing[api.Trace]]:
        """Traces of a project, newest first; `sort` is `start_time` or `latency_ms`. `limit=None` gives all."""
        bounds = [bound for bound in (min_latency_ms, max_latency_ms) if bound is not None]
        if any(bound < 0 for bound in bounds) or sorted(bounds) != bounds:
            raise ValueError("expected 0 <= min_latency_ms <= max_latency_ms")
        yield from self._transport.require("listing traces", "13.15.0")
        if error is not None or bounds:
            yield from self._transport.require("filtering traces by error or latency", "20.8.0")
        params = {
            "start_time": start_time,
            "end_time": end_time,
            "sort": sort,
            "order": order,
            "include_spans": include_spans or None,
            "session_identifier": session_id,
            "error": error,
            "min_latency_ms": min_latency_ms,
            "max_latency_ms": max_latency_ms,
        }
        return Listing(Call("GET", f"/v1/projects/{part(project_identifier)}/traces", params=params, timeout=timeout), limit=limit)

    @operation
    def delete(self, *, trace_identifier: str) -> Steps[None]:
        """Deletes a trace with its spans, by id or by OpenTelemetry trace id."""
        yield from self._transport.send(Call("DELETE", f"/v1/traces/{part(trace_identifier)}"))

    @operation
    def transfer(self, *, trace_identifiers: Sequence[str], destination_project: str) -> Steps[api.TransferTracesResponseData]:
        """Moves traces to another project."""
        body = {"trace_identifiers": list(trace_identifiers), "destination_project_identifier": destination_project}
        return (yield from self._data(Call("POST", "/v1/traces/transfer", json=body)))

    @operation
    def add_trace_annotation(
        self,
        *,
        trace_id: str,
        annotation_name: str,
        annotator_kind: str = "HUMAN",
        label: str | None = None,
        score: float | None = None,
        explanation: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        identifier: str | None = None,
        sync: bool = False,
    ) -> Steps[api.AnnotateTracesResponseDataItem | None]:
        """Annotates one trace. Returns `{id}` if `sync`, else None."""
        annotation = build_annotation(
            {"trace_id": trace_id},
            annotation_name=annotation_name,
            annotator_kind=annotator_kind,
            label=label,
            score=score,
            explanation=explanation,
            metadata=metadata,
            identifier=identifier,
        )
        ids = yield from send_annotations(self, TRACE, [annotation], sync=sync)
        return ids[0] if ids else None

    @operation
    def log_trace_annotations(
        self, *, trace_annotations: Iterable[Mapping[str, Any]], sync: bool = False
    ) -> Steps[list[api.AnnotateTracesResponseDataItem] | None]:
        """Stores annotations in one request."""
        return (yield from send_annotations(self, TRACE, trace_annotations, sync=sync))

    @operation
    def log_trace_annotations_dataframe(
        self, *, dataframe: Any, annotation_name: str | None = None, annotator_kind: str | None = None, sync: bool = False
    ) -> Steps[list[api.AnnotateTracesResponseDataItem] | None]:
        """Stores an annotation for each row of a frame."""
        return (
            yield from send_frame(
                self, TRACE, dataframe, annotation_name=annotation_name, annotator_kind=annotator_kind, sync=sync
            )
        )

    @listing
    def get_trace_annotations(
        self,
        *,
        project_identifier: str,
        trace_ids: Sequence[str],
        include_annotation_names: Sequence[str] | None = None,
        exclude_annotation_names: Sequence[str] | None = None,
    ) -> Listing[api.TraceAnnotation]:
        """Annotations of up to 1,000 traces, newest first. Notes are left out unless `exclude_annotation_names` says otherwise."""
        params = {"trace_ids": [*trace_ids], **name_params(include_annotation_names, exclude_annotation_names)}
        call = Call("GET", f"/v1/projects/{part(project_identifier)}/trace_annotations", params=params)
        return Listing(call, page_size=1000)

    @operation
    def delete_trace_annotations(
        self,
        *,
        project_identifier: str,
        name: str | None = None,
        identifier: str | None = None,
        annotator_kind: str | None = None,
        start_time: datetime | str | None = None,
        end_time: datetime | str | None = None,
        delete_all: bool = False,
    ) -> Steps[None]:
        """Deletes the annotations of traces for which all conditions hold, created between both times or, with `delete_all`, ever."""
        params = deletion_params(name, identifier, annotator_kind, start_time, end_time, delete_all)
        yield from self._transport.send(Call("DELETE", f"/v1/projects/{part(project_identifier)}/trace_annotations", params=params))

    @operation
    def add_trace_note(self, *, trace_id: str, note: str, identifier: str | None = None) -> Steps[api.AddTraceNoteResponseData]:
        """Adds a note; with an identifier it replaces the note of that identifier."""
        return (yield from add_note(self, "trace", trace_id, note, identifier))


def add_note(
    resource: Resource[Any], target: str, target_id: str, note: str, identifier: str | None = None
) -> Steps[Any]:
    """Posts a note of a span, a trace or a session."""
    if not note or not note.strip():
        raise ValueError("note is blank; expected a text")
    if identifier:
        yield from resource._transport.require("an identifier of a note", "15.5.0")
    body: dict[str, Any] = {f"{target}_id": target_id, "note": note.strip()}
    if identifier:
        body["identifier"] = identifier
    is_repeatable = True if identifier else None
    calls = {
        "span": Call("POST", "/v1/span_notes", json={"data": body}, creates=True, is_repeatable=is_repeatable),
        "trace": Call("POST", "/v1/trace_notes", json={"data": body}, creates=True, is_repeatable=is_repeatable),
        "session": Call("POST", "/v1/session_notes", json={"data": body}, creates=True, is_repeatable=is_repeatable),
    }
    return (yield from resource._data(calls[target]))
