"""Delivery of spans: a queue, a thread that encodes batches, and a thread that sends them or keeps them on disk.

    put -> queue -> encoder -> outgoing batches -> sender -> server
                       |                             |
                       +-----> spill directory ------+

A batch goes to disk when the server is away, or when its answer takes longer than a second.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from ... import limits
from ..destination import Destination
from . import forks
from .availability import Availability
from .encode import Mask
from .encoder import Encoder
from .held import Held
from .losses import MEMORY_FULL, Losses, OnDrop, log_problem
from .sender import Sender
from .spill import Spill


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
        self._reset(memory_bytes_max)
        forks.watch(self)
        if spill is not None and spill.adopt():
            self._start()

    def _reset(self, memory_bytes_max: int) -> None:
        shown = self.destination.shown
        self._held = Held(memory_bytes_max)
        self.server = Availability(shown, str(self.spill.folder) if self.spill is not None else "memory")
        parts = (self._held, self.server, self.spill, self.losses)
        self._encoder = Encoder(*parts, shown=shown, mask=self.mask, delay_seconds=self._delay)
        self._sender = Sender(*parts, self.destination)

    @property
    def held_bytes(self) -> int:
        """Bytes of spans and batches in memory."""
        return self._held.bytes

    def put(self, span: Any) -> None:
        """Takes an ended span. Never blocks for longer than other callers; drops the span when the memory is used up."""
        state = self._held.put(span)
        if state == "held":
            return
        if state == "closed":
            self._encoder.report_lost()
        else:
            self._start()

    def flush(self, timeout_seconds: float) -> bool:
        """Returns once everything is at the server or on disk, after the timeout at the latest. False if something is not."""
        held = self._held
        deadline = time.monotonic() + timeout_seconds
        if not held.is_started and not held.queue:
            return True
        if not self._start():
            return self._work_alone(deadline)
        with held.condition:
            held.is_urgent = True
            held.condition.notify_all()
            # The last part of the time is for the disk.
            held.condition.wait_for(held.is_settled, max(0.0, deadline - time.monotonic() - min(0.5, timeout_seconds / 4)))
        self._encoder.store_unanswered(0.0)
        with held.condition:
            held.condition.wait_for(held.is_encoded, max(0.0, deadline - time.monotonic()))
            held.is_urgent = False
        self._encoder.store_unanswered(0.0)
        if self.spill is not None:
            self.spill.sync()
        with held.condition:
            return held.is_settled()

    def close(self, timeout_seconds: float = limits.TRACE_EXIT_SECONDS_MAX) -> bool:
        """Flushes, and takes no more spans."""
        held = self._held
        with held.condition:
            if held.is_closed:
                return True
        is_done = self.flush(timeout_seconds)
        with held.condition:
            held.is_closed = True
            lost = held.unsaved_count()
            held.condition.notify_all()
        if lost:
            self.losses.add(lost, MEMORY_FULL, f"the program ended before {self.destination.shown} answered.")
        if self.spill is not None:
            self.spill.close()
        forks.unwatch(self)
        return is_done

    def _start(self) -> bool:
        """Starts the threads unless they run. False if the interpreter is ending and starts none."""
        held = self._held
        with held.condition:
            if held.is_started or held.is_closed:
                return True
            held.is_started = True
        try:
            for target, name in ((self._encoder.run, "spandrel-encoder"), (self._sender.run, "spandrel-sender")):
                threading.Thread(target=_guard, args=(target,), name=name, daemon=True).start()
        except RuntimeError:
            held.is_started = False
            return False
        return True

    def _work_alone(self, deadline: float) -> bool:
        """At the end of the interpreter, which starts no thread: everything to the server at once, or to disk."""
        held = self._held
        while held.queue:
            with held.condition:
                spans = held.take_spans()
            batch = self._encoder.encode(spans)
            with held.condition:
                held.end_encoding()
            if batch is None:
                continue
            is_sent = False
            if not self.server.is_away and time.monotonic() < deadline:
                is_sent = self._sender.send(batch).state == "sent"
                self.server.is_away = not is_sent
            if not is_sent and (self.spill is None or self.spill.append(batch.payload, batch.span_count) is None):
                self.losses.add(batch.span_count, MEMORY_FULL, f"the program ended before {self.destination.shown} answered.")
        if self.spill is not None:
            self.spill.sync()
        return not held.queue

    def after_fork(self) -> None:
        """In a child: spans of the parent are the parent's to send; threads and connections do not exist here."""
        held = self._held
        # Not closed: a lock inside of it may be held by a thread that does not exist here.
        forks.keep(self._sender.connection)
        self._reset(held.memory_bytes_max)
        self._held.is_closed = held.is_closed
        self.losses.forget()
        if self.spill is not None:
            self.spill.forget()
        forks.flush_at_exit(self)


def _guard(target: Any) -> None:
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
