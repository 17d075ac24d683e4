"""Spans of a project as rows, and their evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from ..errors import InputError
from ..limits import SPANS_PER_PAGE
from ..runner.evaluate import evaluate
from ..runner.results import Evaluation
from .annotations import log_annotations
from .rows import row_of_span, rows_of_frame


class SpanRows:
    """Spans of a project as rows for `evaluate`, newest first, read page by page.

    Each row has `span_id`, `trace_id`, `name`, `span_kind`, `status_code`, `start_time`, `end_time`, `input` and `output` (the
    texts of `input.value` and `output.value`), `metadata`, and `attributes`, whose keys have dots. `where` is a filter text such as
    `span_kind == 'LLM'`, for which pandas or polars must be installed. `limit=None` gives all spans.
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
        return self._rows_of_list() if self._where is None else self._rows_of_query()

    def _rows_of_list(self) -> Iterator[dict[str, Any]]:
        get_spans = self._client.spans.get_spans
        # Called, it reads all pages; `iter` holds one at a time.
        spans = getattr(get_spans, "iter", get_spans)(
            project_identifier=self._project,
            limit=self._limit,
            parent_id="null" if self._root_only else None,
            **self._times,
            **{key: value for key, value in self._filters.items() if value is not None},
        )
        for span in spans:
            yield row_of_span(span)

    def _rows_of_query(self) -> Iterator[dict[str, Any]]:
        """Frames from the newest span on, each up to the oldest time of the frame before it."""
        from spandrel_client.types.spans import SpanQuery

        if any(value is not None for value in self._filters.values()):
            raise InputError("where and span_kind or name were both given; put all conditions into where")
        query = SpanQuery().where(self._where)
        end_time = self._times["end_time"]
        oldest: datetime | None = None
        # Spans of the oldest time, which the next frame has again.
        known: set[Any] = set()
        rest, page = self._limit, SPANS_PER_PAGE
        while rest is None or rest > 0:
            frame = self._client.spans.get_spans_dataframe(
                query=query,
                project_identifier=self._project,
                limit=page,
                root_spans_only=self._root_only or None,
                start_time=self._times["start_time"],
                end_time=end_time,
            )
            found = list(rows_of_frame(frame))
            new = [row for row in found if row["span_id"] not in known]
            yield from new[:rest]
            if len(found) < page:
                return
            rest = None if rest is None else rest - len(new)
            last = _microsecond(found[-1]["start_time"])
            # More spans than a page may have one time.
            page = page * 2 if last == oldest else SPANS_PER_PAGE
            known = known if last == oldest else set()
            known |= {row["span_id"] for row in found if _microsecond(row["start_time"]) == last}
            oldest = last
            # Spans at the end are not in a frame, and spans have nanoseconds where the end has microseconds.
            end_time = last + timedelta(microseconds=1)


def _microsecond(time: Any) -> datetime:
    """The time without its nanoseconds."""
    return time.to_pydatetime(warn=False) if hasattr(time, "to_pydatetime") else time


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

    Traces of the judges go to the project `trace_project` if it is given. Further options are those of `evaluate`; with `output`
    the rows are in its file instead of the memory.
    """
    if not options.get("keep_rows", True):
        raise InputError("keep_rows=False leaves no scores to store; give output, a file that holds them")
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
