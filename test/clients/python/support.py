"""What the tests of the Python clients share. SERVER_URL and GRPC_ENDPOINT are set by test/clients/python.test.ts."""

import os
import time
from datetime import datetime, timedelta, timezone

import httpx

SERVER_URL = os.environ["SERVER_URL"]
GRPC_ENDPOINT = os.environ["GRPC_ENDPOINT"]
# Requests that the clients have no method for, with the key that the clients read from the environment.
KEY = os.environ.get("PHOENIX_API_KEY")
http = httpx.Client(headers={"authorization": f"Bearer {KEY}"} if KEY else {})
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
            time.sleep(0.1)


def logged_span(number, *, project_session="logged session", **changes):
    return {
        "name": f"step {number}",
        "context": {"trace_id": f"{number:032x}", "span_id": f"{number:016x}"},
        "span_kind": "CHAIN",
        "start_time": (START + timedelta(minutes=number)).isoformat(),
        "end_time": (START + timedelta(minutes=number, seconds=number)).isoformat(),
        "status_code": "OK",
        "attributes": {"session.id": project_session, "number": number, "input.value": f"in {number}", "output.value": f"out {number}"},
        **changes,
    }
