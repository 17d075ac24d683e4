"""Span processors that never block the program and lose nothing while the server is away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import BatchSpanProcessor as _OtherBatchProcessor
from opentelemetry.sdk.trace.export import SimpleSpanProcessor as _OtherSimpleProcessor
from opentelemetry.sdk.trace.export import SpanExporter

from .. import limits
from .counted_once import CountedOnce
from .delivery.losses import OnDrop
from .delivery.open import SpillDir, open_delivery
from .delivery.sending import check_packages
from .destination import Destination, resolve_destination
from .exporters import destination_of
from .masking import Mask, make_masking

_FLUSH_MILLIS = 30_000


class _Processor(SpanProcessor):
    _delay_seconds = limits.TRACE_DELAY_SECONDS

    def __init__(
        self,
        span_exporter: SpanExporter | None = None,
        endpoint: str | None = None,
        headers: Mapping[str, str] | None = None,
        protocol: str | None = None,
        *,
        api_key: str | None = None,
        mask: Mask | list[Mask] | None = None,
        on_drop: OnDrop | None = None,
        spill_dir: SpillDir = None,
        destination: Destination | None = None,
    ) -> None:
        """`destination`, then `span_exporter` come first. An exporter of another package is called as OpenTelemetry does,
        without spilling.

        `mask` rules are applied before spans leave the process. `on_drop` is called with a `Dropped`.
        """
        self._other: SpanProcessor | None = None
        self._counted_once = CountedOnce()
        self.destination: Destination | None = destination
        if span_exporter is not None and destination_of(span_exporter) is None:
            self._other = self._make_other(_Masked(span_exporter, mask) if mask else span_exporter)
            return
        found = destination_of(span_exporter) if span_exporter is not None else None
        self.destination = destination or found or resolve_destination(endpoint, protocol, headers, api_key)
        check_packages(self.destination)
        self._delivery = open_delivery(
            self.destination,
            mask=make_masking(mask),
            on_drop=on_drop,
            spill_dir=spill_dir,
            delay_seconds=self._delay_seconds,
        )

    def _make_other(self, exporter: SpanExporter) -> SpanProcessor:
        return _OtherBatchProcessor(exporter)

    def on_start(self, span: Any, parent_context: Any = None) -> None:
        if self._other is not None:
            self._other.on_start(span, parent_context)

    def on_end(self, span: ReadableSpan) -> None:
        if self._other is not None:
            self._other.on_end(span)
        elif span.context is not None and span.context.trace_flags.sampled:
            self._delivery.put(self._counted_once(span))

    def shutdown(self) -> None:
        """Flushes for at most 5 seconds. What has no answer then is on disk."""
        if self._other is not None:
            self._other.shutdown()
        else:
            self._delivery.close()

    def force_flush(self, timeout_millis: int = _FLUSH_MILLIS) -> bool:
        """True once each span is at the server or on disk."""
        if self._other is not None:
            return self._other.force_flush(timeout_millis)
        return self._delivery.flush(timeout_millis / 1000)

    @property
    def dropped(self) -> dict[str, int]:
        """Spans that were dropped, by reason."""
        return self._delivery.losses.counts() if self._other is None else {}


class BatchSpanProcessor(_Processor):
    """Sends spans together, half a second after they ended."""


class SimpleSpanProcessor(_Processor):
    """Sends spans as soon as they end. The program does not wait for the server."""

    _delay_seconds = 0.0

    def _make_other(self, exporter: SpanExporter) -> SpanProcessor:
        return _OtherSimpleProcessor(exporter)


class _Masked(SpanExporter):
    """An exporter of another package behind mask rules."""

    def __init__(self, exporter: SpanExporter, mask: Any) -> None:
        self._exporter = exporter
        self._mask = make_masking(mask)

    def export(self, spans: Any) -> Any:
        return self._exporter.export([self._mask(span) for span in spans] if self._mask else spans)

    def shutdown(self) -> None:
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = _FLUSH_MILLIS) -> bool:
        return self._exporter.force_flush(timeout_millis)
