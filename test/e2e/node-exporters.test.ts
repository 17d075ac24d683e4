import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { listTraces, type RestSpan, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

// Seconds and nanoseconds, so that nothing on the way to the exporter goes through a double.
const START: [number, number] = [1_760_000_000, 123_456_789];
const END: [number, number] = [1_760_000_002, 987_654_321];
const UNICODE = 'naïve 日本語 🦊 \u202Eright-to-left\u202C é vs é';

describe('the OpenTelemetry exporters for Node', () => {
  let server: ServerProcess;
  let dataDir: string;

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  // The exporters' compression enum is not exported by each package; its values are these words.
  type Compression = 'none' | 'gzip';
  const asCompression = (compression: Compression) => compression as never;
  const EXPORTERS: { what: string; open: (compression: Compression) => SpanExporter }[] = [
    {
      what: 'OTLP/HTTP protobuf',
      open: (compression) =>
        new ProtobufExporter({ url: `${server.url}/v1/traces`, compression: asCompression(compression) }),
    },
    {
      what: 'OTLP/HTTP JSON',
      open: (compression) =>
        new JsonExporter({ url: `${server.url}/v1/traces`, compression: asCompression(compression) }),
    },
    {
      what: 'OTLP/gRPC',
      open: (compression) =>
        new GrpcExporter({ url: `http://${server.grpcAddress}`, compression: asCompression(compression) }),
    },
  ];

  for (const { what, open } of EXPORTERS) {
    for (const compression of ['none', 'gzip'] as const) {
      test(`every field of a trace sent by ${what} (${compression}) is returned unchanged`, async () => {
        const project = `exporter ${what} ${compression}`;

        const sent = await exportTrace(project, open(compression));

        const spans = await spansOnceThere(server.url, project, 3);
        assert.equal(spans.length, 3);
        assertTrace(spans, sent);
        const [stored] = await listTraces(server.url, project);
        assert.equal(stored?.trace_id, sent.root.spanContext().traceId);
        assert.equal(stored?.start_time, '2025-10-09T08:53:20.123456+00:00');
      });
    }
  }

  test('a batch of 2,000 spans from one exporter is stored once and completely', async () => {
    const project = 'exporter batch';
    const provider = openProvider(project, new ProtobufExporter({ url: `${server.url}/v1/traces` }));
    const tracer = provider.getTracer('e2e');

    const ids = new Set<string>();
    for (let index = 0; index < 2_000; index++) {
      const span = tracer.startSpan(`span ${index}`, { root: true });
      span.end();
      ids.add(span.spanContext().spanId);
    }
    await provider.shutdown();

    const spans = await spansOnceThere(server.url, project, 2_000);
    assert.deepEqual(new Set(spans.map((span) => span.context.span_id)), ids);
    assert.equal(spans.length, 2_000);
  });
});

interface SentTrace {
  readonly root: Span;
  readonly llm: Span;
  readonly tool: Span;
}

function openProvider(project: string, exporter: SpanExporter): NodeTracerProvider {
  return new NodeTracerProvider({
    resource: resourceFromAttributes({ 'openinference.project.name': project }),
    spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: 10_000 })],
  });
}

async function exportTrace(project: string, exporter: SpanExporter): Promise<SentTrace> {
  const provider = openProvider(project, exporter);
  const tracer = provider.getTracer('e2e', '1.2.3');
  const root = tracer.startSpan('agent', {
    root: true,
    startTime: START,
    attributes: {
      'openinference.span.kind': 'AGENT',
      'session.id': `session of ${project}`,
      'input.value': UNICODE,
      'tag.tags': ['one', 'two'],
      metadata: '{"tier": "pro", "build": 7}',
    },
  });
  const inRoot = trace.setSpan(context.active(), root);
  const llm = tracer.startSpan(
    UNICODE,
    {
      startTime: START,
      attributes: {
        'openinference.span.kind': 'llm',
        'llm.model_name': 'gpt-4o',
        'llm.token_count.prompt': 11,
        'llm.token_count.completion': 7,
        'llm.input_messages.0.message.role': 'user',
        'llm.input_messages.0.message.content': 'What is the weather?',
        temperature: 0.25,
        stream: true,
      },
    },
    inRoot,
  );
  llm.setStatus({ code: SpanStatusCode.OK });
  const tool = tracer.startSpan('search', { startTime: START }, trace.setSpan(inRoot, llm));
  tool.recordException(new TypeError('tool broke'), START);
  tool.setStatus({ code: SpanStatusCode.ERROR, message: 'tool broke' });
  tool.end(END);
  llm.end(END);
  root.end(END);
  await provider.forceFlush();
  await provider.shutdown();
  return { root, llm, tool };
}

function assertTrace(spans: RestSpan[], sent: SentTrace): void {
  const stored = (span: Span) => {
    const { spanId } = span.spanContext();
    return spans.find(({ context }) => context.span_id === spanId) ?? assert.fail(`span ${spanId} is missing`);
  };
  const root = stored(sent.root);
  const llm = stored(sent.llm);
  const tool = stored(sent.tool);

  for (const span of spans) {
    assert.equal(span.context.trace_id, sent.root.spanContext().traceId);
    assert.equal(span.start_time, '2025-10-09T08:53:20.123456+00:00');
    assert.equal(span.end_time, '2025-10-09T08:53:22.987654+00:00');
  }
  assert.equal(root.parent_id, null);
  assert.equal(llm.parent_id, sent.root.spanContext().spanId);
  assert.equal(tool.parent_id, sent.llm.spanContext().spanId);
  assert.deepEqual([root.name, llm.name, tool.name], ['agent', UNICODE, 'search']);
  assert.equal(root.span_kind, 'AGENT');
  assert.equal(llm.span_kind.toUpperCase(), 'LLM');
  assert.equal(tool.span_kind, 'UNKNOWN');
  assert.deepEqual([root.status_code, llm.status_code, tool.status_code], ['UNSET', 'OK', 'ERROR']);
  assert.equal(tool.status_message, 'tool broke');
  assert.equal(root.attributes['input.value'], UNICODE);
  assert.deepEqual(root.attributes['tag.tags'], ['one', 'two']);
  assert.equal(root.attributes['metadata.tier'], 'pro');
  assert.equal(root.attributes['metadata.build'], 7);
  assert.deepEqual(llm.attributes, {
    'llm.model_name': 'gpt-4o',
    'llm.token_count.prompt': 11,
    'llm.token_count.completion': 7,
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'What is the weather?',
    temperature: 0.25,
    stream: true,
  });
  const [event] = tool.events;
  assert.equal(tool.events.length, 1);
  assert.equal(event?.name, 'exception');
  assert.equal(event?.attributes['exception.message'], 'tool broke');
  assert.equal(event?.attributes['exception.type'], 'TypeError');
}
