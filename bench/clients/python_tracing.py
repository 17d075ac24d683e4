"""One measurement of a Python tracer in a process of its own: python_tracing.py TRACER WHAT COUNT RATE ENDPOINT.

TRACER is ours, public, or none (OpenTelemetry without a processor). WHAT is caller (time of a span in the thread of the program,
COUNT spans as fast as possible and COUNT at RATE) or outage (COUNT spans at RATE while nobody listens, then a server).
Prints one line of JSON.
"""

import gzip
import http.server
import json
import logging
import os
import resource
import sys
import tempfile
import threading
import time
from urllib.parse import urlsplit

logging.disable(logging.CRITICAL)
tracer_name, what, count, rate, endpoint = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
TEXT = "What is the capital of a country whose name has letters? " * 8
ATTRIBUTES = {
    "openinference.span.kind": "LLM",
    "input.value": TEXT,
    "output.value": TEXT,
    "llm.model_name": "m",
    "llm.token_count.prompt": 100,
    "llm.token_count.completion": 20,
    "llm.input_messages.0.message.role": "user",
    "llm.input_messages.0.message.content": TEXT,
}
spill = tempfile.TemporaryDirectory()


def make_provider():
    from opentelemetry.sdk.trace import TracerProvider

    # The providers of both helpers wrap tracers in the same way; the bench compares what happens to ended spans.
    provider = TracerProvider()
    if tracer_name == "ours":
        from spandrel_client.tracing import BatchSpanProcessor

        provider.add_span_processor(BatchSpanProcessor(endpoint=endpoint, protocol="http/protobuf", spill_dir=spill.name))
    elif tracer_name == "public":
        from phoenix.otel import BatchSpanProcessor

        provider.add_span_processor(BatchSpanProcessor(endpoint=endpoint, protocol="http/protobuf"))
    return provider


def rss_mib():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def end_span(tracer, number):
    tracer.start_span("answer", attributes={**ATTRIBUTES, "number": number}).end()


def caller():
    provider = make_provider()
    tracer = provider.get_tracer("bench")
    for number in range(200):
        end_span(tracer, number)
    provider.force_flush()
    # Bursts that fit into the queues of both, so that neither drops.
    burst, spent, worked = min(count, 1_000), 0.0, 0.0
    for start in range(0, count, burst):
        began, began_work = time.perf_counter(), time.thread_time()
        for number in range(start, start + burst):
            end_span(tracer, number)
        spent += time.perf_counter() - began
        worked += time.thread_time() - began_work
        provider.force_flush()
    paced = 0.0
    # Longer than the 5 s after which OpenTelemetry sends.
    slots = max(1, round(count / 2))
    for number in range(slots):
        began = time.perf_counter()
        end_span(tracer, number)
        took = time.perf_counter() - began
        paced += took
        time.sleep(max(0.0, 1 / rate - took))
    provider.shutdown()
    return {"workedMicros": worked / count * 1e6, "burstMicros": spent / count * 1e6, "pacedMicros": paced / slots * 1e6}


class Collector(http.server.BaseHTTPRequestHandler):
    spans: set = set()
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        body = self.rfile.read(int(self.headers["content-length"]))
        if self.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        for one in ExportTraceServiceRequest.FromString(body).resource_spans:
            for scope in one.scope_spans:
                self.spans.update(span.span_id for span in scope.spans)
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def outage():
    provider = make_provider()
    tracer = provider.get_tracer("bench")
    end_span(tracer, -1)
    before = peak = rss_mib()
    began = time.perf_counter()
    worst = 0.0
    for number in range(count):
        start = time.perf_counter()
        end_span(tracer, number)
        worst = max(worst, time.perf_counter() - start)
        if number % 500 == 0:
            peak = max(peak, rss_mib())
        wait = began + (number + 1) / rate - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
    seconds = time.perf_counter() - began
    peak = max(peak, rss_mib())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", urlsplit(endpoint).port), Collector)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    back = time.perf_counter()
    provider.force_flush()
    # Attempts of the public helper end after 10 s, ours pause for at most 15.
    while len(Collector.spans) < count + 1 and time.perf_counter() - back < 30:
        size = len(Collector.spans)
        time.sleep(0.1)
        if size and size == len(Collector.spans) and tracer_name == "public" and time.perf_counter() - back > 12:
            break
    caught_up = time.perf_counter() - back
    lost = count + 1 - len(Collector.spans)
    provider.shutdown()
    return {"seconds": seconds, "lost": lost, "mib": peak - before, "worstMillis": worst * 1e3, "caughtUpSeconds": caught_up}


print(json.dumps({"caller": caller, "outage": outage}[what]()), flush=True)
os._exit(0)
