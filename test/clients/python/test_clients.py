"""The public Python clients against a running server: what they send is what they read back.

Run by test/clients/python.test.ts with the other files of this folder.
"""

import time
import unittest
from datetime import timedelta

import httpx
import pandas as pd
from openinference.instrumentation import using_attributes
from opentelemetry.trace import Status, StatusCode
from phoenix.client import Client
from phoenix.client.exceptions import SpanCreationError
from phoenix.client.helpers.spans import get_input_output_context, get_retrieved_documents, uniquify_spans
from phoenix.client.types import PromptVersion
from phoenix.client.types.spans import SpanQuery
from phoenix.otel import register

from support import GRPC_ENDPOINT, SERVER_URL, START, eventually, http, logged_span

def frame(spans):
    """Span dictionaries as a data frame, one row a span, by span id."""
    return pd.json_normalize(spans, sep="/").set_index("context/span_id")


class RegisteredApplication(unittest.TestCase):
    """Nested spans with session, user, metadata and tags, sent through register() over each transport."""

    def send(self, project, **transport):
        provider = register(project_name=project, set_global_tracer_provider=False, verbose=False, **transport)
        tracer = provider.get_tracer("e2e")
        with using_attributes(session_id=f"session of {project}", user_id="user 1", metadata={"tier": "pro", "n": 3}, tags=["a", "b"]):
            with tracer.start_as_current_span("agent", openinference_span_kind="agent") as agent:
                agent.set_input("Wie geht's? 🦊")
                with tracer.start_as_current_span("llm", openinference_span_kind="llm") as llm:
                    llm.set_attribute("llm.model_name", "gpt-4o")
                    llm.set_attribute("llm.token_count.prompt", 2**53 + 1)
                    llm.set_status(Status(StatusCode.OK))
                with tracer.start_as_current_span("tool", openinference_span_kind="tool") as tool:
                    tool.record_exception(ValueError("no such tool"))
                    tool.set_status(Status(StatusCode.ERROR, "no such tool"))
                agent.set_output({"answer": [1, 2]})
        provider.force_flush()
        provider.shutdown()
        return agent.get_span_context()

    def check(self, project, **transport):
        context = self.send(project, **transport)
        client = Client(base_url=SERVER_URL)

        def three_spans():
            spans = client.spans.get_spans(project_identifier=project, limit=1000)
            self.assertEqual(len(spans), 3)
            return spans

        spans = eventually(three_spans)
        by_name = {span["name"]: span for span in spans}
        agent, llm, tool = by_name["agent"], by_name["llm"], by_name["tool"]
        self.assertEqual({span["context"]["trace_id"] for span in spans}, {format(context.trace_id, "032x")})
        self.assertEqual(agent["context"]["span_id"], format(context.span_id, "016x"))
        self.assertIsNone(agent["parent_id"])
        self.assertEqual({llm["parent_id"], tool["parent_id"]}, {agent["context"]["span_id"]})
        self.assertEqual([agent["span_kind"], llm["span_kind"], tool["span_kind"]], ["AGENT", "LLM", "TOOL"])
        self.assertEqual([agent["status_code"], llm["status_code"], tool["status_code"]], ["UNSET", "OK", "ERROR"])
        self.assertEqual(tool["status_message"], "no such tool")
        self.assertEqual(tool["events"][0]["attributes"]["exception.message"], "no such tool")
        self.assertEqual(llm["attributes"]["llm.token_count.prompt"], 2**53 + 1)
        for span in spans:
            attributes = span["attributes"]
            self.assertEqual(attributes["session.id"], f"session of {project}")
            self.assertEqual(attributes["user.id"], "user 1")
            self.assertEqual((attributes["metadata.tier"], attributes["metadata.n"]), ("pro", 3))
            self.assertEqual(attributes["tag.tags"], ["a", "b"])
        self.assertEqual(agent["attributes"]["input.value"], "Wie geht's? 🦊")
        self.assertEqual(agent["attributes"]["output.mime_type"], "application/json")

        spans_frame = frame(spans)
        self.assertEqual(len(spans_frame), 3)
        self.assertEqual(spans_frame.loc[format(context.span_id, "016x"), "attributes/metadata.tier"], "pro")

        [session] = client.sessions.list(project_name=project)
        self.assertEqual(session["session_id"], f"session of {project}")
        [turn] = client.sessions.get_session_turns(session_id=session["session_id"])
        self.assertEqual(turn["input"]["value"], "Wie geht's? 🦊")

    def test_http(self):
        """reads back what came over OTLP/HTTP"""
        self.check("python http", endpoint=f"{SERVER_URL}/v1/traces")

    def test_http_batch(self):
        """reads back what a batching processor sent over OTLP/HTTP"""
        self.check("python http batch", endpoint=f"{SERVER_URL}/v1/traces", batch=True)

    def test_grpc(self):
        """reads back what came over OTLP/gRPC"""
        self.check("python grpc", endpoint=GRPC_ENDPOINT, protocol="grpc")


class PhoenixClient(unittest.TestCase):
    """Spans, traces, sessions and projects through phoenix.client."""

    @classmethod
    def setUpClass(cls):
        cls.client = Client(base_url=SERVER_URL)
        cls.project = "python client"
        result = cls.client.spans.log_spans(
            project_identifier=cls.project,
            spans=[
                span
                for number in range(1, 9)
                for span in (
                    logged_span(number),
                    logged_span(number + 100, context={"trace_id": f"{number:032x}", "span_id": f"{number + 100:016x}"}, parent_id=f"{number:016x}", span_kind="LLM", status_code="ERROR" if number == 5 else "OK"),
                )
            ],
        )
        assert result == {"total_received": 16, "total_queued": 16}, result
        eventually(lambda: cls.expect_count(16))

    @classmethod
    def expect_count(cls, count, project=None):
        spans = cls.client.spans.get_spans(project_identifier=project or cls.project, limit=1000)
        assert len(spans) == count, f"{len(spans)} of {count}"
        return spans

    def find(self, **query):
        spans = self.client.spans.get_spans(project_identifier=self.project, limit=1000, **query)
        return sorted(int(span["context"]["span_id"], 16) for span in spans)

    def test_filters(self):
        """finds spans by every filter"""
        self.assertEqual(self.find(trace_ids=[f"{3:032x}"]), [3, 103])
        self.assertEqual(self.find(parent_id="null"), list(range(1, 9)))
        self.assertEqual(self.find(parent_id=f"{4:016x}"), [104])
        self.assertEqual(self.find(name="step 6"), [6])
        self.assertEqual(self.find(name=["step 6", "step 107"]), [6, 107])
        self.assertEqual(self.find(span_kind="LLM"), list(range(101, 109)))
        self.assertEqual(self.find(status_code="ERROR"), [105])
        self.assertEqual(self.find(attributes={"number": 107}), [107])
        self.assertEqual(self.find(attributes={"number": "107"}), [])
        self.assertEqual(self.find(attributes={"session.id": "logged session"}, span_kind="CHAIN"), list(range(1, 9)))
        self.assertEqual(self.find(start_time=START + timedelta(minutes=2), end_time=START + timedelta(minutes=4)), [2, 3])

    def test_frame_of_spans(self):
        """gives spans whose times and attributes make a typed data frame"""
        spans_frame = frame(self.client.spans.get_spans(project_identifier=self.project, parent_id="null"))

        starts = pd.to_datetime(spans_frame["start_time"], format="ISO8601")
        self.assertEqual(starts[f"{1:016x}"], pd.Timestamp(START + timedelta(minutes=1)))
        self.assertEqual(spans_frame["attributes/number"].sum(), sum(range(1, 9)))
        self.assertTrue((pd.to_datetime(spans_frame["end_time"], format="ISO8601") - starts).dt.total_seconds().eq(spans_frame["attributes/number"]).all())

    def test_paging(self):
        """cuts to the limit and pages past it"""
        self.assertEqual(len(self.client.spans.get_spans(project_identifier=self.project, limit=5)), 5)
        project = "python pages"
        self.client.spans.log_spans(project_identifier=project, spans=[logged_span(10_000 + number, project_session="paged session") for number in range(230)])
        spans = eventually(lambda: self.expect_count(230, project))
        self.assertEqual(len({span["context"]["span_id"] for span in spans}), 230)

    def test_traces(self):
        """lists traces newest first, by latency, with spans, by session"""
        traces = self.client.traces.get_traces(project_identifier=self.project, include_spans=True)
        self.assertEqual([int(trace["trace_id"], 16) for trace in traces], list(range(8, 0, -1)))
        self.assertEqual({span["name"] for span in traces[0]["spans"]}, {"step 8", "step 108"})
        by_latency = self.client.traces.get_traces(project_identifier=self.project, sort="latency_ms", order="asc", limit=3)
        self.assertEqual(len(by_latency), 3)
        of_session = self.client.traces.get_traces(project_identifier=self.project, session_id="logged session")
        self.assertEqual(len(of_session), 8)
        self.assertEqual(self.client.traces.get_traces(project_identifier=self.project, session_id="no such session"), [])

    def test_sessions_frame(self):
        """gives sessions as a data frame"""
        sessions = self.client.sessions.get_sessions_dataframe(project_name=self.project)
        self.assertEqual(list(sessions["session_id"]), ["logged session"])
        self.assertEqual(list(sessions["num_traces"]), [8])
        session = self.client.sessions.get(session_id="logged session")
        self.assertEqual([int(trace["trace_id"], 16) for trace in session["traces"]], list(range(1, 9)))
        turns = self.client.sessions.get_session_turns(session_id="logged session")
        self.assertEqual([turn["input"]["value"] for turn in turns], [f"in {number}" for number in range(1, 9)])

    def test_duplicates(self):
        """names duplicates, and stores nothing of that request"""
        with self.assertRaises(SpanCreationError) as raised:
            self.client.spans.log_spans(project_identifier=self.project, spans=[logged_span(900), logged_span(1)])
        self.assertEqual(raised.exception.duplicate_spans, [{"span_id": f"{1:016x}", "trace_id": f"{1:032x}"}])
        self.assertEqual((raised.exception.total_received, raised.exception.total_queued, raised.exception.total_duplicates), (2, 0, 1))
        self.assertEqual(self.find(trace_ids=[f"{900:032x}"]), [])

    def test_invalid_span(self):
        """names the span whose time has no zone"""
        naive = logged_span(901, start_time="2026-01-01T00:00:00")
        with self.assertRaises(SpanCreationError) as raised:
            self.client.spans.log_spans(project_identifier=self.project, spans=[logged_span(902), naive])
        self.assertEqual([span["span_id"] for span in raised.exception.invalid_spans], [f"{901:016x}"])
        self.assertIn("timezone", raised.exception.invalid_spans[0]["error"])

    def test_uniquified_spans(self):
        """takes fetched spans again under new ids"""
        source, project = "python originals", "python copies"
        self.client.spans.log_spans(
            project_identifier=source,
            spans=[
                logged_span(500, project_session="copied session"),
                logged_span(501, project_session="copied session", context={"trace_id": f"{500:032x}", "span_id": f"{501:016x}"}, parent_id=f"{500:016x}"),
            ],
        )
        fetched = eventually(lambda: self.expect_count(2, source))

        self.client.spans.log_spans(project_identifier=project, spans=uniquify_spans(fetched))

        copied = eventually(lambda: self.expect_count(2, project))
        self.assertEqual({span["name"] for span in copied}, {"step 500", "step 501"})
        self.assertTrue({span["context"]["span_id"] for span in copied}.isdisjoint(span["context"]["span_id"] for span in fetched))
        root = next(span for span in copied if span["parent_id"] is None)
        self.assertEqual({span["parent_id"] for span in copied if span is not root}, {root["context"]["span_id"]})
        original = next(span for span in fetched if span["parent_id"] is None)
        self.assertEqual(root["attributes"], original["attributes"])

    def test_frame_of_new_spans(self):
        """logs a data frame of spans"""
        project = "python frame"
        new = pd.DataFrame(
            [{"name": "from a frame", "span_kind": "LLM", "context.trace_id": "f" * 32, "start_time": START, "end_time": START + timedelta(seconds=1), "status_code": "OK", "attributes.llm.model_name": "m"}],
            index=pd.Index(["e" * 16], name="context.span_id"),
        )
        self.client.spans.log_spans_dataframe(project_identifier=project, spans_dataframe=new)
        [span] = eventually(lambda: self.expect_count(1, project))
        self.assertEqual((span["context"]["span_id"], span["attributes"]["llm.model_name"]), ("e" * 16, "m"))

    def test_data_frames(self):
        """reads data frames of spans: selected, filtered, exploded, concatenated, and those of retrieval"""
        project = "python data frames"
        trace_id = f"{960:032x}"

        def of_trace(number, kind, parent, **attributes):
            context = {"trace_id": trace_id, "span_id": f"{number:016x}"}
            return logged_span(number, context=context, span_kind=kind, parent_id=parent and f"{parent:016x}", attributes=attributes)

        documents = [{"document.content": "one", "document.score": 0.5}, {"document.content": "two " * 100, "document.score": 1}]
        self.client.spans.log_spans(
            project_identifier=project,
            spans=[
                of_trace(960, "CHAIN", None, **{"input.value": "What?", "output.value": "That."}),
                of_trace(961, "RETRIEVER", 960, **{"input.value": "query", "retrieval.documents": documents}),
                of_trace(962, "LLM", 960, **{"llm.model_name": "m", "llm.input_messages": [{"message.role": "user", "message.content": "hi"}]}),
            ],
        )
        eventually(lambda: self.expect_count(3, project))

        def read(query=None, **options):
            return self.client.spans.get_spans_dataframe(query=query, project_identifier=project, **options)

        whole = read()
        self.assertEqual(list(whole.index), [f"{number:016x}" for number in (962, 961, 960)])
        self.assertEqual(whole.loc[f"{962:016x}", "attributes.llm.input_messages"], [{"message.role": "user", "message.content": "hi"}])
        self.assertEqual(str(whole["start_time"].dtype), "datetime64[ns, UTC]")
        selected = read(SpanQuery().where("span_kind == 'LLM'").select("name", "llm.input_messages"))
        self.assertEqual(list(selected["name"]), ["step 962"])
        self.assertEqual(list(selected["llm.input_messages"]), [[{"message": {"role": "user", "content": "hi"}}]])
        exploded = read(SpanQuery().explode("retrieval.documents", text="document.content"))
        self.assertEqual(list(exploded.index), [(f"{961:016x}", 0), (f"{961:016x}", 1)])
        self.assertEqual(list(exploded["text"]), ["one", "two " * 100])
        joined = read(SpanQuery().select("name").concat("retrieval.documents", text="document.content").rename(name="step"))
        self.assertEqual(joined.to_dict("records"), [{"step": "step 961", "text": "one\n\n" + "two " * 100}])
        self.assertEqual(list(read(root_spans_only=True)["name"]), ["step 960"])
        self.assertEqual(len(read(SpanQuery().where("'TWO' in retrieval.documents"))), 1)
        self.assertEqual(len(self.client.spans.get_spans_dataframe(project_identifier="python unknown")), 0)
        with self.assertRaises(httpx.HTTPStatusError) as raised:
            read(SpanQuery().where("name = 'x'"))
        self.assertEqual(raised.exception.response.status_code, 422)

        self.assertEqual(list(get_retrieved_documents(self.client, project_identifier=project)["document"]), ["one", "two " * 100])
        [context] = get_input_output_context(self.client, project_identifier=project).to_dict("records")
        self.assertEqual((context["input"], context["output"]), ("What?", "That."))

    def test_delete(self):
        """deletes spans and sessions"""
        project = "python deletions"
        self.client.spans.log_spans(project_identifier=project, spans=[logged_span(number, project_session=f"doomed {number}") for number in (700, 701, 702, 703)])
        eventually(lambda: self.expect_count(4, project))

        self.client.spans.delete(span_identifier=f"{700:016x}")
        self.client.sessions.delete(session_id="doomed 701")
        self.client.sessions.bulk_delete(session_ids=["doomed 702"])

        [left] = eventually(lambda: self.expect_count(1, project))
        self.assertEqual(left["name"], "step 703")
        with self.assertRaises(httpx.HTTPStatusError) as raised:
            self.client.spans.delete(span_identifier=f"{700:016x}")
        self.assertEqual(raised.exception.response.status_code, 404)

    def test_projects(self):
        """creates, gets, lists, updates and deletes projects"""
        created = self.client.projects.create(name="python project", description="first")
        self.assertEqual(self.client.projects.get(project_name="python project"), created)
        self.assertEqual(self.client.projects.get(project_id=created["id"]), created)
        updated = self.client.projects.update(project_id=created["id"], description="second")
        self.assertEqual(updated["description"], "second")
        self.assertIn("python project", [project["name"] for project in self.client.projects.list()])
        self.client.projects.delete(project_name="python project")
        with self.assertRaises((ValueError, httpx.HTTPStatusError)):
            self.client.projects.get(project_name="python project")


class Prompts(unittest.TestCase):
    """Versions made from messages and SDK arguments, found by tag and formatted for the SDK again."""

    def setUp(self):
        self.prompts = Client(base_url=SERVER_URL).prompts

    def make(self, name, messages=None, **changes):
        messages = messages or [{"role": "system", "content": "Be {{tone}}."}, {"role": "user", "content": "{{question}}"}]
        version = PromptVersion(messages, model_name=changes.pop("model_name", "gpt-4o"), **changes)
        return self.prompts.create(name=name, prompt_description="about", prompt_metadata={"n": 2**53 + 1, "f": 1.0}, version=version)

    def test_create_get_format(self):
        made = self.make("py-plain", description="first")
        for found in (self.prompts.get(prompt_identifier="py-plain"), self.prompts.get(prompt_version_id=made.id)):
            self.assertEqual(found.id, made.id)
            call = found.format(variables={"tone": "brief", "question": "Why?"})
            self.assertEqual(call["model"], "gpt-4o")
            self.assertEqual([message["content"] for message in call["messages"]], ["Be brief.", "Why?"])

    def test_every_provider_and_format(self):
        for provider in "OPENAI AZURE_OPENAI ANTHROPIC GOOGLE DEEPSEEK XAI AWS OLLAMA CEREBRAS FIREWORKS GROQ MOONSHOT PERPLEXITY TOGETHER".split():
            for template_format in ("MUSTACHE", "F_STRING", "NONE"):
                name = f"py-{provider.lower()}-{template_format.lower()}"
                made = self.make(name, [{"role": "user", "content": "a {{b}} {{{b}}}"}], model_provider=provider, template_format=template_format)
                self.assertEqual(vars(self.prompts.get(prompt_identifier=name)), vars(made))

    def test_from_openai(self):
        tool = {"type": "function", "function": {"name": "weather", "description": "of a city", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}, "strict": True}}
        arguments = {
            "model": "gpt-4o",
            "temperature": 0.5,
            "messages": [
                {"role": "user", "content": "Is it warm in {{city}}?"},
                {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\": 1}"}}]},
                {"role": "tool", "tool_call_id": "c1", "content": "yes"},
            ],
            "tools": [tool],
            "tool_choice": "required",
            "response_format": {"type": "json_schema", "json_schema": {"name": "r", "schema": {"type": "object", "properties": {}}, "strict": True}},
        }
        self.prompts.create(name="py-openai", version=PromptVersion.from_openai(arguments))
        call = dict(**self.prompts.get(prompt_identifier="py-openai").format(variables={"city": "Ulm"}, sdk="openai"))
        self.assertEqual(call["messages"][0]["content"], "Is it warm in Ulm?")
        self.assertEqual(call["messages"][1]["tool_calls"], arguments["messages"][1]["tool_calls"])
        for key in ("model", "temperature", "tools", "tool_choice", "response_format"):
            self.assertEqual(call[key], arguments[key], key)

    def test_from_anthropic(self):
        arguments = {
            "model": "claude-sonnet-4-5",
            "max_tokens": 2000,
            "thinking": {"type": "enabled", "budget_tokens": 1500},
            "system": "Be brief.",
            "messages": [{"role": "user", "content": "{{question}}"}],
            "tools": [{"name": "weather", "description": "of a city", "input_schema": {"type": "object", "properties": {}}}],
        }
        self.prompts.create(name="py-anthropic", version=PromptVersion.from_anthropic(arguments))
        call = dict(**self.prompts.get(prompt_identifier="py-anthropic").format(variables={"question": "Why?"}, sdk="anthropic"))
        self.assertEqual(call["messages"][0]["content"], "Why?")
        for key in ("model", "max_tokens", "thinking", "system", "tools"):
            self.assertEqual(call[key], arguments[key], key)

    def test_tags(self):
        first, second = self.make("py-tagged"), self.make("py-tagged", model_name="other")
        for version in (first, second):
            self.prompts.tags.create(prompt_version_id=version.id, name="production", description="live")
            self.assertEqual(self.prompts.get(prompt_identifier="py-tagged", tag="production").id, version.id)
        self.assertEqual(self.prompts.tags.list(prompt_version_id=first.id), [])
        self.assertEqual([(tag["name"], tag["description"]) for tag in self.prompts.tags.list(prompt_version_id=second.id)], [("production", "live")])
        with self.assertRaises(ValueError):
            self.prompts.get(prompt_identifier="py-tagged", tag="staging")

    def test_update(self):
        self.make("py-updated")
        self.assertEqual(self.prompts.update(prompt_identifier="py-updated", prompt_metadata={"m": 1})["metadata"], {"m": 1})
        row = self.prompts.update(prompt_identifier="py-updated", prompt_description=None)
        self.assertIsNone(row.get("description"))
        self.assertEqual(row["metadata"], {"m": 1})

    def test_metadata_and_delete(self):
        self.make("py-deleted")
        rows = http.get(f"{SERVER_URL}/v1/prompts", params={"limit": 1000}).json()["data"]
        row = next(row for row in rows if row["name"] == "py-deleted")
        self.assertEqual(row["metadata"], {"n": 2**53 + 1, "f": 1.0})
        self.assertIsInstance(row["metadata"]["f"], float)
        self.prompts.delete(prompt_identifier="py-deleted")
        with self.assertRaises(ValueError):
            self.prompts.get(prompt_identifier="py-deleted")
