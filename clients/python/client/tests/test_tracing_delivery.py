"""Delivery of spans: outages, kills, limits, forks. Against small servers in this process, and the real one."""

import errno
import gzip
import http.server
import logging
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import httpx
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest, ExportTraceServiceResponse
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    TraceState,
    set_span_in_context,
)

from spandrel_client import Client, limits
from spandrel_client.tracing import BatchSpanProcessor
from spandrel_client.tracing.delivery.encode import encode
from spandrel_client.tracing.delivery.losses import Losses
from spandrel_client.tracing.delivery.otlp import encode_request
from spandrel_client.tracing.delivery.spill import Spill
from support import SERVER_URL, eventually, unique

GRPC_URL = os.environ.get("SERVER_GRPC_URL", "")
KEY = "sk-very-secret"
OK = (200, {}, b"")


class Collector:
    """An OTLP server on one port, which may be started and stopped. `answers` are used up in order, then spans are taken."""

    def __init__(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/v1/traces"
        self.answers = []
        self.spans = []
        self.requests = 0
        # Seconds by which its clock is behind.
        self.lag = 0
        self._server = None

    def start(self):
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                collector.requests += 1
                status, headers, answer = collector.answers.pop(0) if collector.answers else OK
                if status == 200 and "content-type" not in headers:
                    collector.take(body)
                self.send_response(status)
                for name, value in {**headers, "content-length": str(len(answer))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer)

            def date_time_string(self, timestamp=None):
                return super().date_time_string((timestamp or time.time()) - collector.lag)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def stop(self):
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def take(self, body):
        self.spans += spans_of(gzip.decompress(body))

    def names(self):
        return sorted(span.name for span in self.spans)


class Relay(Collector):
    """A server that is away until it is started, and then gives what it gets to the real one."""

    def __init__(self, server_url):
        super().__init__()
        self._server_url = server_url

    def take(self, body):
        headers = {"content-type": "application/x-protobuf", "content-encoding": "gzip"}
        httpx.post(f"{self._server_url}/v1/traces", content=body, headers=headers).raise_for_status()


def spans_of(body):
    request = ExportTraceServiceRequest.FromString(body)
    return [span for one in request.resource_spans for scope in one.scope_spans for span in scope.spans]


@contextmanager
def tracing(collector, folder, **options):
    drops = []
    processor = BatchSpanProcessor(endpoint=collector.url, api_key=KEY, on_drop=drops.append, spill_dir=folder, **options)
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(processor)
    try:
        yield provider.get_tracer("test"), processor, drops
    finally:
        processor.shutdown()


def end_spans(tracer, count, start=0, size=10):
    for number in range(start, start + count):
        tracer.start_span(f"span {number:05}", attributes={"text": "x" * size}).end()


def setUpModule():
    for name, value in {"TRACE_RETRY_SECONDS_BASE": 0.02, "TRACE_RETRY_SECONDS_MAX": 0.1, "TRACE_EXIT_SECONDS_MAX": 2.0}.items():
        patch = mock.patch.object(limits, name, value)
        patch.start()
        unittest.addModuleCleanup(patch.stop)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.collector = Collector()
        self.addCleanup(self.collector.stop)

    def segments(self):
        return sorted(self.folder.glob("*/*.spans"))


class Outages(Case):
    def test_spans_arrive_once_and_nothing_stays_on_disk(self):
        self.collector.start()
        with tracing(self.collector, self.folder) as (tracer, processor, drops):
            end_spans(tracer, 1_300)
            self.assertTrue(processor.force_flush())
            self.assertEqual(self.collector.names(), [f"span {number:05}" for number in range(1_300)])
            # 512 at a time.
            self.assertLessEqual(self.collector.requests, 4)
        self.assertEqual((self.segments(), drops), ([], []))

    def test_a_server_that_is_away_gets_everything_when_it_is_back(self):
        with (
            tracing(self.collector, self.folder) as (tracer, processor, drops),
            self.assertLogs("spandrel_client.tracing") as logs,
        ):
            end_spans(tracer, 300)
            self.assertTrue(processor.force_flush())
            self.assertTrue(self.segments())
            end_spans(tracer, 300, start=300)
            self.collector.start()
            eventually(lambda: self.assertEqual(self.collector.names(), [f"span {number:05}" for number in range(600)]))
            eventually(lambda: self.assertEqual(self.segments(), []))
        self.assertEqual(drops, [])
        # One line when it goes, one when it is back, and the key is in none.
        self.assertEqual(len(logs.output), 2, logs.output)
        self.assertNotIn(KEY, str(logs.output))

    def test_the_next_process_sends_what_the_last_one_left(self):
        with tracing(self.collector, self.folder) as (tracer, _, _drops):
            end_spans(tracer, 50)
        self.assertEqual(len(self.segments()), 1)
        self.collector.start()
        with tracing(self.collector, self.folder):
            eventually(lambda: self.assertEqual(len(self.collector.spans), 50))
            # The file goes once the answer is read, a moment after the collector has the spans.
            eventually(lambda: self.assertEqual(self.segments(), []))

    def test_a_server_that_does_not_answer_holds_up_nobody(self):
        silent = socket.socket()
        self.addCleanup(silent.close)
        silent.bind(("127.0.0.1", self.collector.port))
        silent.listen()
        started = time.monotonic()
        with tracing(self.collector, self.folder) as (tracer, processor, drops):
            end_spans(tracer, 100)
            self.assertTrue(processor.force_flush(1_000))
            self.assertEqual(sum(path.stat().st_size > 0 for path in self.segments()), 1)
        self.assertLess(time.monotonic() - started, 6)
        self.assertEqual(drops, [])

    def test_answers_decide_what_happens_to_a_batch(self):
        page = (200, {"content-type": "text/html"}, b"<html>")
        away = [(503, {}, b""), (429, {"retry-after": "0"}, b""), (401, {}, b""), (404, {}, b""), page, (500, {}, b"")]
        self.collector.answers = list(away)
        self.collector.start()
        with (
            tracing(self.collector, self.folder) as (tracer, processor, drops),
            self.assertLogs("spandrel_client.tracing") as logs,
        ):
            end_spans(tracer, 1)
            processor.force_flush()
            eventually(lambda: self.assertEqual(self.collector.names(), ["span 00000"]))
            self.assertEqual((self.collector.requests, drops), (len(away) + 1, []))
            partial = ExportTraceServiceResponse()
            partial.partial_success.rejected_spans = 1
            partial.partial_success.error_message = "the name is too long"
            self.collector.answers = [
                (400, {}, b"no such field"),
                (200, {"content-type": "application/x-protobuf"}, partial.SerializeToString()),
            ]
            for number in (1, 2):
                end_spans(tracer, 1, start=number)
                processor.force_flush()
            eventually(lambda: self.assertEqual(processor.dropped, {"rejected by the server": 2}))
        self.assertEqual([(drop.count, drop.reason) for drop in drops], [(1, "rejected by the server")] * 2)
        self.assertIn("answers 400: no such field", drops[0].detail)
        self.assertIn("the name is too long", drops[1].detail)
        self.assertEqual(sum("Dropped" in line for line in logs.output), 1, logs.output)

    def test_a_clock_that_is_wrong_is_one_warning_and_costs_no_span(self):
        self.collector.start()
        with self.assertNoLogs("spandrel_client.tracing"), tracing(self.collector, self.folder) as (tracer, processor, _):
            end_spans(tracer, 1)
            processor.force_flush()
        self.collector.lag = 86_400
        with self.assertLogs("spandrel_client.tracing") as logs:
            for start in (1, 2):
                # Another processor, and a further batch of each, repeat nothing.
                with tracing(self.collector, self.folder) as (tracer, processor, drops):
                    for number in (start * 10, start * 10 + 1):
                        end_spans(tracer, 1, start=number)
                        processor.force_flush()
                self.assertEqual(drops, [])
        self.assertEqual(len(self.collector.spans), 5)
        self.assertEqual(len(logs.output), 1, logs.output)
        self.assertRegex(
            logs.output[0],
            r"The clock of this machine is 24 hours ahead of that of http://127\.0\.0\.1:\d+/v1/traces; expected at most 5 "
            r"minutes\. Times of spans are wrong: turn on time synchronization on the machine that is wrong\.$",
        )
        self.assertNotIn(KEY, logs.output[0])

    @unittest.skipUnless(GRPC_URL, "SERVER_GRPC_URL is not set")
    def test_a_clock_that_is_wrong_is_seen_over_grpc_too(self):
        processor = BatchSpanProcessor(endpoint=GRPC_URL, protocol="grpc", spill_dir=False)
        provider = TracerProvider(resource=Resource({"openinference.project.name": unique("clock")}))
        provider.add_span_processor(processor)
        # The server is the real one, so the clock of this machine is what differs.
        with (
            self.assertLogs("spandrel_client.tracing") as logs,
            mock.patch("spandrel_client.transport.clock.time", mock.Mock(time=lambda: time.time() - 3_600)),
        ):
            end_spans(provider.get_tracer("t"), 1)
            processor.force_flush()
        provider.shutdown()
        self.assertEqual(len(logs.output), 1, logs.output)
        self.assertIn("is 60 minutes behind that of http://127.0.0.1:", logs.output[0])

    def test_memory_is_bounded_in_bytes_and_what_is_dropped_is_counted(self):
        with mock.patch.object(limits, "TRACE_DELAY_SECONDS", 0), self.assertLogs("spandrel_client.tracing"):
            blocked = self.folder / "file"
            blocked.write_text("")
            with tracing(self.collector, blocked) as (tracer, processor, drops):
                processor._delivery._held.memory_bytes_max = 200_000
                end_spans(tracer, 2_000, size=1_000)
                processor.force_flush(500)
                self.assertLess(processor._delivery.held_bytes, 200_001)
        self.assertEqual({drop.reason for drop in drops}, {"memory full"})
        self.assertEqual(processor.dropped["memory full"], sum(drop.count for drop in drops))
        # All were dropped in the end: there is no server and no disk.
        self.assertEqual(processor.dropped["memory full"], 2_000)

    def test_a_function_on_drop_that_raises_ends_nothing(self):
        losses = Losses(lambda drop: 1 / 0)
        with self.assertLogs("spandrel_client.tracing") as logs:
            losses.add(1, "memory full", "…")
        self.assertNotIn("Traceback", str(logs.output))
        with mock.patch.dict(os.environ, {"SPANDREL_DEBUG": "1"}), self.assertLogs("spandrel_client.tracing") as logs:
            losses.add(1, "memory full", "…")
        self.assertIn("Traceback", logs.output[-1])


def sorted_spans(body):
    """Spans by id with all that belongs to them, whatever the order of groups."""
    found = {}
    for one in ExportTraceServiceRequest.FromString(body).resource_spans:
        for scope in one.scope_spans:
            for span in scope.spans:
                found[span.span_id] = (str(one.resource), one.schema_url, str(scope.scope), scope.schema_url, str(span))
    return found


class Encoding(unittest.TestCase):
    def random_span(self, chance, provider):
        def value(depth=0):
            scalars = [
                chance.choice(["", "text", "é🎉" * 50, "x" * 200]),
                chance.random() < 0.5,
                chance.randrange(-(1 << 63), 1 << 63),
                chance.random() * 1e9,
            ]
            kind = type(chance.choice(scalars))
            if depth == 0 and chance.random() < 0.3:
                return [one for one in (value(1) for _ in range(20)) if type(one) is kind]
            return chance.choice(scalars)

        def attributes():
            return {f"key {chance.randrange(30)}": value() for _ in range(chance.randrange(8))}

        def context():
            return SpanContext(
                chance.getrandbits(128) | 1,
                chance.getrandbits(64) | 1,
                chance.random() < 0.5,
                TraceFlags(1),
                TraceState([("a", "b")]) if chance.random() < 0.3 else None,
            )

        parent = set_span_in_context(NonRecordingSpan(context())) if chance.random() < 0.5 else None
        tracer = provider.get_tracer(
            chance.choice("ab"), chance.choice([None, "1.0"]), chance.choice([None, "https://schema"]), {"scope": 1}
        )
        # OpenTelemetry leaves out the trace state of links.
        links = [
            Link(SpanContext(chance.getrandbits(128) | 1, 1, chance.random() < 0.5), attributes())
            for _ in range(chance.randrange(3))
        ]
        span = tracer.start_span(f"name {chance.random()}", parent, SpanKind(chance.randrange(5)), attributes(), links)
        for _ in range(chance.randrange(3)):
            span.add_event("event", attributes())
        if chance.random() < 0.5:
            span.set_status(chance.choice([Status(StatusCode.OK), Status(StatusCode.ERROR, "why")]))
        if chance.random() < 0.2:
            span.record_exception(ValueError("no"))
        span.end()
        return span

    def test_requests_mean_what_the_encoder_of_opentelemetry_writes(self):
        seed = random.randrange(1 << 30)
        chance = random.Random(seed)
        providers = [
            TracerProvider(
                resource=Resource({"n": number}, f"https://schema/{number}"),
                shutdown_on_exit=False,
                span_limits=SpanLimits(max_span_attributes=5, max_events=1),
            )
            for number in range(2)
        ]
        # OpenTelemetry says each time that a limit is met.
        logging.disable(logging.WARNING)
        self.addCleanup(logging.disable, logging.NOTSET)
        spans = [self.random_span(chance, chance.choice(providers)) for _ in range(150)]
        with self.subTest(seed=seed):
            self.assertEqual(sorted_spans(encode_request(spans)), sorted_spans(encode_spans(spans).SerializeToString()))

    def test_values_without_a_form_in_otlp_become_text_and_cost_no_span(self):
        span = TracerProvider(shutdown_on_exit=False).get_tracer("test").start_span("odd")
        deep = [1]
        for _ in range(100):
            deep = [deep]
        odd = {
            "big": 1 << 70,
            "half": "a\ud800b",
            "none": None,
            "bytes": b"\xff",
            "nan": float("nan"),
            "map": {"a": [1, None]},
            "object": object,
            "deep": deep,
        }
        span.end()
        span._attributes = odd
        (found,) = spans_of(gzip.decompress(encode([span], None)))
        values = {one.key: one.value for one in found.attributes}
        self.assertEqual(set(values), set(odd))
        self.assertEqual((values["big"].string_value, values["half"].string_value), (str(1 << 70), "a?b"))
        self.assertEqual((values["bytes"].bytes_value, values["none"].WhichOneof("value")), (b"\xff", None))
        self.assertEqual(values["map"].kvlist_value.values[0].value.array_value.values[0].int_value, 1)


class SpillDirectory(Case):
    def spill(self, bytes_max=10_000_000, age=60.0):
        self.drops = []
        made = Spill(self.folder, Losses(self.drops.append), bytes_max, age)
        self.addCleanup(made.close)
        return made

    def drain(self, spill):
        found = []
        while record := spill.next():
            found.append(record[1])
            spill.done(record[0])
        return found

    def test_random_writes_crashes_and_readers_agree_with_a_plain_list(self):
        seed = random.randrange(1 << 30)
        chance = random.Random(seed)
        with self.subTest(seed=seed), mock.patch.object(limits, "SPILL_SEGMENT_BYTES", 500):
            pending = []
            for _ in range(30):
                spill = self.spill()
                spill.adopt()
                for _ in range(chance.randrange(8)):
                    payload = chance.randbytes(chance.randrange(1, 300))
                    self.assertIsNotNone(spill.append(payload, 1))
                    pending.append(payload)
                for _ in range(chance.randrange(6)):
                    if record := spill.next():
                        spill.done(record[0])
                        pending.remove(record[1])
                # A process that is killed unlocks its files and removes nothing.
                spill.forget()
            last = self.spill()
            last.adopt()
            self.assertEqual(sorted(self.drain(last)), sorted(pending))
            self.assertEqual((list(self.folder.iterdir()), self.drops), ([], []))

    def test_a_torn_or_damaged_end_costs_no_more_than_itself(self):
        with self.assertLogs("spandrel_client.tracing"):
            for cut in (1, 5, 16, 40):
                spill = self.spill()
                for number in range(3):
                    spill.append(bytes([number]) * 50, 2)
                spill.forget()
                (path,) = self.folder.iterdir()
                os.truncate(path, path.stat().st_size - cut)
                later = self.spill()
                later.adopt()
                self.assertEqual(self.drain(later), [b"\0" * 50, b"\1" * 50])
                later.close()
                self.assertEqual(list(self.folder.iterdir()), [])
            spill = self.spill()
            spill.append(b"a" * 50, 2)
            spill.append(b"b" * 50, 2)
            spill.forget()
            (path,) = self.folder.iterdir()
            with path.open("r+b") as file:
                file.seek(30)
                file.write(b"?")
            later = self.spill()
            later.adopt()
            self.assertEqual(self.drain(later), [b"b" * 50])
            self.assertEqual([(drop.count, drop.reason) for drop in self.drops], [(2, "damaged on disk")])

    def test_two_processes_share_a_directory_and_each_record_has_one_owner(self):
        first, second = self.spill(), self.spill()
        first.append(b"one", 1)
        self.assertEqual(second.adopt(), 0)
        first.close()
        self.assertEqual(second.adopt(), 1)
        self.assertEqual(first.adopt(), 0)
        self.assertEqual(self.drain(second), [b"one"])

    def test_bytes_and_age_are_bounded_and_the_oldest_go(self):
        with mock.patch.object(limits, "SPILL_SEGMENT_BYTES", 1_000), self.assertLogs("spandrel_client.tracing"):
            spill = self.spill(bytes_max=5_000)
            for number in range(20):
                self.assertIsNotNone(spill.append(bytes([number]) * 500, 3))
                self.assertLessEqual(sum(path.stat().st_size for path in self.folder.iterdir()), 5_000)
            kept = self.drain(spill)
            self.assertEqual(kept, [bytes([number]) * 500 for number in range(20 - len(kept), 20)])
            self.assertEqual(sum(drop.count for drop in self.drops), 3 * (20 - len(kept)))
            self.assertIsNone(spill.append(b"x" * 6_000, 1))
            spill.append(b"old", 4)
            spill.forget()
            (path,) = self.folder.iterdir()
            os.utime(path, (time.time() - 100, time.time() - 100))
            later = self.spill(age=50)
            self.assertEqual(later.adopt(), 0)
            self.assertEqual([(drop.count, drop.reason) for drop in self.drops], [(4, "too old")])
            self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_full_disk_loses_no_record_before_and_after(self):
        spill = self.spill()
        spill.append(b"before", 1)
        real = os.write

        def half(fd, data):
            if len(data) > 20:
                real(fd, data[:10])
                raise OSError(errno.ENOSPC, "No space left on device")
            return real(fd, data)

        with mock.patch("os.write", half), self.assertLogs("spandrel_client.tracing") as logs:
            self.assertIsNone(spill.append(b"x" * 100, 1))
            self.assertIsNone(spill.append(b"x" * 100, 1))
        self.assertEqual(len(logs.output), 1)
        spill.append(b"after", 1)
        spill.forget()
        later = self.spill()
        later.adopt()
        self.assertEqual(self.drain(later), [b"before", b"after"])

    def test_files_are_for_their_owner_only(self):
        spill = self.spill()
        spill.append(b"secret", 1)
        (path,) = self.folder.iterdir()
        self.assertEqual(path.stat().st_mode & 0o777, 0o600)


class Processes(Case):
    def test_a_forked_child_sends_its_own_spans_and_none_of_the_parent(self):
        self.collector.start()
        with tracing(self.collector, self.folder) as (tracer, processor, _):
            end_spans(tracer, 3)

            def work():
                end_spans(tracer, 4, start=100)

            children = [multiprocessing.get_context("fork").Process(target=work) for _ in range(2)]
            for child in children:
                child.start()
            for child in children:
                child.join(20)
            processor.force_flush()
            # Children of multiprocessing end without the functions of atexit.
            eventually(
                lambda: self.assertEqual(
                    self.collector.names(),
                    sorted([f"span {number:05}" for number in (0, 1, 2, *range(100, 104), *range(100, 104))]),
                )
            )

    def test_a_program_that_is_killed_while_the_server_is_away_is_complete_after_the_next_start(self):
        project = unique("killed program")
        relay = Relay(SERVER_URL)
        self.addCleanup(relay.stop)
        env = {**os.environ, "SPANDREL_SPILL_DIR": str(self.folder)}
        script = str(Path(__file__).with_name("traced_program.py"))
        program = subprocess.Popen(
            [sys.executable, "-B", script, relay.url, project, "400"], env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.addCleanup(program.stdout.close)
        self.assertEqual(program.stdout.readline(), b"ended\n")
        eventually(lambda: self.assertGreaterEqual(spans_on_disk(self.folder), 400))
        program.send_signal(signal.SIGKILL)
        program.wait()
        relay.start()
        again = BatchSpanProcessor(endpoint=relay.url, spill_dir=self.folder)
        self.addCleanup(again.shutdown)
        client = Client(base_url=SERVER_URL)
        self.addCleanup(client.close)

        def complete():
            spans = client.spans.get_spans(project_identifier=project, limit=1_000)
            self.assertEqual(sorted(span["attributes"]["number"] for span in spans), list(range(400)))

        eventually(complete)
        eventually(lambda: self.assertEqual(self.segments(), []))


def spans_on_disk(folder):
    """Spans in whole records, read as another process reads them."""
    count = 0
    for path in folder.glob("*/*.spans"):
        data, offset = path.read_bytes(), 0
        while offset + 17 <= len(data):
            count += int.from_bytes(data[offset + 5 : offset + 9], "little")
            offset += 17 + int.from_bytes(data[offset + 9 : offset + 13], "little")
    return count


if __name__ == "__main__":
    unittest.main()
