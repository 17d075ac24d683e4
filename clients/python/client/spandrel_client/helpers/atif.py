"""Agent trajectories in ATIF (1.0 to 1.7) as trees of spans."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ..exceptions import SpanCreationError
from ..limits import SPANS_PER_REQUEST
from .atif_format import check, hash_of, identity_of, names_of, references_of
from .atif_tree import Tree

__all__ = ["async_upload_atif_trajectories_as_spans", "atif_to_spans", "upload_atif_trajectories_as_spans"]


def upload_atif_trajectories_as_spans(
    client: Any, trajectories: Sequence[Mapping[str, Any]] | Mapping[str, Any], *, project_name: str, timeout: float | None = 5
) -> dict[str, int]:
    """Stores trajectories as spans of a project; returns `total_received` and `total_queued`.

    Ids follow from the trajectories, so an upload that is repeated stores only what is missing. ValueError for something that is
    no trajectory.
    """
    upload = _uploads(atif_to_spans(trajectories))
    outcome: Any = None
    while (spans := upload.send(outcome)) is not None:
        try:
            outcome = client.spans.log_spans(project_identifier=project_name, spans=spans, timeout=timeout)
        except SpanCreationError as error:
            outcome = error
    return next(upload)


async def async_upload_atif_trajectories_as_spans(
    client: Any, trajectories: Sequence[Mapping[str, Any]] | Mapping[str, Any], *, project_name: str, timeout: float | None = 5
) -> dict[str, int]:
    """`upload_atif_trajectories_as_spans` of an AsyncClient."""
    upload = _uploads(atif_to_spans(trajectories))
    outcome: Any = None
    while (spans := upload.send(outcome)) is not None:
        try:
            outcome = await client.spans.log_spans(project_identifier=project_name, spans=spans, timeout=timeout)
        except SpanCreationError as error:
            outcome = error
    return next(upload)


def _uploads(spans: list[dict[str, Any]]) -> Generator[Any, Any, None]:
    """Yields spans to store, receives the answer or the error, and after None yields the counts."""
    total = {"total_received": len(spans), "total_queued": 0}
    for start in range(0, len(spans), SPANS_PER_REQUEST):
        batch = spans[start : start + SPANS_PER_REQUEST]
        outcome = yield batch
        if isinstance(outcome, SpanCreationError):
            rest = _without_duplicates(batch, outcome)
            outcome = (yield rest) if rest else {"total_queued": 0}
            if isinstance(outcome, SpanCreationError):
                raise outcome
        total["total_queued"] += outcome["total_queued"]
    yield None
    yield total


def _without_duplicates(spans: list[dict[str, Any]], error: SpanCreationError) -> list[dict[str, Any]]:
    """The spans that are not stored yet. The error itself if that is not all that is wrong."""
    if error.invalid_spans or not error.duplicate_spans:
        raise error
    stored = {one["span_id"] for one in error.duplicate_spans}
    return [span for span in spans if span["context"]["span_id"] not in stored]


def atif_to_spans(trajectories: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> list[dict[str, Any]]:
    """Spans of trajectories: an AGENT for each, below it an AGENT for each turn of the user, and in a turn an LLM for each
    step of the agent and a TOOL for each of its calls. A sub-agent is below the tool that called it.

    A step without a time follows the one before it by a millisecond. A model call lasts from the step before it to its own
    time, a tool until the next step.
    """
    given = [trajectories] if isinstance(trajectories, Mapping) else list(trajectories)
    for number, trajectory in enumerate(given):
        check(trajectory, number)
    known: dict[str, Mapping[str, Any]] = {}
    for trajectory in given:
        for name in names_of(trajectory):
            known.setdefault(name, trajectory)
    called = {name for trajectory in given for name in references_of(trajectory)}
    spans: list[dict[str, Any]] = []
    for trajectory in given:
        # What another trajectory calls is below its tool.
        if not any(name in called for name in names_of(trajectory)):
            trace_id = hash_of(16, "trace", identity_of(trajectory))
            Tree(trace_id, known, spans).add(trajectory, None, (), 0)
    return spans
