"""Spans and batches of a delivery in memory, under one lock."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import Any, Literal

from ... import limits
from .encode import held_bytes
from .segments import Record

# Lengths of the queue at which its encoder is told.
_NOTIFIED = (1, limits.TRACE_BATCH_SPAN_COUNT_MAX)


class Batch:
    """An encoded batch in memory; `record` says where it is on disk, too."""

    __slots__ = ("payload", "record", "span_count", "since")

    def __init__(self, payload: bytes, span_count: int) -> None:
        self.payload = payload
        self.span_count = span_count
        self.since = time.monotonic()
        self.record: Record | None = None


class Held:
    """A queue of ended spans, and the batches that wait for the server. `condition` is held while fields are used."""

    def __init__(self, memory_bytes_max: int) -> None:
        self.memory_bytes_max = memory_bytes_max
        self._lock = threading.Lock()
        self.condition = threading.Condition(self._lock)
        self.queue: deque[tuple[Any, int]] = deque()
        self.queued_bytes = 0
        self.batch_bytes = 0
        self.lost_in_put = 0
        # Spans that the encoder has taken and not yet handed on, and their bytes, which are part of `batch_bytes`.
        self.encoding = 0
        self.encoding_bytes = 0
        self.outgoing: deque[Batch] = deque()
        self.in_flight: Batch | None = None
        self.is_started = False
        self.is_closed = False
        self.is_urgent = False

    @property
    def bytes(self) -> int:
        """Bytes of spans and batches."""
        return self.queued_bytes + self.batch_bytes

    def put(self, span: Any) -> Literal["held", "unstarted", "closed"]:
        """Takes a span, or counts it as lost when the memory is used up or the delivery is closed."""
        size = held_bytes(span)
        # The lock of the condition itself, because this is called for each span.
        with self._lock:
            if self.queued_bytes + self.batch_bytes + size > self.memory_bytes_max or self.is_closed:
                self.lost_in_put += 1
                return "closed" if self.is_closed else "held"
            before = self.queued_bytes
            self.queue.append((span, size))
            self.queued_bytes = before + size
            # The encoder is told of the first span, then sleeps until a batch is full or the delay is over.
            count = len(self.queue)
            if count not in _NOTIFIED and not before < limits.TRACE_BATCH_BYTES_MAX <= self.queued_bytes:
                return "held"
            self.condition.notify_all()
            return "held" if self.is_started else "unstarted"

    def take_spans(self) -> list[Any]:
        """The next batch of the queue; its bytes are counted on until it is encoded."""
        spans: list[Any] = []
        size = 0
        while self.queue and len(spans) < limits.TRACE_BATCH_SPAN_COUNT_MAX and size < limits.TRACE_BATCH_BYTES_MAX:
            span, span_bytes = self.queue.popleft()
            spans.append(span)
            size += span_bytes
        self.queued_bytes -= size
        self.batch_bytes += size
        self.encoding = len(spans)
        self.encoding_bytes = size
        return spans

    def end_encoding(self) -> None:
        """The spans that were taken are a batch now, or lost."""
        self.batch_bytes -= self.encoding_bytes
        self.encoding = self.encoding_bytes = 0
        self.condition.notify_all()

    def take_lost(self) -> int:
        lost, self.lost_in_put = self.lost_in_put, 0
        return lost

    def unanswered(self) -> list[Batch]:
        return [*([self.in_flight] if self.in_flight else []), *self.outgoing]

    def is_encoded(self) -> bool:
        return not self.queue and not self.encoding

    def is_settled(self) -> bool:
        """Whether each span is at the server or on disk."""
        return self.is_encoded() and all(batch.record for batch in self.unanswered())

    def is_batch_full(self) -> bool:
        return (
            len(self.queue) >= limits.TRACE_BATCH_SPAN_COUNT_MAX
            or self.queued_bytes >= limits.TRACE_BATCH_BYTES_MAX
            or self.is_urgent
            or self.is_closed
        )

    def unsaved_count(self) -> int:
        """Spans that are neither at the server nor on disk."""
        return len(self.queue) + self.encoding + sum(one.span_count for one in self.unanswered() if not one.record)
