from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..limits import SPAN_IDS_PER_REQUEST
from ..transport.calls import Call, Steps, Timeout, part
from .annotations import DOCUMENT, SPAN, build_annotation, deletion_params, name_params, send_annotations, send_frame
from .base import Listing, M, Resource, operation
from .traces import add_note

if TYPE_CHECKING:
    import pandas

    from ..generated import api


class SpanAnnotations(Resource[M]):
    """Annotations and notes of spans and of their documents."""

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
    ) -> Steps[list[api.SpanAnnotation]]:
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
    ) -> Steps[pandas.DataFrame]:
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
    ) -> Steps[list[Any]]:
        ids = list(dict.fromkeys(span_ids))
        found: list[Any] = []
        for start in range(0, len(ids), SPAN_IDS_PER_REQUEST):
            params = {"span_ids": ids[start : start + SPAN_IDS_PER_REQUEST], **name_params(include, exclude)}
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
    ) -> Steps[api.AnnotateSpansResponseDataItem | None]:
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
    def log_span_annotations(self, *, span_annotations: Iterable[Mapping[str, Any]], sync: bool = False) -> Steps[list[api.AnnotateSpansResponseDataItem] | None]:
        """Stores annotations in one request."""
        return (yield from send_annotations(self, SPAN, span_annotations, sync=sync))

    @operation
    def log_span_annotations_dataframe(
        self, *, dataframe: Any, annotation_name: str | None = None, annotator_kind: str | None = None, sync: bool = False
    ) -> Steps[list[api.AnnotateSpansResponseDataItem] | None]:
        """Stores an annotation for each row of a frame."""
        return (
            yield from send_frame(
                self, SPAN, dataframe, annotation_name=annotation_name, annotator_kind=annotator_kind, sync=sync
            )
        )

    @operation
    def delete_span_annotations(
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
        """Deletes the annotations of spans for which all conditions hold, created between both times or, with `delete_all`, ever."""
        params = deletion_params(name, identifier, annotator_kind, start_time, end_time, delete_all)
        yield from self._transport.send(Call("DELETE", f"/v1/projects/{part(project_identifier)}/span_annotations", params=params))

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
    ) -> Steps[api.AnnotateDocumentsResponseDataItem | None]:
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
    ) -> Steps[list[api.AnnotateDocumentsResponseDataItem] | None]:
        """Stores annotations of documents in one request."""
        return (yield from send_annotations(self, DOCUMENT, document_annotations, sync=sync))

    @operation
    def log_document_annotations_dataframe(
        self, *, dataframe: Any, annotation_name: str | None = None, annotator_kind: str | None = None, sync: bool = False
    ) -> Steps[list[api.AnnotateDocumentsResponseDataItem] | None]:
        """Stores an annotation of a document for each row of a frame."""
        return (
            yield from send_frame(
                self, DOCUMENT, dataframe, annotation_name=annotation_name, annotator_kind=annotator_kind, sync=sync
            )
        )

    @operation
    def add_span_note(self, *, span_id: str, note: str, identifier: str | None = None) -> Steps[api.AddSpanNoteResponseData]:
        """Adds a note; with an identifier it replaces the note of that identifier."""
        return (yield from add_note(self, "span", span_id, note, identifier))
