"""Runs every Python block of a README in order, in one module, as a reader would: follow_readme.py README.md"""

import os
import re
import sys
import time
from pathlib import Path

blocks = re.findall(r"^```python\n(.*?)^```", Path(sys.argv[1]).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
assert len(blocks) >= 5, len(blocks)


def store_a_span() -> None:
    """The project of the README with a span, readable."""
    from spandrel_client import Client
    from spandrel_client.exceptions import NotFoundError

    client = Client()
    span = {
        "name": "chat",
        "context": {"trace_id": os.urandom(16).hex(), "span_id": os.urandom(8).hex()},
        "span_kind": "LLM",
        "start_time": "2026-02-03T04:05:06Z",
        "end_time": "2026-02-03T04:05:07Z",
        "status_code": "OK",
        "attributes": {"input.value": "Where?", "output.value": "There. truth=1"},
    }
    client.spans.log_spans(project_identifier="support", spans=[span])
    deadline = time.monotonic() + 30
    while True:
        try:
            if list(client.spans.get_spans(project_identifier="support")):
                return
        except NotFoundError:
            pass
        assert time.monotonic() < deadline, "the span is not readable"
        time.sleep(0.05)


store_a_span()
namespace = {"__name__": "__main__"}
for number, block in enumerate(blocks):
    exec(compile(block, f"block {number}", "exec"), namespace)  # noqa: S102
print(f"followed {len(blocks)} blocks")
