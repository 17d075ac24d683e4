"""A model call that two instrumentations report has its tokens once."""

from __future__ import annotations

import copy
import threading
from typing import Any

# Spans whose child has counts, until they end. A span that never ends is evicted.
_OPEN_MAX = 10_000
_COUNTS = ("llm.token_count.", "llm.cost.", "gen_ai.usage.")
_OPERATIONS = ("chat", "text_completion", "generate_content")


class CountedOnce:
    """Removes token counts from an LLM span that contains an LLM span with counts, such as the span of litellm around the one of
    the vendor's package. The inner span keeps them, because a streamed call often has them only there."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counted: dict[int, None] = {}

    def __call__(self, span: Any) -> Any:
        attributes = span.attributes or {}
        is_llm = attributes.get("openinference.span.kind") == "LLM" or attributes.get("gen_ai.operation.name") in _OPERATIONS
        if not is_llm:
            return span
        has_counts = any(key.startswith(_COUNTS) for key in attributes)
        with self._lock:
            is_counted = span.context.span_id in self._counted
            self._counted.pop(span.context.span_id, None)
            if span.parent is not None and (has_counts or is_counted):
                self._counted[span.parent.span_id] = None
                if len(self._counted) > _OPEN_MAX:
                    del self._counted[next(iter(self._counted))]
        if not (is_counted and has_counts):
            return span
        # Other processors may have the original.
        counted = copy.copy(span)
        counted._attributes = {key: value for key, value in attributes.items() if not key.startswith(_COUNTS)}
        return counted
