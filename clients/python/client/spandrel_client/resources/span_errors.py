"""What the server says about spans that it did not store."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..exceptions import SpanCreationError, StatusError


def creation_error(error: StatusError, spans: Sequence[Mapping[str, Any]]) -> SpanCreationError | StatusError:
    """What the server says about single spans. The error itself when it says nothing of them."""
    try:
        told = json.loads(error.response.content)
        if isinstance(told, dict) and isinstance(told.get("detail"), str):
            told = json.loads(told["detail"])
    except ValueError:
        return error
    if error.status == 422 and isinstance(told, dict) and isinstance(told.get("detail"), list):
        invalid = [_invalid_span(problem, spans) for problem in told["detail"]]
        # A span may have several problems.
        count = len({number for problem in told["detail"] if (number := _number(problem)) is not None}) or len(invalid)
        return SpanCreationError(
            f"{count} of {len(spans)} spans {'is' if count == 1 else 'are'} invalid, and none was stored; "
            f"the first problem: {invalid[0]['error']}"
            if invalid
            else str(error),
            invalid_spans=invalid,
            total_received=len(spans),
            total_invalid=count,
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


def _number(problem: Mapping[str, Any]) -> int | None:
    """Index of the span that a problem is of."""
    location = problem.get("loc", [])
    return location[2] if len(location) > 2 and isinstance(location[2], int) else None


def _invalid_span(problem: Mapping[str, Any], spans: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    location = problem.get("loc", [])
    number = _number(problem)
    span = spans[number] if number is not None and number < len(spans) else {}
    context = span.get("context") if isinstance(span, Mapping) else None
    context = context if isinstance(context, Mapping) else {}
    return {
        "span_id": str(context.get("span_id", "")),
        "trace_id": str(context.get("trace_id", "")),
        "error": f"{'.'.join(str(step) for step in location)}: {problem.get('msg', '')}",
    }
