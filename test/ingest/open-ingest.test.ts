import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { silentLog } from '../../src/base/log.ts';
import type { Ingest, OtlpRequest } from '../../src/ingest/ingest.ts';
import type { IngestOptions } from '../../src/ingest/ingest-options.ts';
import { quarantineDir } from '../../src/ingest/journal/journal-segments.ts';
import { toReceipt } from '../../src/ingest/journaled-ingest.ts';
import { openIngest } from '../../src/ingest/open-ingest.ts';
import { AGENT_TRACE_SPAN_COUNT, agentRequest } from '../fixtures/otlp-requests.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { openTestJournal, tempDir } from './journal/journal-fixtures.ts';
import { MemoryWriter } from './memory-writer.ts';

interface Opened {
  readonly ingest: Ingest;
  readonly registry: Registry;
  readonly dir: string;
}

async function open(t: TestContext, writer: MemoryWriter, options: Partial<IngestOptions> = {}): Promise<Opened> {
  const registry = new Registry();
  const dir = options.dir ?? tempDir();
  const onFatal = (error: Error) => {
    throw error;
  };
  const journal = { segmentBytes: 1024 * 1024, probeMs: 10 };
  const ingest = await openIngest({ dir, writer, log: silentLog, registry, onFatal, journal, ...options });
  t.after(() => ingest.close());
  return { ingest, registry, dir };
}

const otlp = (body: Uint8Array, options: Partial<OtlpRequest> = {}): OtlpRequest => ({
  format: 'protobuf',
  encoding: 'identity',
  body: new Uint8Array(body),
  from: { source: 'http', remoteAddress: '127.0.0.1' },
  ...options,
});

const agents = (seed: number, traceCount = 1) => agentRequest({ seed, traceCount });

const restSpans = (name: string, serial = 1) =>
  JSON.stringify({
    project: 'by rest',
    spans: [
      {
        name,
        traceId: serial.toString(16).padStart(32, '0'),
        spanId: serial.toString(16).padStart(16, '0'),
        parentId: null,
        spanKind: 'LLM',
        startTimeUnixNano: '1767225600000000000',
        endTimeUnixNano: '1767225601000000000',
        statusCode: 'OK',
        statusMessage: '',
        attributes: {},
        events: [],
      },
    ],
  });

describe('ingest', () => {
  test('acknowledges a request and applies it to the store', async (t) => {
    const writer = new MemoryWriter();
    const { ingest } = await open(t, writer);

    const { spanCount, rejectedSpanCount, message, receipt } = await ingest.submitOtlp(otlp(agents(1, 3)));
    await ingest.waitFor(receipt);

    assert.deepEqual({ spanCount, rejectedSpanCount, message }, { spanCount: 15, rejectedSpanCount: 0, message: '' });
    assert.equal(writer.spans.size, 15);
  });

  test('stores a request once when it is sent twice', async (t) => {
    const writer = new MemoryWriter();
    const { ingest, registry } = await open(t, writer);

    await ingest.submitOtlp(otlp(agents(1)));
    const { receipt } = await ingest.submitOtlp(otlp(gzipSync(agents(1)), { encoding: 'gzip' }));
    await ingest.waitFor(receipt);

    assert.equal(writer.spans.size, AGENT_TRACE_SPAN_COUNT);
    assert.match(await registry.metrics(), /spandrel_ingest_spans_duplicate_total 5\n/);
  });

  test('reports a repeated span ID with different content', async (t) => {
    const writer = new MemoryWriter();
    const { ingest, registry } = await open(t, writer);

    await ingest.submitSpans(restSpans('first'), 1);
    await ingest.submitSpans(restSpans('first'), 1);
    const { receipt } = await ingest.submitSpans(restSpans('second'), 1);
    await ingest.waitFor(receipt);

    assert.deepEqual(writer.names, ['first']);
    assert.match(await registry.metrics(), /spandrel_ingest_spans_differing_total 1\n/);
    const [error, ...more] = ingest.latestErrors();
    assert.deepEqual([error?.source, error?.rejectedSpanCount, more.length], ['store', 1, 0]);
    assert.match(error!.reason, /^Spans with the ID of a stored span but a different name, kind, status or time: 1/);
  });

  test('applies REST spans, and deletions in their order with spans', async (t) => {
    const writer = new MemoryWriter();
    const { ingest } = await open(t, writer);
    const range = {
      what: 'tracesOfProject',
      projectId: 1,
      endTimeUnixNano: 2n ** 62n + 1n,
      withSessions: true,
    } as const;

    await ingest.submitSpans(restSpans('by hand'), 1);
    await ingest.submitDeletion({ what: 'traces', rowIds: [3] });
    await ingest.submitDeletion(range);
    const { receipt } = await ingest.submitTransfer({ traceRowIds: [1, 2], projectId: 9 });
    await ingest.waitFor(receipt);

    assert.deepEqual(writer.names, ['by hand']);
    assert.deepEqual([...writer.projects.values()], ['by rest']);
    assert.deepEqual(writer.deletions, [{ what: 'traces', rowIds: [3] }, range]);
    assert.deepEqual(writer.transfers, [{ traceRowIds: [1, 2], projectId: 9 }]);
  });

  test('stores a whole request in the project that the request names', async (t) => {
    const writer = new MemoryWriter();
    const { ingest } = await open(t, writer);

    await ingest.submitOtlp(otlp(agents(1), { projectName: 'named' }));
    const { receipt } = await ingest.submitOtlp(otlp(agents(2), { projectName: '' }));
    await ingest.waitFor(receipt);

    assert.deepEqual(new Set(writer.projects.values()), new Set(['named', 'default']));
  });

  test('reports recent requests, their clients and their results', async (t) => {
    const { ingest } = await open(t, new MemoryWriter());
    const from = { source: 'http', remoteAddress: '10.0.0.7', userAgent: 'exporter/1.2' } as const;

    await assert.rejects(ingest.submitOtlp(otlp(Buffer.from('no protobuf'), { from })), { code: 'OTLP_MALFORMED' });
    await ingest.submitOtlp(otlp(agents(1), { from }));
    await ingest.submitOtlp(otlp(agents(2)));
    await ingest.submitSpans(restSpans('by rest'), 1);
    const { receipt } = await ingest.submitSpans(restSpans('another'), 1);
    await ingest.waitFor(receipt);
    const status = await ingest.status();

    const sum = (of: (bin: (typeof status.bins)[number]) => number) =>
      status.bins.reduce((all, bin) => all + of(bin), 0);
    assert.equal(status.acceptedSpanCount, 2 * AGENT_TRACE_SPAN_COUNT + 2);
    assert.deepEqual(status.rejectedRequestCounts, { OTLP_MALFORMED: 1 });
    assert.equal(status.differingSpanCount, 1);
    assert.deepEqual([status.queuedSpanCount, status.backlogBytes, status.lagSeconds], [0, 0, 0]);
    assert.equal(
      sum(({ requestCount }) => requestCount),
      5,
    );
    assert.equal(
      sum(({ spanCount }) => spanCount),
      status.acceptedSpanCount,
    );
    assert.deepEqual(
      status.clients.map(({ source, userAgent, requestCount, rejectedRequestCount }) => [
        source,
        userAgent,
        requestCount,
        rejectedRequestCount,
      ]),
      [
        ['rest', '', 2, 0],
        ['http', '', 1, 0],
        ['http', 'exporter/1.2', 2, 1],
      ],
    );
  });

  test('stores nothing of a rejected request, and records the reason', async (t) => {
    const writer = new MemoryWriter();
    const { ingest, registry } = await open(t, writer);

    await assert.rejects(ingest.submitOtlp(otlp(Buffer.from('no protobuf'))), { code: 'OTLP_MALFORMED' });
    await assert.rejects(ingest.submitOtlp(otlp(agents(1), { encoding: 'gzip' })), { code: 'BODY_UNREADABLE' });
    const { receipt } = await ingest.submitOtlp(otlp(agents(1)));
    await ingest.waitFor(receipt);

    assert.equal(writer.spans.size, AGENT_TRACE_SPAN_COUNT);
    const [newest, oldest] = ingest.latestErrors();
    assert.deepEqual([newest?.bodyBytes, oldest?.bodyBytes], [agents(1).length, 11]);
    assert.match(newest!.reason, /gzip/);
    assert.equal(oldest?.remoteAddress, '127.0.0.1');
    assert.match(await registry.metrics(), /requests_rejected_total\{reason="OTLP_MALFORMED"\} 1\n/);
  });

  test('acknowledges a request without spans, and writes nothing', async (t) => {
    const { ingest } = await open(t, new MemoryWriter());
    const first = await ingest.submitOtlp(otlp(agents(1)));

    const { spanCount, receipt } = await ingest.submitOtlp(otlp(new Uint8Array(0)));

    assert.deepEqual([spanCount, receipt], [0, first.receipt]);
  });

  test('applies missing records to the store after a restart', async (t) => {
    const dir = tempDir();
    const writer = new MemoryWriter();
    writer.onCall = () => {
      throw new Error('the store is down');
    };
    const before = await open(t, writer, { dir });
    const acknowledged = await before.ingest.submitOtlp(otlp(agents(1, 2)));
    await before.ingest.close();
    writer.onCall = () => {};

    const { ingest } = await open(t, writer, { dir });
    await ingest.waitFor(acknowledged.receipt);

    assert.equal(writer.spans.size, 10);
  });

  test('keeps every acknowledged record once and in order, through crashes of store and server (random)', async (t) => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
    t.diagnostic(`SEED=${seed}`);
    const random = new SeededRandom(seed);
    const writer = new MemoryWriter();
    writer.onCall = () => {
      if (random.chance(0.2)) throw new Error('the store failed');
      if (random.chance(0.2)) writer.checkpoint();
    };
    let opened = await open(t, writer);
    const acknowledged: string[] = [];
    let serial = 0;
    for (let round = 0; round < 6; round++) {
      for (let group = 0; group < 10; group++) {
        const names = Array.from({ length: 1 + random.below(5) }, () => `span ${++serial}`);
        const first = serial - names.length + 1;
        await Promise.all(names.map((name, i) => opened.ingest.submitSpans(restSpans(name, first + i), 1)));
        acknowledged.push(...names);
      }
      // The server ends here: the next one finds the journal on the disk, and the store at its checkpoint.
      const dir = tempDir();
      cpSync(opened.dir, dir, { recursive: true });
      await opened.ingest.close();
      writer.crash();
      opened = await open(t, writer, { dir });
    }
    writer.onCall = () => {};
    const { receipt } = await opened.ingest.submitDeletion({ what: 'spans', rowIds: [] });
    await opened.ingest.waitFor(receipt);

    assert.deepEqual(writer.names, acknowledged);
  });

  test('quarantines an acknowledged record that cannot be decoded, reports it and continues', async (t) => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    const head = { kind: 'otlp', receivedAtMs: 0, spanCount: 2, format: 'protobuf', encoding: 'identity' } as const;
    await journal.append({ ...head, source: 'http', remoteAddress: '10.0.0.7' }, Buffer.from('no protobuf'));
    await journal.append({ ...head, source: 'http', remoteAddress: '10.0.0.8' }, agents(1));
    await journal.close();
    const writer = new MemoryWriter();

    const { ingest } = await open(t, writer, { dir });
    await ingest.waitFor(toReceipt(journal.durablePosition));

    assert.equal(writer.spans.size, AGENT_TRACE_SPAN_COUNT);
    const [error, ...more] = ingest.latestErrors();
    assert.deepEqual(more, []);
    assert.deepEqual([error?.source, error?.remoteAddress, error?.rejectedSpanCount], ['store', '10.0.0.7', 2]);
    const [copy] = readdirSync(quarantineDir(dir));
    assert.ok(readFileSync(join(quarantineDir(dir), copy!)).includes('no protobuf'));
  });

  test('quarantines damage inside the journal, reports it and applies the following records', async (t) => {
    const dir = tempDir();
    const journal = await openTestJournal(dir);
    const head = { kind: 'spans', receivedAtMs: 0, spanCount: 1 } as const;
    const from = await journal.append(head, Buffer.from(restSpans('first', 1)));
    const to = await journal.append(head, Buffer.from(restSpans('damaged', 2)));
    await journal.append(head, Buffer.from(restSpans('third', 3)));
    await journal.close();
    const segment = join(dir, readdirSync(dir)[0]!);
    const bytes = readFileSync(segment);
    bytes[from + 100]! ^= 1;
    writeFileSync(segment, bytes);
    const writer = new MemoryWriter();

    const { ingest } = await open(t, writer, { dir });
    await ingest.waitFor(toReceipt(journal.durablePosition));

    assert.deepEqual(writer.names, ['first', 'third']);
    assert.equal(ingest.latestErrors()[0]?.bodyBytes, to - from);
    assert.deepEqual(readFileSync(join(quarantineDir(dir), `${from}.damaged`)), bytes.subarray(from, to));
  });

  test('accepts a thousand concurrent requests', async (t) => {
    const writer = new MemoryWriter();
    const { ingest } = await open(t, writer);

    const all = await Promise.all(
      Array.from({ length: 1000 }, (_, serial) => ingest.submitSpans(restSpans(`span ${serial}`, serial + 1), 1)),
    );
    await Promise.all(all.map(({ receipt }) => ingest.waitFor(receipt)));

    assert.deepEqual(
      writer.names,
      Array.from({ length: 1000 }, (_, serial) => `span ${serial}`),
    );
  });
});

describe('admission', () => {
  const blocked = (): MemoryWriter & { open(): void } => {
    const writer = new MemoryWriter();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    writer.onCall = () => gate;
    return Object.assign(writer, { open: () => release() });
  };
  const OVERLOADED = {
    code: 'INGEST_OVERLOADED',
    message: 'Server is at capacity and cannot process more requests',
  };

  test('rejects above the limit of bytes in flight, and admits again after their responses', async (t) => {
    const body = agents(1, 10);
    const { ingest } = await open(t, new MemoryWriter(), { limits: { inFlightBytesMax: body.length + 100 } });

    const first = ingest.submitOtlp(otlp(body));
    assert.equal(ingest.findRejection(100), undefined);
    assert.match(String(ingest.findRejection(101)?.message), /at capacity/);
    await assert.rejects(ingest.submitOtlp(otlp(body)), OVERLOADED);
    await first;

    await ingest.submitOtlp(otlp(body));
  });

  test('rejects above the limit of the backlog, and admits again after the store has caught up', async (t) => {
    const writer = blocked();
    const body = agents(1, 10);
    const { ingest } = await open(t, writer, { limits: { backlogBytesMax: 2 * body.length } });

    const { receipt } = await ingest.submitOtlp(otlp(body));
    await assert.rejects(ingest.submitOtlp(otlp(body)), OVERLOADED);
    writer.open();
    await ingest.waitFor(receipt);

    await ingest.submitOtlp(otlp(body));
  });

  test('rejects while the maximum number of spans waits, and admits again after they are stored', async (t) => {
    const writer = blocked();
    const { ingest } = await open(t, writer, { maxQueuedSpans: 10 });

    await ingest.submitOtlp(otlp(agents(1)));
    const { receipt } = await ingest.submitOtlp(otlp(agents(2)));
    await assert.rejects(ingest.submitOtlp(otlp(agents(3))), OVERLOADED);
    assert.deepEqual(ingest.latestErrors(), []);
    writer.open();
    await ingest.waitFor(receipt);

    await ingest.submitOtlp(otlp(agents(3)));
  });

  test('rejects a body that consists of brackets, and continues', async (t) => {
    const writer = new MemoryWriter();
    const { ingest } = await open(t, writer, { pool: { threadCount: 1 } });
    const json = { ...otlp(Buffer.from('['.repeat(9_000_000))), format: 'json' as const };

    await assert.rejects(ingest.submitOtlp(json), { code: 'BODY_TOO_LARGE' });

    const { receipt } = await ingest.submitOtlp(otlp(agents(1)));
    await ingest.waitFor(receipt);
    assert.ok(writer.names.length > 0);
  });

  test('rejects while the queue of the decode pool is full', async (t) => {
    const { ingest } = await open(t, new MemoryWriter(), { pool: { threadCount: 1, queueCountMax: 3 } });

    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, seed) => ingest.submitOtlp(otlp(agents(seed)))),
    );

    const refused = results.filter((result) => result.status === 'rejected');
    assert.ok(refused.length > 0 && refused.length < 20);
    for (const { reason } of refused) assert.equal(reason.code, 'INGEST_OVERLOADED');
  });

  test('admits deletions while it rejects all other requests', async (t) => {
    const writer = blocked();
    const { ingest } = await open(t, writer, { limits: { backlogBytesMax: 100 } });

    assert.match(String(ingest.findRejection(101)?.message), /at capacity/);
    const { receipt } = await ingest.submitDeletion({ what: 'spans', rowIds: [1] });
    writer.open();

    await ingest.waitFor(receipt);
  });

  test('rejects requests while the server stops, and responds to the admitted ones', async (t) => {
    const { ingest } = await open(t, new MemoryWriter());

    const admitted = ingest.submitOtlp(otlp(agents(1)));
    const closed = ingest.close();
    await assert.rejects(ingest.submitOtlp(otlp(agents(2))), { code: 'SHUTTING_DOWN' });

    await Promise.all([admitted, closed]);
  });
});
