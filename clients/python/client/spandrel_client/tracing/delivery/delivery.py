"""Delivery of spans: a queue, a thread that encodes batches, and a thread that sends them or keeps them on disk.

    put -> queue -> encoder -> outgoing batches -> sender -> server
                       |                             |
                       +-----> spill directory ------+

A batch goes to disk when the server is away, or when its answer takes longer than a second.
"""

from __future__ import annotations

import os
import random
import sys
import threading
import time
import weakref
from collections import deque
from typing import Any

from ... import limits
from ..destination import Destination
from .encode import Mask, encode, encode_whole_ones, held_bytes
from .losses import AFTER_END, MEMORY_FULL, NOT_ENCODED, REJECTED, Losses, OnDrop, log_problem, logger
from .sending import Outcome, make_sender
from .spill import Record, Spill

_random = random.SystemRandom()
_all: weakref.WeakSet[Delivery] = weakref.WeakSet()
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


class Delivery:
    """Sends spans to one destination. All methods may be called from any thread.

    `spill` is None when nothing is kept on disk. `delay_seconds` is how long a span waits for others.
    """

    def __init__(
        self,
        destination: Destination,
        *,
        losses: Losses | None = None,
        on_drop: OnDrop | None = None,
        spill: Spill | None = None,
        mask: Mask | None = None,
        delay_seconds: float = limits.TRACE_DELAY_SECONDS,
        memory_bytes_max: int = limits.TRACE_MEMORY_BYTES_MAX,
    ) -> None:
        self.destination = destination
        self.losses = losses or Losses(on_drop)
        self.spill = spill
        self.mask = mask
        self._delay = delay_seconds
        self._memory_max = memory_bytes_max
        self._sender: Any = None
        self._reset()
        _all.add(self)
        if spill is not None and spill.adopt():
            self._start()

    def _reset(self) -> None:
        self._condition = threading.Condition(threading.Lock())
        self._queue: deque[Any] = deque()
        self._queued_bytes = 0
        self._batch_bytes = 0
        self._lost_in_put = 0
        # Spans that the encoder has taken and not yet handed on.
        self._encoding = 0
        self._outgoing: deque[Batch] = deque()
        self._in_flight: Batch | None = None
        self._is_started = False
        self._is_closed = False
        self._is_urgent = False
        self.is_away = False
        self._attempt = 0
        self._next_attempt = 0.0
        self._adopted_at = time.monotonic()
        self._has_told = False

    @property
    def held_bytes(self) -> int:
        """Bytes of spans and batches in memory."""
        return self._queued_bytes + self._batch_bytes

    def put(self, span: Any) -> None:
        """Takes an ended span. Never blocks for longer than other callers; drops the span when the memory is used up."""
        size = held_bytes(span)
        with self._condition:
            if self._queued_bytes + self._batch_bytes + size > self._memory_max or self._is_closed:
                self._lost_in_put += 1
                if not self._is_closed:
                    return
            else:
                before = self._queued_bytes
                self._queue.append((span, size))
                self._queued_bytes = before + size
                # The encoder is told of the first span, then sleeps until a batch is full or the delay is over.
                count = len(self._queue)
                if count not in _NOTIFIED and not before < limits.TRACE_BATCH_BYTES_MAX <= self._queued_bytes:
                    return
                self._condition.notify_all()
                if self._is_started:
                    return
        if self._is_closed:
            self._report_lost()
        else:
            self._start()

    def flush(self, timeout_seconds: float) -> bool:
        """Returns once everything is at the server or on disk, after the timeout at the latest. False if something is not."""
        deadline = time.monotonic() + timeout_seconds
        if not self._is_started and not self._queue:
            return True
        if not self._start():
            return self._work_alone(deadline)
        with self._condition:
            self._is_urgent = True
            self._condition.notify_all()
            # The last part of the time is for the disk.
            self._condition.wait_for(self._is_settled, max(0.0, deadline - time.monotonic() - min(0.5, timeout_seconds / 4)))
        self._store_unanswered(0.0)
        with self._condition:
            self._condition.wait_for(lambda: not self._queue and not self._encoding, max(0.0, deadline - time.monotonic()))
            self._is_urgent = False
        self._store_unanswered(0.0)
        if self.spill is not None:
            self.spill.sync()
        with self._condition:
            return not self._queue and not self._encoding and all(batch.record for batch in self._unanswered())

    def close(self, timeout_seconds: float = limits.TRACE_EXIT_SECONDS_MAX) -> bool:
        """Flushes, and takes no more spans."""
        with self._condition:
            if self._is_closed:
                return True
        is_done = self.flush(timeout_seconds)
        with self._condition:
            self._is_closed = True
            lost = len(self._queue) + self._encoding + sum(batch.span_count for batch in self._unanswered() if not batch.record)
            self._condition.notify_all()
        if lost:
            self.losses.add(lost, MEMORY_FULL, f"the program ended before {self.destination.shown} answered.")
        if self.spill is not None:
            self.spill.close()
        _all.discard(self)
        return is_done

    def _is_settled(self) -> bool:
        return not self._queue and not self._encoding and all(batch.record for batch in self._unanswered())

    def _unanswered(self) -> list[Batch]:
        return [*([self._in_flight] if self._in_flight else []), *self._outgoing]

    def _start(self) -> bool:
        """Starts the threads unless they run. False if the interpreter is ending and starts none."""
        with self._condition:
            if self._is_started or self._is_closed:
                return True
            self._is_started = True
        try:
            for target, name in ((self._encode_all, "spandrel-encoder"), (self._send_all, "spandrel-sender")):
                threading.Thread(target=self._guard, args=(target,), name=name, daemon=True).start()
        except RuntimeError:
            self._is_started = False
            return False
        return True

    def _guard(self, target: Any) -> None:
        """Runs a thread. Its own calls make no spans."""
        from opentelemetry.context import _SUPPRESS_INSTRUMENTATION_KEY, attach, set_value

        attach(set_value(_SUPPRESS_INSTRUMENTATION_KEY, True))
        while True:
            try:
                target()
                return
            except Exception as error:  # noqa: BLE001 - the thread goes on with the next batch
                log_problem("The delivery of spans met an unexpected error and goes on", error)
                time.sleep(0.1)

    # Encoder

    def _encode_all(self) -> None:
        while True:
            with self._condition:
                while not self._queue:
                    if self._is_closed:
                        return
                    # Wakes up for batches whose answer takes long.
                    if not self._condition.wait(0.25 if self._unanswered() else None):
                        break
                if self._queue and not self._is_urgent and not self._is_closed:
                    delay = min(self._delay, limits.TRACE_AWAY_DELAY_SECONDS) if self.is_away else self._delay
                    self._condition.wait_for(self._is_batch_full, delay)
                spans = self._take()
            if spans:
                self._hand_on(self._encode(spans))
            self._report_lost()
            self._store_unanswered(limits.TRACE_UNANSWERED_SECONDS_MAX)

    def _is_batch_full(self) -> bool:
        return (
            len(self._queue) >= limits.TRACE_BATCH_SPAN_COUNT_MAX
            or self._queued_bytes >= limits.TRACE_BATCH_BYTES_MAX
            or self._is_urgent
            or self._is_closed
        )

    def _take(self) -> list[Any]:
        """The next batch of the queue; its bytes are counted on until it is encoded."""
        spans: list[Any] = []
        size = 0
        while self._queue and len(spans) < limits.TRACE_BATCH_SPAN_COUNT_MAX and size < limits.TRACE_BATCH_BYTES_MAX:
            span, span_bytes = self._queue.popleft()
            spans.append(span)
            size += span_bytes
        self._queued_bytes -= size
        self._batch_bytes += size
        self._encoding = len(spans)
        self._encoding_bytes = size
        return spans

    def _encode(self, spans: list[Any]) -> Batch | None:
        lost, detail = 0, ""
        try:
            payload = encode(spans, self.mask)
        except Exception:  # noqa: BLE001 - a value that protobuf does not hold
            payload, lost, detail = encode_whole_ones(spans, self.mask)
        if lost:
            self.losses.add(lost, NOT_ENCODED, detail)
        return Batch(payload, len(spans) - lost) if payload else None

    def _hand_on(self, batch: Batch | None) -> None:
        """Gives a batch to the sender, or to the disk while the server is away."""
        if batch is not None and self.is_away and self.spill is not None:
            batch.record = self.spill.append(batch.payload, batch.span_count)
        with self._condition:
            self._batch_bytes -= self._encoding_bytes
            if batch is not None and batch.record is None:
                # Without room on disk, memory holds what it can.
                if self.held_bytes + len(batch.payload) > self._memory_max:
                    self._lost_in_put += batch.span_count
                else:
                    self._batch_bytes += len(batch.payload)
                    self._outgoing.append(batch)
            self._encoding = 0
            self._condition.notify_all()

    def _report_lost(self) -> None:
        with self._condition:
            lost, self._lost_in_put = self._lost_in_put, 0
        if lost and self._is_closed:
            self.losses.add(lost, AFTER_END, "the tracer was shut down.")
        elif lost:
            where = f"{self.destination.shown} does not answer" if self.is_away else "spans arrive faster than they are sent"
            self.losses.add(lost, MEMORY_FULL, f"{where}, and the {self._memory_max} bytes in memory are used up.")

    def _store_unanswered(self, age_seconds: float) -> None:
        """Writes batches to disk that have waited for an answer for so long."""
        if self.spill is None:
            return
        before = time.monotonic() - age_seconds
        with self._condition:
            late = [batch for batch in self._unanswered() if batch.record is None and batch.since <= before]
        for batch in late:
            record = self.spill.append(batch.payload, batch.span_count, is_queued=False)
            if record is None:
                return
            with self._condition:
                if batch in self._outgoing:
                    # From now on it is read from the disk.
                    self._outgoing.remove(batch)
                    self._batch_bytes -= len(batch.payload)
                    batch.record = record
                    self.spill.put_back(record, is_last=True)
                elif batch is self._in_flight:
                    batch.record = record
                else:
                    # Its answer has arrived in between.
                    self.spill.done(record)
                self._condition.notify_all()

    # Sender

    def _send_all(self) -> None:
        while True:
            batch = self._next_batch()
            if batch is None:
                if self._sender is not None:
                    self._sender.close()
                return
            if self._sender is None:
                self._sender = make_sender(self.destination)
            self._settle(batch, self._sender.send(batch.payload))

    def _next_batch(self) -> Batch | None:
        """Waits for a batch that may be sent now: a new one, or while there is none, one on disk. None at the end."""
        while True:
            with self._condition:
                if self._is_closed:
                    return None
                now = time.monotonic()
                pause = self._next_attempt - now
                if pause > 0:
                    self._condition.wait(pause)
                    continue
                if self._outgoing:
                    batch = self._in_flight = self._outgoing.popleft()
                    batch.since = min(batch.since, now)
                    return batch
            found = self._next_record(now)
            if found is not None:
                return found
            with self._condition:
                if not self._outgoing and not self._is_closed and not (self.spill is not None and self.spill.record_count):
                    self._condition.wait()

    def _next_record(self, now: float) -> Batch | None:
        spill = self.spill
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
        with self._condition:
            self._batch_bytes += len(payload)
            self._in_flight = batch
        return batch

    def _settle(self, batch: Batch, outcome: Outcome) -> None:
        """Acts on the answer to a batch."""
        is_kept = outcome.state in ("later", "error")
        if is_kept and batch.record is None and self.spill is not None:
            batch.record = self.spill.append(batch.payload, batch.span_count, is_queued=False)
        record = batch.record
        if record is not None and outcome.state == "error":
            record.attempts += 1
            if record.attempts >= limits.TRACE_SERVER_ERROR_COUNT_MAX:
                is_kept, outcome = False, Outcome("rejected", outcome.detail)
        with self._condition:
            self._in_flight = None
            if is_kept and record is None:
                # Nothing can be written: it stays in memory, first in line.
                self._outgoing.appendleft(batch)
            else:
                self._batch_bytes -= len(batch.payload)
            if is_kept:
                self._go_away(outcome)
            else:
                self.is_away, self._attempt, self._next_attempt = False, 0, 0.0
            self._condition.notify_all()
        if is_kept:
            if record is not None and self.spill is not None:
                self.spill.put_back(record, is_last=outcome.state == "error")
            self._tell_away(outcome)
            return
        if record is not None and self.spill is not None:
            self.spill.done(record)
        if outcome.state == "rejected":
            self.losses.add(batch.span_count, REJECTED, f"{outcome.detail}.")
        elif outcome.rejected_spans:
            self.losses.add(outcome.rejected_spans, REJECTED, f"{self.destination.shown}: {outcome.detail}.")
        if self._has_told and outcome.state == "sent":
            self._has_told = False
            logger.warning("%s takes spans again.", self.destination.shown)

    def _go_away(self, outcome: Outcome) -> None:
        self.is_away = True
        self._attempt += 1
        longest = min(limits.TRACE_RETRY_SECONDS_MAX, limits.TRACE_RETRY_SECONDS_BASE * 2 ** min(self._attempt, 10))
        pause = outcome.retry_after if outcome.retry_after is not None else _random.uniform(longest / 2, longest)
        self._next_attempt = time.monotonic() + min(pause, limits.TRACE_RETRY_SECONDS_MAX * 4)

    def _tell_away(self, outcome: Outcome) -> None:
        if self._has_told:
            return
        self._has_told = True
        kept = f"in {self.spill.folder}" if self.spill is not None else "in memory"
        logger.warning("Spans are kept %s and sent later: %s.", kept, outcome.detail)

    def _work_alone(self, deadline: float) -> bool:
        """At the end of the interpreter, which starts no thread: everything to the server at once, or to disk."""
        while self._queue:
            with self._condition:
                spans = self._take()
            batch = self._encode(spans)
            with self._condition:
                self._batch_bytes -= self._encoding_bytes
                self._encoding = 0
            if batch is None:
                continue
            is_sent = False
            if not self.is_away and time.monotonic() < deadline:
                self._sender = self._sender or make_sender(self.destination)
                is_sent = self._sender.send(batch.payload).state == "sent"
                self.is_away = not is_sent
            if not is_sent and (self.spill is None or self.spill.append(batch.payload, batch.span_count) is None):
                self.losses.add(batch.span_count, MEMORY_FULL, f"the program ended before {self.destination.shown} answered.")
        if self.spill is not None:
            self.spill.sync()
        return not self._queue

    # Fork

    def _after_fork(self) -> None:
        """In a child: spans of the parent are the parent's to send; threads and connections do not exist here."""
        is_closed = self._is_closed
        self._sender = None
        self._reset()
        self._is_closed = is_closed
        self.losses.forget()
        if self.spill is not None:
            self.spill.forget()
        # A child of multiprocessing ends without the functions of atexit.
        util = sys.modules.get("multiprocessing.util")
        if util is not None:
            util.register_after_fork(self, lambda delivery: util.Finalize(delivery, delivery.flush, args=(limits.TRACE_EXIT_SECONDS_MAX,), exitpriority=0))


def _after_fork_in_child() -> None:
    for delivery in list(_all):
        delivery._after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
