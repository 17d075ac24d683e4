"""Spans to compressed OTLP batches, and how much memory a span holds."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable, Sequence
from sys import getsizeof
from typing import Any

from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

from ...limits import TRACE_ENCODE_CHUNK_SPANS

# Objects of a span without attributes: itself, its context, ids, times, containers.
_SPAN_BYTES = 1_600
_EVENT_BYTES = 800
# Key, entry of the dictionary and boxed values that `getsizeof` of a tuple leaves out.
_ATTRIBUTE_BYTES = 64
Mask = Callable[[Any], Any]


def held_bytes(span: Any) -> int:
    """Bytes that a span holds in memory, nearly. Called for each span in the thread of the program, so it is fast."""
    size = _SPAN_BYTES
    attributes = span._attributes
    if attributes:
        # The values without the wrapper, which is ten times as slow.
        values = getattr(attributes, "_dict", attributes).values()
        size += _ATTRIBUTE_BYTES * len(values) + sum(map(getsizeof, values))
        if tuple in map(type, values):
            size += sum(sum(map(getsizeof, value)) for value in values if type(value) is tuple)
    if span._events:
        for event in span._events:
            size += _EVENT_BYTES + sum(map(getsizeof, (event.attributes or {}).values()))
    return size + _EVENT_BYTES * len(span._links or ())


def encode(spans: Sequence[Any], mask: Mask | None) -> bytes:
    """A compressed export request. Messages of protobuf may be joined, so the spans are encoded in chunks, between which
    other threads get their turn."""
    parts: list[bytes] = []
    for start in range(0, len(spans), TRACE_ENCODE_CHUNK_SPANS):
        chunk = spans[start : start + TRACE_ENCODE_CHUNK_SPANS]
        if mask is not None:
            chunk = [mask(span) for span in chunk]
        parts.append(encode_spans(chunk).SerializeToString())
        time.sleep(0)
    return gzip.compress(b"".join(parts), 3, mtime=0)


def encode_whole_ones(spans: Sequence[Any], mask: Mask | None) -> tuple[bytes, int, str]:
    """Encodes the spans one by one after a failure; returns the batch, how many were left out, and why."""
    good: list[Any] = []
    detail = ""
    for span in spans:
        try:
            encode([span], mask)
            good.append(span)
        except Exception as error:  # noqa: BLE001 - one bad span must not take the others with it
            detail = f"the span {span.name!r} has a value that OTLP cannot hold ({type(error).__name__})."
    return (encode(good, mask) if good else b""), len(spans) - len(good), detail
