"""The page for newcomers: every line of Python of docs/calibrated-judge.md, against a live server and a fake model over HTTP."""

from __future__ import annotations

import contextlib
import io
import os
import re
import unittest
import uuid
from pathlib import Path
from typing import Any
from unittest import mock

from spandrel_evals import FakeJudge, FakeModel
from spandrel_evals.fake_model import FakeModelServer

PAGE = Path(__file__).resolve().parents[4] / "docs/calibrated-judge.md"
SERVER_URL = os.environ.get("SERVER_URL")
COUNT = 120
LABELLED = 90


@unittest.skipIf(SERVER_URL is None, "SERVER_URL is not set")
class TestTour(unittest.TestCase):
    def test_every_line_of_the_page_runs(self) -> None:
        blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
        self.assertEqual(len(blocks), 7)
        project = f"shop {uuid.uuid4().hex[:8]}"
        fill(self, project)
        source = "\n".join(blocks).replace('"shop"', repr(project))
        printed = io.StringIO()
        judge = FakeJudge(sensitivity=0.9, specificity=0.85, positive="correct", seed=3)
        with FakeModelServer(FakeModel(judge)) as server:
            settings = {"PHOENIX_BASE_URL": str(SERVER_URL), "OPENAI_API_KEY": "key", "OPENAI_BASE_URL": f"{server.url}/v1"}
            with mock.patch.dict(os.environ, settings), contextlib.redirect_stdout(printed):
                exec(compile(source, str(PAGE), "exec"), {"__name__": "tour"})
        output = printed.getvalue()
        for text in (
            f"{COUNT} answers, such as answer",
            f"{LABELLED} labelled spans",
            r"On \d+ held-out rows, correctness agrees with people on \d\d\.\d%",
            r"(Best: with examples|No version agrees on more rows than as delivered)",
            r"Biases of correctness on 90 rows",
            r"\d\d\.\d% of the answers are correct \(\d\d\.\d% to \d\d\.\d%\)",
            "stored as ",
        ):
            self.assertRegex(output, text)


def fill(test: unittest.TestCase, project: str) -> None:
    """Answers, of which people have labelled a part."""
    from spandrel_client import Client
    from test_server_judges import annotation, span

    from eventually import eventually

    client: Any = Client(base_url=SERVER_URL)
    run = uuid.uuid4().hex[:8]
    spans = []
    for number in range(COUNT):
        made = span(run, number % 60)
        made["context"] = {"trace_id": f"{run}{number:024x}", "span_id": f"{run}{number:08x}"}
        truth = int(number % 10 < 7)
        made["attributes"] = {"input.value": f"question {number}", "output.value": f"answer {number} truth={truth}"}
        spans.append(made)
    client.spans.log_spans(project_identifier=project, spans=spans)

    def is_stored() -> bool:
        try:
            return len(list(client.spans.get_spans(project_identifier=project, limit=None))) == COUNT
        except Exception:  # The project exists with its first span.
            return False

    eventually(lambda: test.assertTrue(is_stored(), "the spans are not readable"))
    labels = [
        annotation(each, "HUMAN", "correct" if "truth=1" in each["attributes"]["output.value"] else "incorrect", "ann")
        for each in spans[:LABELLED]
    ]
    client.spans.log_span_annotations(span_annotations=labels, sync=True)
