"""Helpers for spans: new ids, frames to spans, and tables for the evaluation of retrieval."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from ..frames.libraries import load_pandas
from ..frames.spans import dataframe_to_spans
from ..types.spans import SpanQuery
from .atif import async_upload_atif_trajectories_as_spans, upload_atif_trajectories_as_spans

__all__ = [
    "async_get_input_output_context",
    "async_get_retrieved_documents",
    "async_upload_atif_trajectories_as_spans",
    "dataframe_to_spans",
    "get_input_output_context",
    "get_retrieved_documents",
    "uniquify_spans",
    "uniquify_spans_dataframe",
    "upload_atif_trajectories_as_spans",
]


class _Ids:
    """A new id for each old one, from the operating system's random source."""

    def __init__(self, byte_count: int) -> None:
        self._byte_count = byte_count
        self._known: dict[Any, str] = {}

    def new(self, old: Any) -> str:
        if old not in self._known:
            self._known[old] = secrets.token_hex(self._byte_count)
        return self._known[old]

    def find(self, old: Any) -> Any:
        return self._known.get(old, old)


def uniquify_spans(spans: Sequence[Mapping[str, Any]], in_place: bool = False) -> list[Any]:
    """Spans with new trace and span ids; parents among them are followed."""
    made: list[Any] = list(spans) if in_place else copy.deepcopy(list(spans))
    traces, ids = _Ids(16), _Ids(8)
    for span in made:
        span["context"]["trace_id"] = traces.new(span["context"]["trace_id"])
        span["context"]["span_id"] = ids.new(span["context"]["span_id"])
    for span in made:
        if span.get("parent_id"):
            span["parent_id"] = ids.find(span["parent_id"])
    return made


def uniquify_spans_dataframe(df: Any, in_place: bool = False) -> Any:
    """The frame with new trace and span ids; parents among them are followed."""
    frame = df if in_place else df.copy()
    traces, ids = _Ids(16), _Ids(8)
    if "context.trace_id" in frame.columns:
        frame["context.trace_id"] = [traces.new(value) for value in frame["context.trace_id"]]
    if "context.span_id" in frame.columns:
        frame["context.span_id"] = [ids.new(value) for value in frame["context.span_id"]]
    if frame.index.name in ("context.span_id", "span_id"):
        name = frame.index.name
        frame.index = load_pandas().Index([ids.new(value) for value in frame.index], name=name)
    if "parent_id" in frame.columns:
        frame["parent_id"] = [ids.find(value) for value in frame["parent_id"]]
    return frame


_DOCUMENTS = "retrieval.documents"


def _documents_query() -> SpanQuery:
    return (
        SpanQuery()
        .where("span_kind == 'RETRIEVER'")
        .select("trace_id", "input.value")
        .explode(_DOCUMENTS, document="document.content", document_score="document.score", document_metadata="document.metadata")
        .rename(**{"input.value": "input"})
    )


def _question_queries() -> tuple[SpanQuery, SpanQuery]:
    questions = SpanQuery().where("parent_id is None").select("trace_id", "input.value", "output.value", "metadata")
    documents = SpanQuery().where("span_kind == 'RETRIEVER'").select("trace_id")
    return (
        questions.rename(**{"input.value": "input", "output.value": "output"}),
        documents.concat(_DOCUMENTS, context="document.content").with_index("trace_id"),
    )


def get_retrieved_documents(client: Any, **arguments: Any) -> Any:
    """A row for each retrieved document, by span id and position. Arguments are those of `get_spans_dataframe`."""
    return client.spans.get_spans_dataframe(query=_documents_query(), **arguments)


async def async_get_retrieved_documents(client: Any, **arguments: Any) -> Any:
    """`get_retrieved_documents` of an AsyncClient."""
    return await client.spans.get_spans_dataframe(query=_documents_query(), **arguments)


def get_input_output_context(client: Any, **arguments: Any) -> Any:
    """Questions and answers of traces with the texts of their retrieved documents; None if there are none."""
    questions, documents = _question_queries()
    return _join(*(client.spans.get_spans_dataframe(query=query, **arguments) for query in (questions, documents)))


async def async_get_input_output_context(client: Any, **arguments: Any) -> Any:
    """`get_input_output_context` of an AsyncClient."""
    questions, documents = _question_queries()
    return _join(
        await client.spans.get_spans_dataframe(query=questions, **arguments),
        await client.spans.get_spans_dataframe(query=documents, **arguments),
    )


def _join(questions: Any, documents: Any) -> Any:
    if questions.empty or documents.empty:
        return None
    context = documents.groupby(level=0)["context"].agg("\n\n".join)
    joined = questions.join(context, on="context.trace_id", how="inner")
    return None if joined.empty else joined
