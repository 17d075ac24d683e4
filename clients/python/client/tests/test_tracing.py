"""`spandrel_client.tracing`: register, decorators, contexts, masks and settings, with spans read back from the real server."""

import asyncio
import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider as OtherProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor as OtherProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from spandrel_client import Client, tracing
from spandrel_client.exceptions import ConfigurationError
from spandrel_client.tracing import Mask, TraceConfig, TracerProvider, registration
from spandrel_client.tracing.destination import resolve_destination
from spandrel_client.tracing.masking import REDACTED, make_masking
from support import SERVER_URL, eventually, unique

KEY = "sk-very-secret"
GRPC_URL = os.environ.get("SERVER_GRPC_URL", "")
ENDPOINT = f"{SERVER_URL}/v1/traces"


def without_settings(**values):
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("SPANDREL_", "PHOENIX_", "OTEL_", "OPENINFERENCE_"))
    }
    return mock.patch.dict(os.environ, {**kept, "SPANDREL_DISCOVER_CONFIG": "false", **values}, clear=True)


@contextlib.contextmanager
def global_provider(provider):
    """Makes it the global provider for a while, which OpenTelemetry allows only once."""
    with mock.patch.object(trace, "_TRACER_PROVIDER", provider):
        yield


class Registering(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.client = Client(base_url=SERVER_URL)
        cls.addClassCleanup(cls.client.close)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name

    def register(self, **options):
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            provider = tracing.register(set_global_tracer_provider=False, spill_dir=self.folder, **options)
        self.addCleanup(provider.shutdown)
        return provider, output.getvalue()

    def spans(self, project, count):
        def claim():
            found = self.client.spans.get_spans(project_identifier=project, limit=100)
            self.assertEqual(len(found), count)
            return {span["name"]: span for span in found}

        return eventually(claim)

    def test_one_call_traces_over_http_and_says_so(self):
        project = unique("registered")
        provider, output = self.register(endpoint=ENDPOINT, project_name=project, api_key=KEY)
        self.assertIn("HTTP + protobuf", output)
        self.assertIn(ENDPOINT, output)
        self.assertIn(project, output)
        self.assertIn("authorization: ****", output)
        self.assertNotIn(KEY, output)
        with provider.get_tracer("test").start_as_current_span("hello"):
            pass
        self.assertTrue(provider.force_flush())
        self.spans(project, 1)

    @unittest.skipUnless(GRPC_URL, "SERVER_GRPC_URL is not set")
    def test_grpc_is_used_on_request(self):
        project = unique("over grpc")
        provider, output = self.register(endpoint=GRPC_URL, protocol="grpc", project_name=project, batch=True)
        self.assertIn("gRPC", output)
        provider.get_tracer("test").start_span("hello").end()
        self.assertTrue(provider.force_flush())
        self.spans(project, 1)

    def test_decorators_and_contexts_make_a_tree_that_reads_back(self):
        project = unique("decorated")
        provider, _ = self.register(endpoint=ENDPOINT, project_name=project, batch=True)

        # Functions are decorated before there is a provider.
        @tracing.tool
        def add(a: int, b: int = 2) -> int:
            "Adds two numbers."
            return a + b

        @tracing.retriever(name="search")
        async def search(query):
            return ["document"]

        @tracing.llm
        def stream(messages):
            yield from ("Li", "ma")

        @tracing.chain
        def parts(count):
            yield from map(str, range(count))

        @tracing.agent
        async def answer(question):
            self.assertEqual(add(1), 3)
            await search(question)
            self.assertEqual(list(stream([{"role": "user", "content": question}])), ["Li", "ma"])
            self.assertEqual("".join(parts(3)), "012")
            with tracing.guardrail("check", input=question, attributes={"rule": "polite"}) as span:
                span.set_output("fine")
            with self.assertRaises(ZeroDivisionError), tracing.chain("fails"):
                raise ZeroDivisionError("zero")
            return {"capital": "Lima"}

        with global_provider(provider), tracing.session("s1"), tracing.user("u1"), tracing.tags("a", "b"):
            with tracing.metadata(tier="pro"), tracing.prompt("Name {{ x }}", variables={"x": "Peru"}, version="v1"):
                asyncio.run(answer("Peru?"))
            self.assertTrue(tracing.flush())
        name = next(name for name in self.spans(project, 7) if name.endswith("answer"))
        spans = {key.rpartition(".")[2]: span for key, span in self.spans(project, 7).items()}
        root = spans["answer"]
        self.assertEqual({span["context"]["trace_id"] for span in spans.values()}, {root["context"]["trace_id"]})
        self.assertEqual(
            {span.get("parent_id") for key, span in spans.items() if key != "answer"}, {root["context"]["span_id"]}, name
        )
        kinds = {key: span["span_kind"] for key, span in spans.items()}
        self.assertEqual(
            kinds,
            {
                "answer": "AGENT",
                "add": "TOOL",
                "search": "RETRIEVER",
                "stream": "LLM",
                "parts": "CHAIN",
                "check": "GUARDRAIL",
                "fails": "CHAIN",
            },
        )
        self.assertEqual({key for key, span in spans.items() if span["status_code"] != "OK"}, {"fails"})
        attributes = {key: span["attributes"] for key, span in spans.items()}
        for one in attributes.values():
            self.assertEqual(
                (one["session.id"], one["user.id"], one["tag.tags"], one["metadata.tier"]), ("s1", "u1", ["a", "b"], "pro")
            )
        self.assertEqual(json.loads(attributes["answer"]["input.value"]), {"question": "Peru?"})
        self.assertEqual(json.loads(attributes["answer"]["output.value"]), {"capital": "Lima"})
        self.assertEqual(attributes["add"]["tool.description"], "Adds two numbers.")
        self.assertIn("properties", json.dumps(attributes["add"]))
        self.assertEqual(attributes["parts"]["output.value"], "012")
        self.assertEqual((attributes["check"]["input.value"], attributes["check"]["rule"]), ("Peru?", "polite"))
        self.assertEqual(attributes["answer"]["llm.prompt_template.version"], "v1")

    def test_masks_and_hide_settings_hold_before_anything_leaves(self):
        project = unique("masked")
        with without_settings(OPENINFERENCE_HIDE_OUTPUTS="true"):
            provider, _ = self.register(
                endpoint=ENDPOINT, project_name=project, mask=[Mask(pattern=r"\d{4}-\d{4}"), Mask("input.value.secret")]
            )
            with provider.get_tracer("test").start_as_current_span("paid by 1234-5678", openinference_span_kind="chain") as span:
                span.set_input({"secret": "s", "card": "1234-5678"})
                span.set_output("visible")
            provider.force_flush()
        (span,) = self.spans(project, 1).values()
        self.assertEqual(span["name"], f"paid by {REDACTED}")
        self.assertEqual(json.loads(span["attributes"]["input.value"]), {"secret": REDACTED, "card": REDACTED})
        self.assertEqual(span["attributes"]["output.value"], REDACTED)

    def test_the_first_processor_that_is_added_replaces_the_default(self):
        exporter = InMemorySpanExporter()
        provider, _ = self.register(endpoint=ENDPOINT, project_name=unique("replaced"))
        provider.add_span_processor(tracing.SimpleSpanProcessor(exporter))
        second = InMemorySpanExporter()
        provider.add_span_processor(tracing.BatchSpanProcessor(second, mask=Mask("secret")))
        provider.get_tracer("test").start_span("one", attributes={"secret": "s"}).end()
        provider.force_flush()
        self.assertEqual([span.attributes["secret"] for span in exporter.get_finished_spans()], ["s"])
        self.assertEqual([span.attributes["secret"] for span in second.get_finished_spans()], [REDACTED])
        self.assertEqual(len(provider._active_span_processor._span_processors), 2)

    def test_auto_instrument_activates_what_is_installed_and_survives_what_does_not_load(self):
        seen = []

        class Instrumentor:
            def instrument(self, tracer_provider):
                seen.append(tracer_provider)

        def broken():
            raise RuntimeError("no such version")

        points = [types.SimpleNamespace(name="good", load=lambda: Instrumentor), types.SimpleNamespace(name="bad", load=broken)]
        with mock.patch.object(
            registration, "entry_points", lambda group: points if group == "openinference_instrumentor" else []
        ):
            with self.assertLogs("spandrel_client.tracing") as logs:
                provider, output = self.register(endpoint=ENDPOINT, auto_instrument=True)
        self.assertEqual(seen, [provider])
        self.assertIn("instrumented: good", output)
        self.assertIn("'bad'", logs.output[0])
        self.assertNotIn("Traceback", logs.output[0])

    def test_a_call_that_two_instrumentations_report_is_counted_once(self):
        name = unique("twice")
        provider, _ = self.register(endpoint=ENDPOINT, project_name=name, batch=True)
        tracer = provider.get_tracer("test")
        llm = {"openinference.span.kind": "LLM"}
        counts = {"llm.token_count.prompt": 1200, "llm.token_count.completion": 60}
        chat = {"gen_ai.operation.name": "chat", "gen_ai.usage.input_tokens": 1200, "gen_ai.usage.output_tokens": 60}
        with tracer.start_as_current_span("litellm", attributes={**llm, **counts, "output.value": "yes"}):
            tracer.start_span("openai", attributes={**llm, **counts}).end()
        with tracer.start_as_current_span("outer", attributes={**llm, **counts}):
            with tracer.start_as_current_span("middle", attributes={**llm}):
                tracer.start_span("inner", attributes=chat).end()
        with tracer.start_as_current_span("alone", attributes={**llm, **counts}):
            tracer.start_span("tool", attributes={"openinference.span.kind": "TOOL"}).end()
        provider.force_flush()
        def stored():
            spans = self.client.spans.get_spans(project_identifier=name)
            self.assertEqual(len(spans), 7)
            return {span["name"]: span["attributes"] for span in spans}

        by_name = eventually(stored)
        counted = {name for name, attributes in by_name.items() if any("usage" in key or "token_count" in key for key in attributes)}
        self.assertEqual(counted, {"openai", "inner", "alone"})
        self.assertEqual(by_name["litellm"]["output.value"], "yes")

    def test_auto_instrument_ends_the_own_spans_of_a_package(self):
        instrumentor = mock.Mock()
        points = [types.SimpleNamespace(name="anthropic", load=lambda: instrumentor)]
        with mock.patch.object(registration, "entry_points", lambda group: points), without_settings():
            os.environ.pop("ANTHROPIC_OPEN_TELEMETRY", None)
            self.register(endpoint=ENDPOINT, auto_instrument=True)
            self.assertEqual(os.environ["ANTHROPIC_OPEN_TELEMETRY"], "false")

    def test_names_of_the_public_helper_are_here(self):
        for name in tracing.__all__:
            self.assertIsNotNone(getattr(tracing, name), name)
        with self.assertRaises(AttributeError):
            _ = tracing.nothing
        exporter = tracing.HTTPSpanExporter(endpoint=SERVER_URL, api_key=KEY)
        self.addCleanup(exporter.shutdown)
        provider = TracerProvider(
            endpoint=ENDPOINT, project_name=unique("exported"), verbose=False, config=TraceConfig(), spill_dir=self.folder
        )
        self.addCleanup(provider.shutdown)
        own = tracing.BatchSpanProcessor(exporter, spill_dir=self.folder)
        self.addCleanup(own.shutdown)
        self.assertEqual(own.destination.url, ENDPOINT)

    def test_grpc_without_its_package_is_an_error_at_once(self):
        with (
            mock.patch("importlib.util.find_spec", lambda name: None),
            self.assertRaisesRegex(ConfigurationError, "tracing-grpc"),
        ):
            tracing.BatchSpanProcessor(endpoint="http://127.0.0.1:4317", spill_dir=self.folder)

    def test_a_missing_package_is_named_with_what_to_install(self):
        code = (
            "import sys; sys.modules['opentelemetry.sdk'] = None\n"
            "try:\n    from spandrel_client.tracing import register\nexcept ImportError as error:\n    print(error)"
        )
        output = __import__("subprocess").run([sys.executable, "-B", "-c", code], capture_output=True, text=True).stdout
        self.assertIn("pip install 'spandrel-client[tracing]'", output)


class Destinations(unittest.TestCase):
    def test_arguments_settings_and_defaults(self):
        http, grpc = "HTTP + protobuf", "gRPC"
        rows = [
            ({}, {}, "http://127.0.0.1:6006/v1/traces", http),
            ({"PHOENIX_COLLECTOR_ENDPOINT": "http://a:1"}, {}, "http://a:1/v1/traces", http),
            ({"PHOENIX_COLLECTOR_ENDPOINT": "http://a:1/v1/traces/"}, {}, "http://a:1/v1/traces", http),
            ({"PHOENIX_COLLECTOR_ENDPOINT": "http://a:1/p"}, {}, "http://a:1/p/v1/traces", http),
            ({"SPANDREL_ENDPOINT": "http://b", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"}, {}, "http://b/v1/traces", http),
            ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"}, {}, "http://c:4318/v1/traces", http),
            ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4317"}, {}, "http://c:4317", grpc),
            ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://c/x"}, {}, "http://c/x", http),
            ({"SPANDREL_COLLECTOR_ENDPOINT": "http://a:1"}, {"protocol": "grpc"}, "http://a:4317", grpc),
            ({"SPANDREL_GRPC_PORT": "9"}, {"protocol": "grpc"}, "http://127.0.0.1:9", grpc),
            ({"PHOENIX_GRPC_PORT": "9"}, {"endpoint": "http://a:9"}, "http://a:9", grpc),
            ({}, {"endpoint": "http://a:4317"}, "http://a:4317", grpc),
            ({}, {"endpoint": "http://a:4317", "protocol": "http/protobuf"}, "http://a:4317/v1/traces", http),
            ({}, {"endpoint": "http://a:6006/v1/traces"}, "http://a:6006/v1/traces", http),
            ({}, {"endpoint": "http://a:6006/other"}, "http://a:6006/other", http),
            ({}, {"endpoint": "http://a:6006/"}, "http://a:6006/v1/traces", http),
        ]
        for settings, arguments, url, transport in rows:
            with self.subTest(settings=settings, arguments=arguments), without_settings(**settings):
                found = resolve_destination(**arguments)
                self.assertEqual((found.url, found.transport), (url, transport))

    def test_credentials_come_from_arguments_first_and_are_never_shown(self):
        with without_settings(SPANDREL_API_KEY="k1", PHOENIX_CLIENT_HEADERS="x-a=1"):
            self.assertEqual(resolve_destination().headers, {"x-a": "1", "authorization": "Bearer k1"})
            self.assertEqual(resolve_destination(api_key="k2").headers["authorization"], "Bearer k2")
            self.assertEqual(resolve_destination(headers={"Authorization": "Basic x"}).headers["authorization"], "Basic x")
        standard = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://c", "OTEL_EXPORTER_OTLP_HEADERS": "x-b=2"}
        with without_settings(**standard):
            self.assertEqual(resolve_destination().headers, {"x-b": "2"})
        with without_settings(**standard, SPANDREL_ENDPOINT="http://ours"):
            self.assertEqual(resolve_destination().headers, {})
        with without_settings():
            found = resolve_destination("http://user:secret@host/v1/traces?key=secret")
            self.assertEqual(found.shown, "http://host/v1/traces")

    def test_unusable_values_are_told_in_one_line(self):
        with without_settings():
            for arguments, expected in [
                ({"endpoint": "localhost:6006"}, "http://"),
                ({"endpoint": "http://u:secret@:x"}, "endpoint"),
                ({"protocol": "udp"}, "protocol is 'udp'; expected 'http/protobuf', 'grpc' or None"),
            ]:
                with self.subTest(arguments=arguments), self.assertRaises(ConfigurationError) as raised:
                    resolve_destination(**arguments)
                self.assertIn(expected, str(raised.exception))
                self.assertNotIn("secret", str(raised.exception))
        with without_settings(SPANDREL_GRPC_PORT="x"), self.assertRaisesRegex(ConfigurationError, "GRPC_PORT is 'x'"):
            resolve_destination(protocol="grpc")


class Masks(unittest.TestCase):
    def masked(self, rules, attributes):
        exporter = InMemorySpanExporter()
        provider = OtherProvider(shutdown_on_exit=False)
        provider.add_span_processor(OtherProcessor(exporter))
        provider.get_tracer("test").start_span("name", attributes=attributes).end()
        (span,) = exporter.get_finished_spans()
        return dict(make_masking(rules)(span).attributes), span

    def test_paths_and_patterns(self):
        text = json.dumps({"card": {"number": "12", "owner": "A"}, "rows": [{"pin": 1}, {"pin": 2}]})
        rows = [
            (Mask("input.value"), {"input.value": "x", "input.values": "y"}, {"input.value": REDACTED, "input.values": "y"}),
            (Mask("a.*.c"), {"a.0.c": "x", "a.0.d": "y", "a.c": "z"}, {"a.0.c": REDACTED, "a.0.d": "y", "a.c": "z"}),
            (Mask("a.**"), {"a.0.c": "x", "b": "y"}, {"a.0.c": REDACTED, "b": "y"}),
            (Mask("a", pattern="x+", replacement="-"), {"a": "1xx2", "b": "xx"}, {"a": "1-2", "b": "xx"}),
            (
                Mask(pattern="x+", replacement=lambda match: str(len(match[0]))),
                {"a": "1xx2", "t": ("x", "y")},
                {"a": "122", "t": ("1", "y")},
            ),
            (Mask("i.card.number"), {"i": text}, {"i": text.replace('"12"', f'"{REDACTED}"')}),
            (
                Mask("i.rows.*.pin"),
                {"i": text},
                {"i": text.replace('"pin": 1', f'"pin": "{REDACTED}"').replace('"pin": 2', f'"pin": "{REDACTED}"')},
            ),
            (Mask("i.card"), {"i": "{not json"}, {"i": "{not json"}),
        ]
        for rule, given, expected in rows:
            with self.subTest(rule=rule):
                self.assertEqual(self.masked(rule, given)[0], expected)

    def test_the_span_itself_and_numbers_stay(self):
        masked, span = self.masked([Mask("a"), Mask(pattern=".")], {"a": "x", "number": 5})
        self.assertEqual((masked["number"], dict(span.attributes)), (5, {"a": "x", "number": 5}))

    def test_a_rule_that_fails_hides_the_value(self):
        with self.assertLogs("spandrel_client.tracing") as logs:
            masked, _ = self.masked(Mask("a", pattern="x", replacement=lambda match: 1 / 0), {"a": "x", "b": "x"})
        self.assertEqual(masked, {"a": REDACTED, "b": "x"})
        self.assertEqual(len(logs.output), 1)

    def test_rules_without_meaning_are_rejected(self):
        for make in (Mask, lambda: Mask("a", replacement=str), lambda: make_masking(["secret"])):
            with self.assertRaises(ValueError):
                make()


if __name__ == "__main__":
    unittest.main()
