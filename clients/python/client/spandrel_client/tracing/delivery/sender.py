"""The thread that sends batches, new ones first, and acts on the answers."""

from __future__ import annotations

import time
from typing import Any

from ... import limits
from ..destination import Destination
from .availability import Availability
from .held import Batch, Held
from .losses import REJECTED, Losses
from .sending import Outcome, make_sender
from .spill import Spill


class Sender:
    def __init__(
        self, held: Held, server: Availability, spill: Spill | None, losses: Losses, destination: Destination
    ) -> None:
        self._held = held
        self._server = server
        self._spill = spill
        self._losses = losses
        self._destination = destination
        self._adopted_at = time.monotonic()
        self.connection: Any = None

    def run(self) -> None:
        """Until the delivery is closed."""
        while True:
            batch = self._next_batch()
            if batch is None:
                if self.connection is not None:
                    self.connection.close()
                return
            self._settle(batch, self.send(batch))

    def send(self, batch: Batch) -> Outcome:
        """Never raises."""
        try:
            if self.connection is None:
                self.connection = make_sender(self._destination)
            return self.connection.send(batch.payload)
        except Exception as error:  # noqa: BLE001 - whatever it is, the batch is kept
            return Outcome("later", f"{self._destination.shown} cannot be called ({type(error).__name__})")

    def _next_batch(self) -> Batch | None:
        """Waits for a batch that may be sent now: a new one, or while there is none, one on disk. None at the end."""
        held = self._held
        while True:
            with held.condition:
                if held.is_closed:
                    return None
                now = time.monotonic()
                pause = self._server.next_attempt - now
                if pause > 0:
                    held.condition.wait(pause)
                    continue
                if held.outgoing:
                    batch = held.in_flight = held.outgoing.popleft()
                    batch.since = min(batch.since, now)
                    return batch
            found = self._next_record(now)
            if found is not None:
                return found
            with held.condition:
                if not held.outgoing and not held.is_closed and not (self._spill is not None and self._spill.record_count):
                    held.condition.wait()

    def _next_record(self, now: float) -> Batch | None:
        spill = self._spill
        if spill is None:
            return None
        if now - self._adopted_at > limits.SPILL_ADOPT_SECONDS:
            self._adopted_at = now
            spill.adopt()
        found = spill.next()
        if found is None:
            return None
        record, payload = found
        batch = Batch(payload, record.span_count)
        batch.record = record
        with self._held.condition:
            self._held.batch_bytes += len(payload)
            self._held.in_flight = batch
        return batch

    def _settle(self, batch: Batch, outcome: Outcome) -> None:
        """Acts on the answer to a batch."""
        held, spill = self._held, self._spill
        is_kept = outcome.state in ("later", "error")
        written = None
        if is_kept and batch.record is None and spill is not None:
            written = spill.append(batch.payload, batch.span_count, is_queued=False)
        with held.condition:
            # It may have been written by the encoder at the same time, for being late.
            redundant, batch.record = (written, batch.record) if batch.record is not None else (None, written)
        if redundant is not None and spill is not None:
            spill.done(redundant)
        record = batch.record
        if record is not None and outcome.state == "error":
            record.attempts += 1
            if record.attempts >= limits.TRACE_SERVER_ERROR_COUNT_MAX:
                is_kept, outcome = False, Outcome("rejected", outcome.detail)
        if not is_kept and record is not None and spill is not None:
            # Before anybody is told that the batch is settled.
            spill.done(record)
        with held.condition:
            held.in_flight = None
            if is_kept and record is None:
                # Nothing can be written: it stays in memory, first in line.
                held.outgoing.appendleft(batch)
            else:
                held.batch_bytes -= len(batch.payload)
            if is_kept:
                self._server.missed(outcome)
            else:
                self._server.answered()
            held.condition.notify_all()
        if is_kept:
            if record is not None and spill is not None:
                spill.put_back(record, is_last=outcome.state == "error")
            self._server.tell_away(outcome)
            return
        if record is None and batch.record is not None and spill is not None:
            # The encoder has written it in between.
            spill.done(batch.record)
        if outcome.state == "rejected":
            self._losses.add(batch.span_count, REJECTED, f"{outcome.detail}.")
        elif outcome.rejected_spans:
            self._losses.add(outcome.rejected_spans, REJECTED, f"{self._destination.shown}: {outcome.detail}.")
        if outcome.state == "sent":
            self._server.tell_back()
