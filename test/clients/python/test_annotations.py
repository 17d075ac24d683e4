"""Annotations, notes and data frames of both through the public Python client."""

import unittest

import httpx
import pandas as pd
from phoenix.client import Client
from phoenix.client.types.spans import SpanQuery

from support import SERVER_URL, eventually, http, logged_span

PROJECT = "python annotations"
TRACE_COUNT = 3


def trace_id(number):
    return f"{number + 2000:032x}"


def span_id(number):
    return f"{number + 2000:016x}"


def documents(count):
    return [{"document.content": f"document {place}", "document.score": place / 2} for place in range(count)]


class Annotations(unittest.TestCase):
    """Trace `number` is one retrieval of two documents in session `conversation number`; the last one failed."""

    @classmethod
    def setUpClass(cls):
        cls.client = Client(base_url=SERVER_URL)
        cls.client.spans.log_spans(
            project_identifier=PROJECT,
            spans=[
                logged_span(
                    number,
                    context={"trace_id": trace_id(number), "span_id": span_id(number)},
                    span_kind="RETRIEVER",
                    status_code="ERROR" if number == TRACE_COUNT else "OK",
                    attributes={"session.id": f"conversation {number}", "input.value": f"question {number}", "retrieval.documents": documents(2)},
                )
                for number in range(1, TRACE_COUNT + 1)
            ],
        )
        eventually(cls.expect_spans)

    @classmethod
    def expect_spans(cls):
        spans = cls.client.spans.get_spans(project_identifier=PROJECT)
        assert len(spans) == TRACE_COUNT, len(spans)

    def of_spans(self, name, numbers=(1, 2, 3)):
        return self.client.spans.get_span_annotations_dataframe(
            span_ids=[span_id(number) for number in numbers], project_identifier=PROJECT, include_annotation_names=[name], exclude_annotation_names=[]
        )

    def test_one_is_replaced_under_its_identifier(self):
        def add(**changes):
            return self.client.spans.add_span_annotation(
                span_id=span_id(1), annotation_name="one", annotator_kind="LLM", identifier="run", sync=True, **changes
            )

        first = add(label="bad", score=0, explanation="short", metadata={"model": "m"})
        self.assertEqual(add(score=1), first)
        [row] = self.of_spans("one").reset_index().to_dict("records")
        self.assertEqual((row["id"], row["span_id"], row["result.score"], row["annotator_kind"]), (first["id"], span_id(1), 1, "LLM"))
        self.assertEqual((row["result.label"], row["metadata"], row["identifier"], row["source"]), (None, {}, "run", "API"))

    def test_a_frame_of_spans_at_once_and_later(self):
        rows = pd.DataFrame({"score": [0.5, 1], "label": [None, "good"]}, index=pd.Index([span_id(1), span_id(2)], name="span_id"))

        ids = self.client.spans.log_span_annotations_dataframe(dataframe=rows, annotation_name="frame", annotator_kind="CODE", sync=True)
        self.assertIsNone(self.client.spans.log_span_annotations_dataframe(dataframe=rows, annotation_name="later", annotator_kind="HUMAN"))

        self.assertEqual(len(ids), 2)
        found = self.of_spans("frame")
        self.assertEqual(found.loc[span_id(1), "result.score"], 0.5)
        self.assertEqual(found.loc[span_id(2), "result.label"], "good")
        eventually(lambda: self.assertEqual(len(self.of_spans("later")), 2))

    def test_a_frame_of_spans_finds_its_annotations(self):
        self.client.spans.log_span_annotations(
            span_annotations=[{"span_id": span_id(3), "name": "joined", "annotator_kind": "HUMAN", "result": {"score": 2}}], sync=True
        )

        spans = self.client.spans.get_spans_dataframe(project_identifier=PROJECT)
        found = self.client.spans.get_span_annotations_dataframe(
            spans_dataframe=spans, project_identifier=PROJECT, include_annotation_names=["joined"]
        )
        filtered = self.client.spans.get_spans_dataframe(
            query=SpanQuery().where("annotations['joined'].score == 2").select("name"), project_identifier=PROJECT
        )

        self.assertEqual(list(found.index), [span_id(3)])
        self.assertEqual(list(filtered.index), [span_id(3)])

    def test_documents(self):
        rows = pd.DataFrame({"span_id": [span_id(1)] * 2, "document_position": [0, 1], "score": [1, 0], "label": ["relevant", "irrelevant"]})

        ids = self.client.spans.log_document_annotations_dataframe(dataframe=rows, annotation_name="relevance", annotator_kind="LLM", sync=True)
        self.assertEqual(len({row["id"] for row in ids}), 2)
        self.assertEqual(
            self.client.spans.add_document_annotation(span_id=span_id(1), document_position=1, annotation_name="relevance", score=0.5, annotator_kind="LLM", sync=True),
            ids[1],
        )
        with self.assertRaises(httpx.HTTPStatusError) as raised:
            self.client.spans.add_document_annotation(span_id=span_id(1), document_position=2, annotation_name="relevance", score=1, sync=True)
        self.assertEqual(raised.exception.response.status_code, 422)

    def test_traces_and_sessions(self):
        traces = pd.DataFrame({"trace_id": [trace_id(1), trace_id(2)], "score": [1, 2]})
        sessions = pd.DataFrame({"session_id": ["conversation 1"], "label": ["solved"]})

        self.assertEqual(len(self.client.traces.log_trace_annotations_dataframe(dataframe=traces, annotation_name="t", annotator_kind="CODE", sync=True)), 2)
        self.assertEqual(len(self.client.sessions.log_session_annotations_dataframe(dataframe=sessions, annotation_name="s", annotator_kind="HUMAN", sync=True)), 1)

        def rows(target, key, ids):
            answer = http.get(f"{SERVER_URL}/v1/projects/{PROJECT}/{target}_annotations", params={f"{target}_ids": ids}).json()["data"]
            return {row[key]: row["result"] for row in answer}

        found = rows("trace", "trace_id", [trace_id(1), trace_id(2)])
        self.assertEqual([found[trace_id(number)]["score"] for number in (1, 2)], [1, 2])
        self.assertEqual(rows("session", "session_id", ["conversation 1"])["conversation 1"]["label"], "solved")
        for log, field in ((self.client.traces.log_trace_annotations, "trace_annotations"), (self.client.sessions.log_session_annotations, "session_annotations")):
            missing = {"trace_id": "f" * 32, "session_id": "nobody's", "name": "n", "annotator_kind": "CODE", "result": {"score": 1}}
            with self.assertRaises(httpx.HTTPStatusError) as raised:
                log(**{field: [missing]}, sync=True)
            self.assertEqual(raised.exception.response.status_code, 404)

    def test_notes(self):
        ids = {self.client.spans.add_span_note(span_id=span_id(2), note=note)["id"] for note in ("one", "two")}
        self.assertEqual(set(self.of_spans("note", [2])["id"]), ids)

    def test_what_the_client_asks_the_version_for(self):
        found = self.client.spans.get_spans(project_identifier=PROJECT, span_ids=[span_id(1), span_id(3), "f" * 16])
        self.assertEqual({span["context"]["span_id"] for span in found}, {span_id(1), span_id(3)})

        def traces(**query):
            return sorted(int(trace["trace_id"], 16) - 2000 for trace in self.client.traces.get_traces(project_identifier=PROJECT, **query))

        self.assertEqual(traces(error=True), [3])
        self.assertEqual(traces(error=False), [1, 2])
        self.assertEqual(traces(min_latency_ms=1500, max_latency_ms=2500), [2])
