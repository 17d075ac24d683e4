"""Spans of a live server are judged, and the scores become annotations. SERVER_URL is set by python-evals.test.ts."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import unittest
import uuid
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from unittest import mock

from eventually import eventually

from spandrel_evals import FakeJudge, FakeModel, create_classifier, create_evaluator, evaluate
from spandrel_evals.server import SpanRows, evaluate_spans, log_annotations

SERVER_URL = os.environ.get("SERVER_URL")
START = datetime(2026, 2, 3, 4, 5, 6, tzinfo=timezone.utc)
SPAN = {"name": "step", "span_kind": "LLM", "end_time": "2026-02-04T00:00:00Z", "status_code": "OK", "attributes": {}}


@unittest.skipIf(SERVER_URL is None, "SERVER_URL is not set")
class TestServer(unittest.TestCase):
    def setUp(self) -> None:
        from spandrel_client import Client

        self.client: Any = Client(base_url=SERVER_URL)
        self.run_id = uuid.uuid4().hex[:8]
        self.project = f"evals {self.run_id}"
        self.name = f"quality-{self.run_id}"
        spans = [
            {
                "name": f"step {n}",
                "context": {"trace_id": f"{self.run_id}{n:024x}", "span_id": f"{self.run_id}{n:08x}"},
                "span_kind": "LLM" if n % 2 else "CHAIN",
                "start_time": (START + timedelta(minutes=n)).isoformat(),
                "end_time": (START + timedelta(minutes=n, seconds=1)).isoformat(),
                "status_code": "OK",
                "attributes": {"input.value": f"question {n}", "output.value": f"answer {n} truth={n // 2 % 2}"},
            }
            for n in range(8)
        ]
        self.client.spans.log_spans(project_identifier=self.project, spans=spans)
        eventually(lambda: self.assertEqual(len(list(self.rows().rows_of_source())), 8))

    def rows(self, **filters: Any) -> SpanRows:
        return SpanRows(self.client, project_identifier=self.project, **filters)

    def judge(self) -> Any:
        llm = FakeModel(FakeJudge(sensitivity=1, specificity=1)).llm()
        return create_classifier(self.name, "{{input}} {{output}}", llm, {"good": 1, "bad": 0}, "minimize")

    def annotations(self) -> list[dict[str, Any]]:
        ids = [row["span_id"] for row in self.rows().rows_of_source()]
        return self.client.spans.get_span_annotations(project_identifier=self.project, span_ids=ids)

    def test_spans_are_chosen_by_filter_and_by_property(self) -> None:
        for filters in ({"span_kind": "LLM"}, {"where": "span_kind == 'LLM'"}):
            rows = list(self.rows(**filters).rows_of_source())
            self.assertEqual(len(rows), 4)
            self.assertEqual({row["span_kind"] for row in rows}, {"LLM"})
            self.assertTrue(all(row["output"].startswith("answer") and len(row["span_id"]) == 16 for row in rows))

    def test_spans_of_a_filter_are_read_in_pieces(self) -> None:
        project = f"pieces {self.run_id}"
        times = [START + timedelta(seconds=n // 7, microseconds=n // 7 * 3) for n in range(20)]
        spans = [
            {**SPAN, "context": {"trace_id": f"{self.run_id}{n + 100:024x}", "span_id": f"{self.run_id}{n + 100:08x}"}, "start_time": time.isoformat()}
            for n, time in enumerate(times)
        ]
        self.client.spans.log_spans(project_identifier=project, spans=spans)
        everything = SpanRows(self.client, project_identifier=project)
        eventually(lambda: self.assertEqual(len(list(everything.rows_of_source())), 20))
        for page, limit in ((3, None), (3, 8), (100, None)):
            with self.subTest(page=page, limit=limit), mock.patch("spandrel_evals.server.spans.SPANS_PER_PAGE", page):
                rows = list(SpanRows(self.client, project_identifier=project, where="name == 'step'", limit=limit).rows_of_source())
                self.assertEqual(len(rows), limit or 20)
                self.assertEqual(len({row["span_id"] for row in rows}), len(rows))

    def test_a_second_run_replaces_the_annotations_of_the_first(self) -> None:
        for where in ("span_kind == 'LLM'", "span_kind == 'LLM'", None):
            found = evaluate_spans(self.client, [self.judge()], project_identifier=self.project, where=where, progress=False)
            self.assertEqual(found.summary.errors, 0)
            count = 4 if where else 8
            eventually(lambda count=count: self.assertEqual(len(self.annotations()), count))
        stored = self.annotations()
        self.assertEqual({(one["name"], one["annotator_kind"], one["identifier"]) for one in stored}, {(self.name, "LLM", "spandrel-evals")})
        self.assertEqual(sorted(one["result"]["label"] for one in stored), ["bad"] * 4 + ["good"] * 4)
        self.assertEqual(stored[0]["metadata"]["direction"], "minimize")
        config = self.client.annotation_configs.get(config_identifier=self.name)
        self.assertEqual((config["optimization_direction"], [one["label"] for one in config["values"]]), ("MINIMIZE", ["good", "bad"]))

    def test_the_config_of_people_keeps_its_labels(self) -> None:
        self.client.annotation_configs.create(
            config={"name": self.name, "type": "CATEGORICAL", "optimization_direction": "MAXIMIZE", "values": [{"label": "great", "score": 2}]}
        )
        found = evaluate(self.rows(span_kind="LLM"), [self.judge()], progress=False)
        self.assertEqual(log_annotations(found, self.client, evaluators=[self.judge()]), 4)
        config = self.client.annotation_configs.get(config_identifier=self.name)
        self.assertEqual([one["label"] for one in config["values"]], ["great", "good", "bad"])
        self.assertEqual(config["optimization_direction"], "MINIMIZE")
        with self.assertRaisesRegex(ValueError, "row 0 has no span_id"):
            log_annotations(evaluate([{"input": "a", "output": "b"}], [self.judge()], progress=False), self.client)

    def test_traces_of_judges_have_a_project_of_their_own(self) -> None:
        found = evaluate_spans(
            self.client, [self.judge()], project_identifier=self.project, span_kind="LLM", trace_project=f"judges {self.run_id}", progress=False
        )
        traces = [row.score(self.name).metadata["trace_id"] for row in found.rows]
        spans = eventually(lambda: self._judged(8))
        self.assertEqual({one["context"]["trace_id"] for one in spans}, set(traces))
        self.assertEqual({one["span_kind"] for one in spans}, {"EVALUATOR", "LLM"})
        self.assertEqual({one["name"] for one in spans}, {f"{self.name}.async_evaluate", "fake-model"})

    def _judged(self, count: int) -> list[Any]:
        from spandrel_client.exceptions import NotFoundError

        try:
            spans = list(self.client.spans.get_spans(project_identifier=f"judges {self.run_id}"))
        except NotFoundError:
            spans = []
        self.assertEqual(len(spans), count)
        return spans

    def test_examples_of_a_dataset_are_rows_and_experiments_take_the_evaluators(self) -> None:
        dataset = self.client.datasets.create_dataset(
            name=self.project, inputs=[{"q": n} for n in range(4)], outputs=[{"a": f"truth={n % 2}"} for n in range(4)]
        )

        @create_evaluator(name="same")
        def same(output: Any, expected: Any) -> bool:
            return output == expected

        found = evaluate(dataset, [same, self.judge()], progress=False)
        self.assertEqual((found.summary.scores["same"].mean, found.summary.scores[self.name].mean), (1, 0.5))

        ran = self.client.experiments.run_experiment(
            dataset=dataset, task=lambda expected: expected, evaluators=[same, self.judge()], print_summary=False
        )
        results = {run.name: [] for run in ran["evaluation_runs"]}
        for run in ran["evaluation_runs"]:
            self.assertIsNone(run.error)
            results[run.name].append(run.result["score"])
        self.assertEqual({name: sorted(scores) for name, scores in results.items()}, {"same": [1, 1, 1, 1], self.name: [0, 0, 1, 1]})

    def test_marked_tests_of_pytest_take_the_evaluators(self) -> None:
        example = f'''
import pytest
from spandrel_client.pytest import log_output
from spandrel_evals import FakeJudge, FakeModel, create_classifier, create_evaluator

@create_evaluator(name="short")
def short(output: str) -> bool:
    return len(output) < 8

judge = create_classifier(
    "quality", "{{{{input}}}} {{{{output}}}}", FakeModel(FakeJudge(sensitivity=1, specificity=1)).llm(), {{"good": 1, "bad": 0}}
)

@pytest.mark.spandrel(dataset="{self.project}", evaluators=[short, judge], accept={{"quality": 0.1}})
@pytest.mark.parametrize("question", ["one", "two", "three", "four"])
def test_answers(question):
    log_output(f"truth={{int(len(question) == 3)}}")
'''
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "test_example.py").write_text(example)
            options = ["-q", "-p", "no:phoenix", "-p", "no:cacheprovider", "-p", "spandrel_client.pytest.plugin"]
            ended = subprocess.run(
                [sys.executable, "-B", "-m", "pytest", *options],
                cwd=folder,
                env={**os.environ, "SPANDREL_ENDPOINT": str(SERVER_URL), "SPANDREL_SPILL_DIR": f"{folder}/spans"},
                capture_output=True,
                text=True,
                timeout=120,
            )
        self.assertIn("4 passed", ended.stdout, ended.stderr)
        self.assertIn("quality >= 0.1", ended.stdout)
        dataset = self.client.datasets.get_dataset(dataset=self.project)
        (experiment,) = self.client.experiments.list(dataset_id=dataset.id)
        runs = self.client.experiments.get_experiment(experiment_id=experiment["id"])["evaluation_runs"]
        found = {name: [(run.result["score"], run.annotator_kind) for run in runs if run.name == name] for name in ("short", "quality")}
        self.assertEqual(found["short"], [(1, "CODE")] * 4)
        self.assertEqual(sorted(found["quality"]), [(0, "LLM")] * 2 + [(1, "LLM")] * 2)


if __name__ == "__main__":
    unittest.main()
