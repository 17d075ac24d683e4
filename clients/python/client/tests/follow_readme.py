"""Runs every Python block of a README in order, in one module, as a reader would: follow_readme.py README.md [extra]

Blocks that are marked with `extra` need extras, and run only with that argument.
"""

import os
import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
# Ids of spans are unique in a server, and several runs share one.
text = text.replace("b7ad6b7169203331", os.urandom(8).hex())
language = "python(?: extra)?" if "extra" in sys.argv[2:] else "python"
blocks = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
assert len(blocks) >= 5, len(blocks)
namespace = {"__name__": "__main__"}
for block in blocks:
    exec(compile(block, "README.md", "exec"), namespace)  # noqa: S102
import time  # noqa: E402

import spandrel_client  # noqa: E402

client = namespace["client"]
# Each run has a trace, also without the extra for tracing.
for ran in (namespace["first"], namespace["second"]):
    deadline = time.monotonic() + 30
    while True:
        spans = [
            span
            for run in ran["task_runs"]
            for span in client.spans.get_spans(project_identifier=ran["project_name"], trace_ids=[run["trace_id"]])
        ]
        if len(spans) == 2:
            break
        assert time.monotonic() < deadline, spans
        time.sleep(0.1)
    assert {span["name"] for span in spans} == {"Task: task"}, spans
    assert {span["status_code"] for span in spans} == {"OK"}, spans

if "extra" not in sys.argv[2:]:
    # The environment holds the package and what it needs, and nothing else.
    packages = Path(spandrel_client.__file__).parent.parent
    installed = sum(file.stat().st_size for file in packages.rglob("*") if file.is_file() and file.suffix != ".pyc")
    assert installed < 8_000_000, f"an installation has {installed} bytes; expected less than 8 MB"

print(f"followed {len(blocks)} blocks with {spandrel_client.__file__}")
