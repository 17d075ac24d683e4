"""What the tests share. SERVER_URL is set by test/clients/python-client.test.ts."""

import os
import time
import uuid
from datetime import datetime, timedelta, timezone

import httpx

SERVER_URL = os.environ["SERVER_URL"]
VISIBLE_SECONDS_MAX = 30
START = datetime(2026, 2, 3, 4, 5, 6, 789012, tzinfo=timezone.utc)


def eventually(claim):
    """Runs the claim until it holds: a write is readable soon, not at once."""
    deadline = time.monotonic() + VISIBLE_SECONDS_MAX
    while True:
        try:
            return claim()
        except (AssertionError, httpx.HTTPStatusError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def unique(name):
    return f"{name} {uuid.uuid4().hex[:8]}"


# Ids of spans are unique in a server, which several runs may share.
RUN = uuid.uuid4().hex[:8]


def span_id(number):
    return f"{RUN}{number:08x}"


def span(number, *, trace=None, **changes):
    return {
        "name": f"step {number}",
        "context": {"trace_id": trace or f"{span_id(number):0>32}", "span_id": span_id(number)},
        "span_kind": "CHAIN",
        "start_time": (START + timedelta(minutes=number)).isoformat(),
        "end_time": (START + timedelta(minutes=number, seconds=number)).isoformat(),
        "status_code": "OK",
        "attributes": {"session.id": f"conversation {RUN}", "number": number, "input.value": f"in {number}", "output.value": f"out {number}"},
        **changes,
    }
