"""Annotations of traces, sessions and documents, configs, splits, labels, tags, files, spans as examples, deletions."""

import io
import json
import pathlib
import tempfile
import unittest
from datetime import datetime, timezone

import pandas as pd

try:
    import polars as pl
except ImportError:
    # Polars does not install on Python 3.10.
    pl = pd

from spandrel_client import AsyncClient, Client
from spandrel_client.exceptions import ConflictError, DatasetUploadError, NotFoundError
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
        self.assertEqual(table["num_traces"][0], 3)
        # The resolution is that of the version of pandas.
        self.assertRegex(str(table["start_time"].dtype), r"^datetime64\[[nu]s, UTC\]$")

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

    def test_deletions_of_annotations(self):
        add = {
            "span": lambda name: self.client.spans.add_span_annotation(span_id=span_id(self.numbers[1]), annotation_name=name, score=1, sync=True),
            "trace": lambda name: self.client.traces.add_trace_annotation(trace_id=self.traces[1], annotation_name=name, score=1, sync=True),
            "session": lambda name: self.client.sessions.add_session_annotation(session_id=self.session, annotation_name=name, score=1, sync=True),
        }
        ids = {"span": [span_id(self.numbers[1])], "trace": [self.traces[1]], "session": [self.session]}
        for noun, make in add.items():
            with self.subTest(noun):
                resource = getattr(self.client, f"{noun}s")
                delete = getattr(resource, f"delete_{noun}_annotations")
                read = getattr(resource, f"get_{noun}_annotations")
                for name in ("kept", "deleted"):
                    make(f"{noun} {name}")
                with self.assertRaisesRegex(ValueError, "delete_all=True"):
                    delete(project_identifier=self.project, name=f"{noun} deleted")
                past = datetime(2020, 1, 1, tzinfo=timezone.utc)
                delete(project_identifier=self.project, start_time=past, end_time=past.replace(year=2021))
                delete(project_identifier=self.project, name=f"{noun} deleted", delete_all=True)
                found = read(project_identifier=self.project, **{f"{noun}_ids": ids[noun]})
                names = [one["name"] for one in found]
                self.assertIn(f"{noun} kept", names)
                self.assertNotIn(f"{noun} deleted", names)
                delete(project_identifier=self.project, annotator_kind="HUMAN", delete_all=True)
                self.assertEqual(read(project_identifier=self.project, **{f"{noun}_ids": ids[noun]}), [])

    def test_files_of_spans(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "spans.jsonl")
            size = self.client.spans.export(project_identifier=self.project, file=path)
            self.assertEqual((size, [one.name for one in path.parent.iterdir()]), (path.stat().st_size, [path.name]))
            self.assertEqual(path.read_text().count("\n"), 3)
            for name, more in (("again.jsonl.gz", {}), ("spans.parquet", {"format": "parquet"})):
                copy = pathlib.Path(folder, name)
                if more:
                    self.client.spans.export(project_identifier=self.project, file=copy, **more)
                else:
                    import gzip

                    copy.write_bytes(gzip.compress(path.read_bytes()))
                told = self.client.spans.import_file(project_identifier=self.project, path=copy)
                self.assertEqual((told["received_span_count"], told["repeated_span_count"]), (3, 3))
            with self.assertRaises(NotFoundError):
                self.client.spans.export(project_identifier="UHJvamVjdDo5OTk5OTk=", file=path)
            self.assertEqual(path.stat().st_size, size)
        memory = io.BytesIO()
        self.client.spans.export(project_identifier=self.project, file=memory, trace_ids=self.traces[:1], filter="span_kind == 'RETRIEVER'")
        self.assertEqual([json.loads(line)["trace_id"] for line in memory.getvalue().splitlines()], self.traces[:1])
        for file, message in ((io.StringIO(), "binary mode"), (7, "expected a path")):
            with self.assertRaisesRegex(TypeError, message):
                self.client.spans.export(project_identifier=self.project, file=file)
        for path in ("/nowhere/spans.jsonl", "/proc/spans.jsonl"):
            with self.assertRaisesRegex(OSError, f"expected to write {path}, got: [^;]+; choose another path"):
                self.client.spans.export(project_identifier=self.project, file=path)
        found = self.client.spans.get_otlp_spans(project_identifier=self.project, attributes={"session.id": self.session})
        self.assertEqual(sorted(one["name"] for one in found), [f"step {n}" for n in self.numbers])

    def test_spans_as_examples(self):
        datasets, name = self.client.datasets, unique("spans")
        told = datasets.add_spans_of_project(name=name, project_identifier=self.project, filter="span_kind == 'RETRIEVER'")
        spans = self.client.spans.get_spans(project_identifier=self.project)
        again = datasets.add_spans(dataset=name, span_ids=[one["id"] for one in spans], dry_run=True)
        self.assertEqual((told["num_created_examples"], again["added_count"], again["dataset_id"]), (3, 0, told["dataset_id"]))
        mapping = {"input": [{"name": "n", "path": "attributes.number"}]}
        added = datasets.add_spans(dataset=name, span_ids=[spans[0]["id"]], mapping=mapping, splits=["odd"], keep_repeated=True)
        self.assertEqual(added["added_count"], 1)
        changes = datasets.get_changes(dataset=name, base_version_id=told["version_id"])
        self.assertEqual([one["change"] for one in changes], ["added"])
        with self.assertRaisesRegex(DatasetUploadError, "no span was added"):
            datasets.add_spans(dataset=name, span_ids=["U3Bhbjo5OTk5OTk5"])
        with self.assertRaises(NotFoundError):
            datasets.add_matches_of_source(source_id="RGF0YXNldFNvdXJjZTo5OTk5OTk=")


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
        chosen = self.client.annotation_configs.set_of_project(project_identifier=project, config_ids=[made["id"]])
        self.assertEqual([one["name"] for one in chosen], [name])
        self.client.annotation_configs.delete(config_id=made["id"])
        with self.assertRaises(NotFoundError):
            self.client.annotation_configs.get(config_identifier=name)

    def test_labels_and_files_of_datasets(self):
        datasets, labels = self.client.datasets, self.client.datasets.labels
        name = unique("labelled")
        made = datasets.create_dataset(name=name, inputs=[{"q": 1}], outputs=[{"a": 2}])
        first, second = (labels.create(name=unique(one), description="d") for one in ("golden", "old"))
        with self.assertRaises(ConflictError):
            labels.create(name=first["name"])
        labels.assign(dataset=name, label_id=first["id"])
        labels.set_of_dataset(dataset=name, label_ids=[first["id"], second["id"]])
        labels.unassign(dataset=name, label_id=first["id"])
        self.assertEqual(labels.get_of_dataset(dataset=name), [second])
        renamed = labels.update(label_id=second["id"], color="#ff0000", description=None)
        self.assertEqual(labels.get(label_id=second["id"]), renamed)
        self.assertEqual((renamed["color"], renamed["description"]), ("#ff0000", None))
        for one in (first, second):
            self.assertIn(one["id"], [label["id"] for label in labels.list()])
            labels.delete(label_id=one["id"])

        changed = datasets.update(dataset=made, description="new", metadata={"m": 1})
        self.assertEqual((changed["description"], changed["metadata"], changed["name"]), ("new", {"m": 1}, name))
        texts = {}
        for form in ("csv", "jsonl", "openai_ft", "openai_evals"):
            file = io.BytesIO()
            self.assertEqual(datasets.export(dataset=name, file=file, format=form), len(file.getvalue()))
            texts[form] = file.getvalue().decode()
        self.assertEqual(json.loads(texts["jsonl"])["input"], {"q": 1})
        self.assertRegex(texts["csv"], "(?s)^[^\n]*q[^\n]*\n.*1")
        with self.assertRaisesRegex(ValueError, "'xml'; expected one of csv, jsonl"):
            datasets.export(dataset=name, file=io.BytesIO(), format="xml")

    def test_any_call(self):
        self.assertEqual(self.client.request("get", "/v1/projects", params={"limit": 1})["data"], self.client.projects.list.page(page_size=1).data)
        project = self.client.request("POST", "/v1/projects", json={"name": unique("requested")})["data"]
        self.assertIsNone(self.client.request("DELETE", f"/v1/projects/{project['id']}"))
        for path in ("v1/projects", "//elsewhere.example/v1/projects", "http://elsewhere.example/"):
            with self.assertRaisesRegex(ValueError, "begins with /"):
                self.client.request("GET", path)

        async def read():
            async with AsyncClient(base_url=SERVER_URL) as client:
                with tempfile.TemporaryFile() as file:
                    dataset = await client.datasets.create_dataset(name=unique("async"), inputs=[{"q": 1}])
                    return (await client.request("GET", "/v1/user"))["data"], await client.datasets.export(dataset=dataset, file=file)

        import asyncio

        user, size = asyncio.run(read())
        self.assertTrue(user is not None and size > 0)

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
        other = self.client.experiments.create(dataset_id=dataset.id, experiment_name="two")
        pair = {"experiment_ids": [made["id"], other["id"]]}
        for write, arguments, expected in (
            (self.client.experiments.export, {"experiment_id": made["id"]}, "example_id"),
            (self.client.experiments.export, {"experiment_id": made["id"], "format": "json"}, "reference_output"),
            (self.client.experiments.export_comparison, pair, "<html"),
            (self.client.experiments.export_comparison, {**pair, "format": "csv", "has_error": False}, "one"),
        ):
            file = io.BytesIO()
            write(file=file, **arguments)
            self.assertIn(expected, file.getvalue().decode())
        self.client.experiments.delete(experiment_id=made["id"], delete_project=True)
        self.client.datasets.delete(dataset=dataset)
        with self.assertRaisesRegex(ValueError, "404"):
            self.client.experiments.get(experiment_id=made["id"])


if __name__ == "__main__":
    unittest.main()
