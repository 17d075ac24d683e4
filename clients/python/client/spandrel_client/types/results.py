"""Results of methods that differ from what the API answers. All others are in `spandrel_client.generated.api`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict

if TYPE_CHECKING:
    from ..generated import api

__all__ = ["AddedSpans", "DatasetVersion", "SessionTurn", "TurnValue"]


class DatasetVersion(TypedDict):
    version_id: str
    description: str | None
    metadata: dict[str, Any]
    created_at: datetime


class _TurnValue(TypedDict):
    value: Any


class TurnValue(_TurnValue, total=False):
    """Input or output of a turn."""

    mime_type: str


class _SessionTurn(TypedDict):
    trace_id: str
    start_time: str
    end_time: str


class SessionTurn(_SessionTurn, total=False):
    """A trace of a session. What its root span lacks is absent."""

    input: TurnValue
    output: TurnValue
    root_span: api.Span


class AddedSpans(TypedDict):
    """Result of spans that became examples. `version_id` is None if nothing was added."""

    dataset_id: str
    version_id: str | None
    added_count: int
    repeated_span_count: int
    repeated_content_count: int
