"""Annotations of traces, sessions and documents, configs, splits, tags, deletions."""

import unittest
from datetime import datetime, timezone

import pandas as pd

try:
    import polars as pl
except ImportError:
    # Polars does not install on Python 3.10.
    pl = pd

from spandrel_client import Client
from spandrel_client.exceptions import NotFoundError
from support import SERVER_URL, eventually, span, span_id, unique


class Annotations(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(base_url=SERVER_URL)
        cls.project = unique("annotated")
        cls.session = unique("session")
        documents = [{"document.content": f"d{n}"} for n in range(2)]
        cls.numbers = range(50_000, 50_003)
        cls.client.spans.log_spans(
            project_identifier=cls.project,
            spans=[
                span(n, span_kind="RETRIEVER", attributes={"session.id": cls.session, "retrieval.documents": documents})
                for n in cls.numbers
            ],
        )
        eventually(cls.expect_all)
        cls.traces = [f"{span_id(n):0>32}" for n in cls.numbers]

    @classmethod
    def expect_all(cls):
        assert len(cls.client.spans.get_spans(project_identifier=cls.project)) == 3

    def test_traces(self):
        self.client.traces.add_trace_annotation(trace_id=self.traces[0], annotation_name="t", label="a", sync=True)
        frame = pl.DataFrame({"trace_id": self.traces[1:], "score": [0.5, None], "label": [None, "b"], "name": ["t", "t"]})
        ids = self.client.traces.log_trace_annotations_dataframe(dataframe=frame, annotator_kind="LLM", sync=True)
        self.client.traces.add_trace_note(trace_id=self.traces[0], note="n", identifier="mine")
        found = self.client.traces.get_trace_annotations(project_identifier=self.project, trace_ids=self.traces)
        self.assertEqual(len(ids), 2)
        self.assertEqual([one["result"]["label"] for one in found], ["b", None, "a"])
        self.assertEqual([one["result"]["score"] for one in found], [None, 0.5, None])

    def test_sessions(self):
        self.client.sessions.add_session_annotation(session_id=self.session, annotation_name="s", score=1, sync=True)
        frame = pd.DataFrame({"label": ["x"]}, index=[self.session])
        self.client.sessions.log_session_annotations_dataframe(
            dataframe=frame, annotation_name="from index", annotator_kind="CODE", sync=True
        )
        self.client.sessions.add_session_note(session_id=self.session, note="n")
        found = self.client.sessions.get_session_annotations(project_identifier=self.project, session_ids=[self.session])
        self.assertEqual({one["name"] for one in found}, {"s", "from index"})
        table = self.client.sessions.get_sessions_dataframe(project_name=self.project)
        self.assertEqual((table["num_traces"][0], str(table["start_time"].dtype)), (3, "datetime64[ns, UTC]"))

    def test_documents(self):
        target = span_id(self.numbers[0])
        frame = pd.DataFrame({"span_id": [target] * 2, "document_position": [0, 1], "score": [0, 1]})
        ids = self.client.spans.log_document_annotations_dataframe(
            dataframe=frame, annotation_name="relevance", annotator_kind="CODE", sync=True
        )
        self.client.spans.add_document_annotation(span_id=target, document_position=1, annotation_name="r", label="x", sync=True)
        self.assertEqual(len({one["id"] for one in ids}), 2)
        with self.assertRaisesRegex(ValueError, "span_id and document_position|document_position"):
            self.client.spans.log_document_annotations_dataframe(
                dataframe=frame[["span_id", "score"]], annotation_name="r", annotator_kind="CODE"
            )

    def test_frames_without_what_they_need(self):
        log = self.client.spans.log_span_annotations_dataframe
        for message, arguments in (
            ("exactly one of the columns name", {"dataframe": pd.DataFrame({"span_id": ["a"], "label": ["x"]}), "annotator_kind": "CODE"}),
            ("a column annotator_kind", {"dataframe": pd.DataFrame({"span_id": ["a"], "label": ["x"]}), "annotation_name": "n"}),
            ("one of the columns label", {"dataframe": pd.DataFrame({"span_id": ["a"]}), "annotation_name": "n", "annotator_kind": "CODE"}),
            ("span_id as a column", {"dataframe": pd.DataFrame({"label": ["x"]}), "annotation_name": "n", "annotator_kind": "CODE"}),
            ("row 1: annotator_kind", {"dataframe": pd.DataFrame({"span_id": ["a", "b"], "label": ["x", "y"], "annotator_kind": ["CODE", "x"]}), "annotation_name": "n"}),
        ):
            with self.subTest(message), self.assertRaisesRegex(ValueError, message):
                log(**arguments)
        with self.assertRaisesRegex(TypeError, "expected a data frame"):
            log(dataframe=[{"span_id": "a"}], annotation_name="n", annotator_kind="CODE")


class Others(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(base_url=SERVER_URL)

    def test_configs(self):
        name = unique("config")
        config = {"type": "CATEGORICAL", "name": name, "optimization_direction": "MAXIMIZE", "values": [{"label": "a", "score": 1}]}
        made = self.client.annotation_configs.create(config=config)
        project = self.client.projects.create(name=unique("configured"))["name"]
        self.client.annotation_configs.assign(project_identifier=project, config_identifier=name)

        self.assertEqual(self.client.annotation_configs.get(config_identifier=name), made)
        self.assertIn(name, [one["name"] for one in self.client.annotation_configs.list()])
        self.assertEqual([one["name"] for one in self.client.annotation_configs.get_of_project(project_identifier=project)], [name])
        self.client.annotation_configs.unassign(project_identifier=project, config_identifier=name)
        self.client.annotation_configs.delete(config_id=made["id"])
        with self.assertRaises(NotFoundError):
            self.client.annotation_configs.get(config_identifier=name)

    def test_splits_tags_and_deletions(self):
        dataset = self.client.datasets.create_dataset(name=unique("split"), inputs=[{"n": 1}, {"n": 2}])
        split = self.client.datasets.create_split(dataset=dataset.id, name=unique("train"), example_ids=[dataset[0]["node_id"]])
        self.client.datasets.update_split(dataset=dataset.id, split_id=split["id"], add_example_ids=[dataset[1]["node_id"]])
        self.assertEqual(len(self.client.datasets.get_dataset(dataset=dataset.id, splits=[split["name"]])), 2)
        self.client.datasets.delete_split(dataset=dataset.id, split_id=split["id"])

        made = self.client.experiments.create(dataset_id=dataset.id, experiment_name="one")
        now = datetime.now(timezone.utc)
        logged = self.client.experiments.log_run(
            experiment_id=made["id"], dataset_example_id=dataset[0]["node_id"], output=1, start_time=now, end_time=now
        )
        self.client.experiments.log_evaluation(experiment_run_id=logged["id"], name="e", score=0.5)
        self.client.experiments.add_tag(experiment_id=made["id"], name="baseline")
        self.client.experiments.update(experiment_id=made["id"], description="new")

        self.assertEqual([one["name"] for one in self.client.experiments.get_tags(experiment_id=made["id"])], ["baseline"])
        self.assertEqual(self.client.experiments.get(experiment_id=made["id"])["successful_run_count"], 1)
        read = self.client.experiments.get_experiment(experiment_id=made["id"])
        self.assertEqual([run.result for run in read["evaluation_runs"]], [{"score": 0.5}])
        self.assertEqual(list(read.to_dataframe()["e.score"]), [0.5])
        self.client.experiments.remove_tag(experiment_id=made["id"], name="baseline")
        self.client.experiments.delete(experiment_id=made["id"], delete_project=True)
        self.client.datasets.delete(dataset=dataset)
        with self.assertRaisesRegex(ValueError, "404"):
            self.client.experiments.get(experiment_id=made["id"])


if __name__ == "__main__":
    unittest.main()
