"""The thread that makes batches of ended spans, and writes to disk what waits too long for its answer."""

from __future__ import annotations

import time
from typing import Any

from ... import limits
from .availability import Availability
from .encode import Mask, encode, encode_whole_ones
from .held import Batch, Held
from .losses import AFTER_END, MEMORY_FULL, NOT_ENCODED, Losses
from .spill import Spill


class Encoder:
    """`shown` is the server in messages, `delay_seconds` how long a span waits for others."""

    def __init__(
        self,
        held: Held,
        server: Availability,
        spill: Spill | None,
        losses: Losses,
        *,
        shown: str,
        mask: Mask | None,
        delay_seconds: float,
    ) -> None:
        self._held = held
        self._server = server
        self._spill = spill
        self._losses = losses
        self._shown = shown
        self._mask = mask
        self._delay = delay_seconds

    def run(self) -> None:
        """Until the delivery is closed."""
        held = self._held
        while True:
            with held.condition:
                while not held.queue:
                    if held.is_closed:
                        return
                    # Wakes up for batches whose answer takes long.
                    if not held.condition.wait(0.25 if held.unanswered() else None):
                        break
                if held.queue and not held.is_urgent and not held.is_closed:
                    delay = min(self._delay, limits.TRACE_AWAY_DELAY_SECONDS) if self._server.is_away else self._delay
                    held.condition.wait_for(held.is_batch_full, delay)
                spans = held.take_spans()
            if spans:
                self._hand_on(self.encode(spans))
            self.report_lost()
            self.store_unanswered(limits.TRACE_UNANSWERED_SECONDS_MAX)

    def encode(self, spans: list[Any]) -> Batch | None:
        """A batch without the spans that OTLP cannot hold; None if there is no other."""
        lost, detail = 0, ""
        try:
            payload = encode(spans, self._mask)
        except Exception:  # noqa: BLE001 - a value that protobuf does not hold
            payload, lost, detail = encode_whole_ones(spans, self._mask)
        if lost:
            self._losses.add(lost, NOT_ENCODED, detail)
        return Batch(payload, len(spans) - lost) if payload else None

    def _hand_on(self, batch: Batch | None) -> None:
        """Gives a batch to the sender, or to the disk while the server is away."""
        held = self._held
        if batch is not None and self._server.is_away and self._spill is not None:
            batch.record = self._spill.append(batch.payload, batch.span_count)
        with held.condition:
            held.end_encoding()
            if batch is not None and batch.record is None:
                # Without room on disk, memory holds what it can.
                if held.bytes + len(batch.payload) > held.memory_bytes_max:
                    held.lost_in_put += batch.span_count
                else:
                    held.batch_bytes += len(batch.payload)
                    held.outgoing.append(batch)

    def report_lost(self) -> None:
        """Counts the spans that were not taken."""
        held = self._held
        with held.condition:
            lost = held.take_lost()
        if lost and held.is_closed:
            self._losses.add(lost, AFTER_END, "the tracer was shut down.")
        elif lost:
            where = f"{self._shown} does not answer" if self._server.is_away else "spans arrive faster than they are sent"
            self._losses.add(lost, MEMORY_FULL, f"{where}, and the {held.memory_bytes_max} bytes in memory are used up.")

    def store_unanswered(self, age_seconds: float) -> None:
        """Writes batches to disk that have waited for an answer for so long."""
        if self._spill is None:
            return
        held = self._held
        before = time.monotonic() - age_seconds
        with held.condition:
            late = [batch for batch in held.unanswered() if batch.record is None and batch.since <= before]
        for batch in late:
            record = self._spill.append(batch.payload, batch.span_count, is_queued=False)
            if record is None:
                return
            with held.condition:
                if batch in held.outgoing:
                    # From now on it is read from the disk.
                    held.outgoing.remove(batch)
                    held.batch_bytes -= len(batch.payload)
                    batch.record = record
                    self._spill.put_back(record, is_last=True)
                elif batch is held.in_flight and batch.record is None:
                    batch.record = record
                else:
                    # Its answer has arrived in between.
                    self._spill.done(record)
                held.condition.notify_all()
