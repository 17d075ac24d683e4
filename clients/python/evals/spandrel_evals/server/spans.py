"""Spans of a project as rows, and their evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..errors import InputError
from ..json_values import is_missing
from ..runner.evaluate import evaluate
from ..runner.results import Evaluation
from .annotations import log_annotations

_FIELDS = ("name", "span_kind", "status_code", "start_time", "end_time")


class SpanRows:
    """Spans of a project as rows for `evaluate`, newest first, read page by page.

    Each row has `span_id`, `trace_id`, `name`, `span_kind`, `status_code`, `start_time`, `end_time`, `input` and `output` (the
    texts of `input.value` and `output.value`), and `attributes`, whose keys have dots. `where` is a filter text such as
    `span_kind == 'LLM'`; then the spans are read as one frame. `limit=None` gives all spans.
    """

    def __init__(
        self,
        client: Any,
        *,
        project_identifier: str,
        where: str | None = None,
        start_time: Any = None,
        end_time: Any = None,
        span_kind: Any = None,
        name: Any = None,
        root_spans_only: bool = False,
        limit: int | None = None,
    ) -> None:
        if not hasattr(client, "spans"):
            raise InputError(f"client is {type(client).__name__}; expected a Client of spandrel_client")
        self._client = client
        self._project = project_identifier
        self._where = where
        self._times = {"start_time": start_time, "end_time": end_time}
        self._filters = {"span_kind": span_kind, "name": name}
        self._root_only = root_spans_only
        self._limit = limit

    def rows_of_source(self) -> Iterator[dict[str, Any]]:
        if self._where is not None:
            yield from self._rows_of_query()
            return
        spans = self._client.spans.get_spans(
            project_identifier=self._project,
            limit=self._limit,
            parent_id="null" if self._root_only else None,
            **self._times,
            **{key: value for key, value in self._filters.items() if value is not None},
        )
        for span in spans:
            yield row_of_span(span)

    def _rows_of_query(self) -> Iterator[dict[str, Any]]:
        from spandrel_client.types.spans import SpanQuery

        if any(value is not None for value in self._filters.values()):
            raise InputError("where and span_kind or name were both given; put all conditions into where")
        frame = self._client.spans.get_spans_dataframe(
            query=SpanQuery().where(self._where),
            project_identifier=self._project,
            limit=-1 if self._limit is None else self._limit,
            root_spans_only=self._root_only or None,
            **self._times,
        )
        names = [str(name) for name in frame.columns]
        for span_id, values in zip(frame.index, frame.itertuples(index=False, name=None)):
            yield _row_of_frame(span_id, dict(zip(names, values)))


def _row_of_frame(span_id: Any, cells: dict[str, Any]) -> dict[str, Any]:
    prefix = "attributes."
    attributes = {
        name[len(prefix) :]: value for name, value in cells.items() if name.startswith(prefix) and not is_missing(value)
    }
    return {
        "span_id": cells.get("context.span_id", span_id),
        "trace_id": cells.get("context.trace_id"),
        **{key: cells.get(key) for key in _FIELDS},
        "input": attributes.get("input.value"),
        "output": attributes.get("output.value"),
        "attributes": attributes,
    }


def row_of_span(span: Mapping[str, Any]) -> dict[str, Any]:
    """A span of the REST API as a row."""
    attributes = span.get("attributes") or {}
    context = span.get("context") or {}
    return {
        "span_id": context.get("span_id"),
        "trace_id": context.get("trace_id"),
        **{key: span.get(key) for key in _FIELDS},
        "input": attributes.get("input.value"),
        "output": attributes.get("output.value"),
        "attributes": attributes,
    }


def evaluate_spans(
    client: Any,
    evaluators: Any,
    *,
    project_identifier: str,
    where: str | None = None,
    start_time: Any = None,
    end_time: Any = None,
    span_kind: Any = None,
    root_spans_only: bool = False,
    limit: int | None = 1_000,
    identifier: str = "spandrel-evals",
    trace_project: str | None = None,
    **options: Any,
) -> Evaluation:
    """Judges spans and stores the scores as annotations. Running it again replaces them, by `identifier`.

    Traces of the judges go to the project `trace_project` if it is given. Further options are those of `evaluate`.
    """
    rows = SpanRows(
        client,
        project_identifier=project_identifier,
        where=where,
        start_time=start_time,
        end_time=end_time,
        span_kind=span_kind,
        root_spans_only=root_spans_only,
        limit=limit,
    )
    if trace_project is not None:
        options |= {"trace_project": trace_project, "client": client}
    evaluation = evaluate(rows, evaluators, **options)
    log_annotations(evaluation, client, evaluators=evaluators, identifier=identifier)
    return evaluation
