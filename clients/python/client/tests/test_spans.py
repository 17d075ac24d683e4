"""Spans, traces, sessions, projects and annotations: the public client reads the same."""

import asyncio
import unittest

import pandas as pd
from phoenix.client import Client as PublicClient
from phoenix.client.types.spans import SpanQuery as PublicQuery

from spandrel_client import AsyncClient, Client, SpanQuery
from spandrel_client.exceptions import ConflictError, NotFoundError, SpanCreationError
from support import RUN, SERVER_URL, eventually, span, span_id, unique

COUNT = 130


def plain(values):
    return [None if not isinstance(value, (list, dict)) and pd.isna(value) else value for value in values]


class Spans(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(base_url=SERVER_URL)
        cls.public = PublicClient(base_url=SERVER_URL)
        cls.project = unique("spans of the client")
        odd = {"llm.input_messages": [{"message.role": "user", "message.content": "Grüße 🦊"}], "own.key": {"a": [1, None]}}
        spans = [
            span(number, span_kind="LLM", attributes={**span(number)["attributes"], **odd, "ratio": number / 4, "flag": True})
            if number % 2
            else span(number)
            for number in range(1, COUNT + 1)
        ]
        told = cls.client.spans.log_spans(project_identifier=cls.project, spans=spans)
        assert told == {"total_received": COUNT, "total_queued": COUNT}, told
        eventually(cls.expect_all)

    @classmethod
    def expect_all(cls):
        assert len(cls.client.spans.get_spans(project_identifier=cls.project, limit=1000)) == COUNT

    def test_lists_are_those_of_the_public_client(self):
        ours, theirs, name = self.client, self.public, self.project
        self.assertEqual(ours.projects.list(), theirs.projects.list())
        self.assertEqual(ours.projects.get(project_name=name), theirs.projects.get(project_name=name))
        for filters in (
            {"limit": 120},
            {"name": ["step 3", "step 4"]},
            {"span_kind": "LLM", "limit": 5},
            {"attributes": {"number": 7}},
            {"attributes": {"input.value": "in 8"}, "parent_id": "null"},
            {"span_ids": [span_id(9)]},
        ):
            with self.subTest(filters):
                ours_found = ours.spans.get_spans(project_identifier=name, **filters)
                self.assertEqual(ours_found, theirs.spans.get_spans(project_identifier=name, **filters))
                self.assertTrue(ours_found)
        for filters in ({"limit": 110}, {"sort": "latency_ms", "order": "asc", "include_spans": True, "limit": 4}):
            self.assertEqual(
                ours.traces.get_traces(project_identifier=name, **filters),
                theirs.traces.get_traces(project_identifier=name, **filters),
            )
        self.assertEqual(ours.sessions.list(project_name=name), theirs.sessions.list(project_name=name))
        self.assertEqual(
            ours.sessions.get_session_turns(session_id=f"conversation {RUN}"),
            theirs.sessions.get_session_turns(session_id=f"conversation {RUN}"),
        )

    def test_frames_are_those_of_the_public_client(self):
        def queries(kind):
            return (
                None,
                kind().where("span_kind == 'LLM'").select("name", "input.value").rename(**{"input.value": "text"}),
                kind().where("name == 'step 3'").select("span_id", "llm.input_messages").with_index("trace_id"),
                kind().select("name").where("name == 'no such step'"),
            )

        for ours_query, theirs_query in zip(queries(SpanQuery), queries(PublicQuery)):
            ours = self.client.spans.get_spans_dataframe(query=ours_query, project_identifier=self.project)
            theirs = self.public.spans.get_spans_dataframe(query=theirs_query, project_identifier=self.project)
            self.assertEqual(list(ours.columns), list(theirs.columns))
            self.assertEqual(ours.index.name, theirs.index.name)
            ours, theirs = ours.sort_index(), theirs.sort_index()
            self.assertEqual(list(ours.index), list(theirs.index))
            for name in theirs.columns:
                self.assertEqual(plain(ours[name]), plain(theirs[name]), name)

    def test_frames_of_many_pages_have_the_columns_of_all(self):
        name, count = unique("pages"), 2_300
        spans = []
        for number in range(count):
            # From the newest span to the oldest, types become wider and a column begins.
            own = {"mixed": number if number > 1_500 else number + 0.5, "any": number % 2 == 0 if number > 1_200 else f"in {number}"}
            late = {"late": {"deep": [number]}} if number < 500 else {}
            spans.append(span(10_000 + number, attributes={**own, **late}))
        self.client.spans.log_spans(project_identifier=name, spans=spans)

        def read(**more):
            frame = self.client.spans.get_spans_dataframe(project_identifier=name, limit=-1, **more)
            assert len(frame) == count
            return frame

        ours = eventually(read)
        theirs = self.public.spans.get_spans_dataframe(project_identifier=name, limit=3_000)
        self.assertEqual(list(ours.columns), list(theirs.columns))
        self.assertEqual(list(ours.index), list(theirs.index))
        for column in theirs.columns:
            self.assertEqual(plain(ours[column]), plain(theirs[column]), column)

    def test_structured_columns_behave_like_columns(self):
        frame = self.client.spans.get_spans_dataframe(project_identifier=self.project)
        column = frame["attributes.llm.input_messages"]
        some = column[column.notna()]

        self.assertEqual(len(some), COUNT // 2)
        self.assertEqual(some.iloc[0], [{"message.role": "user", "message.content": "Grüße 🦊"}])
        self.assertEqual(some.map(len).sum(), len(some))
        self.assertEqual(frame.iloc[[0, 1]].to_dict("records")[1]["attributes.own"], {"key": {"a": [1, None]}})
        self.assertEqual(pd.concat([frame, frame])["attributes.own"].notna().sum(), COUNT)
        self.assertIn("message.role", repr(some))

    def test_async_client_reads_the_same(self):
        async def read():
            async with AsyncClient(base_url=SERVER_URL) as client:
                name = self.project
                every = [one async for one in client.spans.get_spans(project_identifier=name, limit=None)]
                listed = await client.spans.get_spans(project_identifier=name, limit=None)
                frame = await client.spans.get_spans_dataframe(project_identifier=name)
                return every, listed, frame

        every, listed, frame = asyncio.run(read())
        self.assertEqual(every, self.client.spans.get_spans(project_identifier=self.project, limit=1000))
        self.assertEqual(every, listed)
        self.assertEqual(len(frame), COUNT)

    def test_tables_of_retrieval_are_those_of_the_public_client(self):
        import phoenix.client.helpers.spans as theirs
        import spandrel_client.helpers.spans as ours

        name, spans = unique("retrieval"), []
        for number in range(3):
            root = span(20_000 + number, attributes={"input.value": f"q{number}", "output.value": f"a{number}"})
            documents = [{"document.content": f"d{k}", "document.score": k / 2, "document.metadata": {"k": k}} for k in range(2)]
            found = span(
                30_000 + number,
                trace=root["context"]["trace_id"],
                parent_id=root["context"]["span_id"],
                span_kind="RETRIEVER",
                attributes={"input.value": f"q{number}", "retrieval.documents": documents},
            )
            spans += [root, found]
        self.client.spans.log_spans(project_identifier=name, spans=spans)

        def all_documents():
            frame = ours.get_retrieved_documents(self.client, project_identifier=name)
            self.assertEqual(len(frame), 6)
            return frame

        for made, expected in (
            (eventually(all_documents), theirs.get_retrieved_documents(self.public, project_identifier=name)),
            (
                ours.get_input_output_context(self.client, project_identifier=name),
                theirs.get_input_output_context(self.public, project_identifier=name),
            ),
        ):
            made, expected = made.sort_index(), expected.sort_index()
            self.assertEqual((list(made.columns), made.index.names), (list(expected.columns), expected.index.names))
            self.assertEqual(list(made.index), list(expected.index))
            for column in expected.columns:
                self.assertEqual(plain(made[column]), plain(expected[column]), column)

    def test_pages(self):
        page = self.client.spans.get_spans.page(project_identifier=self.project, page_size=7)
        following = self.client.spans.get_spans.page(project_identifier=self.project, page_size=7, cursor=page.next_cursor)
        several = self.client.spans.get_spans.iter(project_identifier=self.project, limit=14)

        self.assertEqual([*page, *following], list(several))

    def test_annotations(self):
        target = span_id(5)
        added = self.client.spans.add_span_annotation(
            span_id=target, annotation_name=" quality ", score=0, label=" ", metadata={"by": "me"}, sync=True
        )
        self.client.spans.add_span_note(span_id=target, note="look here")
        frame = pd.DataFrame({"span_id": [span_id(n) for n in (6, 7)], "label": ["good", float("nan")], "score": [None, 0.5]})
        ids = self.client.spans.log_span_annotations_dataframe(
            dataframe=frame, annotation_name="checked", annotator_kind="CODE", sync=True
        )

        self.assertEqual((list(added), len(ids)), (["id"], 2))
        arguments = {"project_identifier": self.project, "span_ids": [span_id(n) for n in (5, 6, 7)]}
        ours = self.client.spans.get_span_annotations(**arguments)
        self.assertEqual(ours, self.public.spans.get_span_annotations(**arguments))
        self.assertEqual(len(ours), 3)
        results = {one["span_id"]: one["result"] for one in ours}
        self.assertEqual(results[span_id(7)], {"label": None, "score": 0.5, "explanation": None})
        self.assertEqual(
            list(self.client.spans.get_span_annotations_dataframe(**arguments)["result.label"]),
            list(self.public.spans.get_span_annotations_dataframe(**arguments)["result.label"]),
        )
        with self.assertRaisesRegex(ValueError, "at least one of label, score, explanation"):
            self.client.spans.add_span_annotation(span_id=target, annotation_name="quality", label=" ", score=float("nan"))

    def test_errors_say_what_to_do(self):
        with self.assertRaises(SpanCreationError) as caught:
            self.client.spans.log_spans(project_identifier=self.project, spans=[span(1), span(2)])
        self.assertEqual([one["span_id"] for one in caught.exception.duplicate_spans], [span_id(1), span_id(2)])
        with self.assertRaises(SpanCreationError) as caught:
            self.client.spans.log_spans(project_identifier=self.project, spans=[span(900), span(901, end_time="2026-01-01")])
        self.assertEqual([one["span_id"] for one in caught.exception.invalid_spans], [span_id(901)])
        with self.assertRaisesRegex(SpanCreationError, "^1 of 2 spans is invalid, .* the first problem: body.data.1.context: Field required"):
            self.client.spans.log_spans(project_identifier=self.project, spans=[span(902), {"name": "without the other fields"}])
        with self.assertRaises(NotFoundError) as missing:
            self.client.projects.get(project_name="no such project")
        self.assertEqual((missing.exception.status, missing.exception.code), (404, "PROJECT_NOT_FOUND"))
        self.client.projects.create(name=unique("taken"))
        with self.assertRaises(ConflictError):
            self.client.projects.create(name=self.project)
        with self.assertRaisesRegex(ValueError, "one of / \\? #"):
            self.client.projects.get(project_name="a/b")

    def test_frames_are_stored_as_spans(self):
        from spandrel_client.helpers.spans import uniquify_spans_dataframe

        frame = self.client.spans.get_spans_dataframe(project_identifier=self.project)
        copied = uniquify_spans_dataframe(frame)
        name = unique("copies")
        self.client.spans.log_spans_dataframe(project_identifier=name, spans_dataframe=copied)

        def same():
            read = self.client.spans.get_spans_dataframe(project_identifier=name)
            self.assertEqual(len(read), COUNT)
            return read

        read = eventually(same)
        self.assertEqual(sorted(read["name"]), sorted(frame["name"]))
        self.assertEqual(set(read["context.span_id"]), set(copied["context.span_id"]))
        one = read[read["name"] == "step 3"].iloc[0]
        self.assertEqual(one["attributes.llm.input_messages"], [{"message.role": "user", "message.content": "Grüße 🦊"}])


if __name__ == "__main__":
    unittest.main()
