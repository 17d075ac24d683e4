"""Judges and labels on a live server, whose address is in SERVER_URL."""

from __future__ import annotations

import os
import unittest
import uuid
from typing import Any

from eventually import eventually

from spandrel_evals import FakeJudge, FakeModel, bind_evaluator, metrics
from spandrel_evals.calibration import calibrate, labels_from_server
from spandrel_evals.errors import EvaluationError
from spandrel_evals.fake_model import FakeModelServer
from spandrel_evals.improve import attach_judge, choose_examples, store_judge

SERVER_URL = os.environ.get("SERVER_URL")
BINDING = """query ($id: ID!) { node(id: $id) { ... on Dataset { datasetEvaluators { edges { node {
  id name inputMapping { pathMapping }
  evaluator { ... on LLMEvaluator { promptVersion { id } prompt { name versionCount } } }
  outputConfigs { ... on CategoricalAnnotationConfig { name optimizationDirection values { label score } } }
} } } } } }"""

PROVIDER = """mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
  createGenerativeModelCustomProvider(input: $input) { provider { id } } }"""
START = """mutation ($input: StartExperimentEvaluationsInput!) { startExperimentEvaluations(input: $input) { __typename } }"""
RUNS = """query ($id: ID!) { node(id: $id) { ... on Experiment { runs(first: 10) { edges { node {
  annotations(first: 10) { edges { node { label score error } } } } } } } } }"""


@unittest.skipIf(SERVER_URL is None, "SERVER_URL is not set")
class TestServer(unittest.TestCase):
    def setUp(self) -> None:
        from spandrel_client import Client

        self.client: Any = Client(base_url=SERVER_URL)
        self.run = uuid.uuid4().hex[:8]

    def count(self, project: str) -> int:
        from spandrel_client.exceptions import NotFoundError

        try:
            return len(list(self.client.spans.get_spans(project_identifier=project)))
        except NotFoundError:
            return 0

    def ask(self, query: str, variables: dict[str, Any]) -> Any:
        return self.client.graphql.execute(query, variables)

    def test_the_best_version_of_a_judge_becomes_an_evaluator_of_a_dataset(self) -> None:
        name = f"judge-{self.run}"
        model = FakeModel(FakeJudge(sensitivity=0.7, specificity=0.7)).llm("gpt-4o")
        first = metrics.CorrectnessEvaluator(model, name=name)
        rows = [
            {"id": f"{number}", "input": f"q {{{{x}}}} {number}", "output": f"a truth={number % 2}", "human_label": label}
            for number in range(120)
            for label in [first.labels[1 - number % 2]]
        ]
        examples = choose_examples(first, calibrate(first, rows), 2)
        best = first.with_judge(first.judge.with_examples(examples))

        store_judge(self.client, first, prompt_name=name, model_provider="OPENAI")
        version = store_judge(self.client, best, prompt_name=name, model_provider="OPENAI")
        dataset = self.client.datasets.create_dataset(
            name=name, inputs=[{"question": "q"}], outputs=[{"answer": "a"}]
        )
        attached = attach_judge(
            self.client,
            best,
            dataset_id=dataset.id,
            prompt_version_id=version.id,
            model_provider="OPENAI",
            input_mapping={"input": "$.input.question", "output": "$.output"},
        )

        edges = self.ask(BINDING, {"id": dataset.id})["node"]["datasetEvaluators"]["edges"]
        self.assertEqual([edge["node"]["id"] for edge in edges], [attached])
        found = edges[0]["node"]
        self.assertEqual(found["evaluator"]["promptVersion"]["id"], version.id, "the stored version is used, not a copy")
        self.assertEqual(found["evaluator"]["prompt"], {"name": name, "versionCount": 2})
        self.assertEqual(found["inputMapping"]["pathMapping"]["input"], "$.input.question")
        self.assertEqual(
            found["outputConfigs"],
            [
                {
                    "name": name,
                    "optimizationDirection": "MAXIMIZE",
                    "values": [{"label": "correct", "score": 1}, {"label": "incorrect", "score": 0}],
                }
            ],
        )
        stored = self.client.prompts.get(prompt_identifier=name)
        self.assertEqual(stored.messages[0]["content"], best.judge.rules())
        with self.assertRaisesRegex(EvaluationError, "did not attach the judge: .*already"):
            attach_judge(
                self.client, best, dataset_id=dataset.id, prompt_version_id=version.id, model_provider="OPENAI"
            )
        with self.assertRaisesRegex(ValueError, "compares two texts"):
            store_judge(self.client, metrics.PreferenceEvaluator(model), prompt_name=name)

    def test_the_server_runs_an_attached_judge_in_an_experiment(self) -> None:
        name = f"attached-{self.run}"
        judge = metrics.CorrectnessEvaluator(FakeModel().llm("gpt-4o"), name=name)
        dataset = self.client.datasets.create_dataset(name=name, inputs=[{"question": f"q{n}"} for n in range(4)], outputs=[{}] * 4)
        ran = self.client.experiments.run_experiment(
            dataset=dataset, task=lambda input: f"answer to {input['question']} truth={int(input['question'] in ('q1', 'q2'))}", print_summary=False
        )
        with FakeModelServer(FakeModel(FakeJudge(sensitivity=1, specificity=1), api_key="right")) as model:
            config = {"openaiAuthenticationMethod": {"apiKey": "right"}, "openaiApiType": "CHAT_COMPLETIONS", "openaiClientKwargs": {"baseUrl": f"{model.url}/v1"}}
            provider = self.ask(PROVIDER, {"input": {"name": name, "provider": "openai", "clientConfig": {"openai": config}}})
            version = store_judge(self.client, judge, prompt_name=name, model_provider="OPENAI")
            attached = attach_judge(
                self.client,
                judge,
                dataset_id=dataset.id,
                prompt_version_id=version.id,
                model_provider="OPENAI",
                input_mapping={"input": "$.input.question", "output": "$.output"},
                custom_provider_id=provider["createGenerativeModelCustomProvider"]["provider"]["id"],
            )
            self.ask(START, {"input": {"experimentId": ran["experiment_id"], "datasetEvaluatorIds": [attached]}})
            eventually(lambda: self.assertEqual(len(self.judged(ran["experiment_id"])), 4))
            counts = model.model.counts()
        self.assertEqual(sorted(self.judged(ran["experiment_id"])), [("correct", 1)] * 2 + [("incorrect", 0)] * 2)
        self.assertEqual((counts["answered"], counts["answered_again"]), (4, 0))

    def judged(self, experiment_id: str) -> list[tuple[Any, Any]]:
        runs = self.ask(RUNS, {"id": experiment_id})["node"]["runs"]["edges"]
        found = [edge["node"] for run in runs for edge in run["node"]["annotations"]["edges"]]
        self.assertEqual([one["error"] for one in found if one["error"]], [])
        return [(one["label"], one["score"]) for one in found]

    def test_labels_of_people_come_from_annotations(self) -> None:
        project = f"calibration {self.run}"
        spans = [span(self.run, number) for number in range(12)]
        self.client.spans.log_spans(project_identifier=project, spans=spans)
        eventually(lambda: self.assertEqual(self.count(project), 12))
        annotations = [
            annotation(each, kind, label, person)
            for number, each in enumerate(spans[:10])
            for kind, person, label in (
                ("HUMAN", "ann", "correct" if number % 2 else "incorrect"),
                ("HUMAN", "bob", "correct" if number % 2 or number == 0 else "incorrect"),
                ("LLM", "judge", "correct"),
            )
        ]
        self.client.spans.log_span_annotations(span_annotations=annotations, sync=True)

        rows = labels_from_server(self.client, project=project, annotation_name="correctness")
        self.assertEqual(len(rows), 10)
        self.assertEqual({len(row.labels) for row in rows}, {2})
        self.assertEqual(sum(row.label is None for row in rows), 1, "two people disagree on one span")
        evaluator = bind_evaluator(
            evaluator=metrics.CorrectnessEvaluator(FakeModel(FakeJudge(sensitivity=1, specificity=1)).llm()),
            input_mapping={"input": "input", "output": "output"},
        )
        report = calibrate(evaluator, rows)
        self.assertEqual(report.held_out.agreement.value if report.held_out.count else 1.0, 1.0)
        with self.assertRaisesRegex(ValueError, "no person has given a label other"):
            labels_from_server(self.client, project=project, annotation_name="other")


def span(run: str, number: int) -> dict[str, Any]:
    second = f"2026-02-03T04:05:{number:02d}+00:00"
    return {
        "name": "answer",
        "context": {"trace_id": f"{run}{number:024x}", "span_id": f"{run}{number:08x}"},
        "span_kind": "LLM",
        "start_time": second,
        "end_time": second,
        "status_code": "OK",
        "attributes": {"input.value": f"q{number}", "output.value": f"a{number} truth={number % 2}"},
    }


def annotation(span: dict[str, Any], kind: str, label: str, person: str) -> dict[str, Any]:
    return {
        "name": "correctness",
        "annotator_kind": kind,
        "span_id": span["context"]["span_id"],
        "identifier": person,
        "result": {"label": label},
    }
