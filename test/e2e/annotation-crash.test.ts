import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const PROJECT = 'annotated';
const ROUND_COUNT = 3;
const SENDER_COUNT = 6;
const SPAN_COUNT = 8;
const PER_REQUEST = 20;

const spanId = (index: number) => `span-${index}`;

interface Sent {
  readonly spanId: string;
  readonly name: string;
  readonly score: number;
  outcome: 'acknowledged' | 'unknown';
}

describe('annotations of a server that is killed', () => {
  test(`are there exactly once after ${ROUND_COUNT} rounds, those of spans that came later too`, {
    timeout: 120_000,
  }, async () => {
    const dataDir = await makeDataDir();
    const sent: Sent[] = [];
    // The spans with even numbers are there before; the odd ones come after the last kill.
    let server = await startServer({ dataDir });
    try {
      await storeSpans(server, 0);
      for (let round = 0; round < ROUND_COUNT; round++) {
        let isOver = false;
        const senders = Array.from({ length: SENDER_COUNT }, async (_, sender) => {
          for (let request = 0; !isOver; request++)
            await annotate(server, sent, `${round} ${sender} ${request}`, sender);
        });
        await delay(300 + 150 * round);
        await server.kill9();
        isOver = true;
        await Promise.all(senders);
        server = await startServer({ dataDir });
      }
      await storeSpans(server, 1);

      const acknowledged = sent.filter(({ outcome }) => outcome === 'acknowledged');
      assert.ok(acknowledged.length > 100, `only ${acknowledged.length} were acknowledged`);
      await eventually(async () => verify(await readAll(server), sent));
      await server.stop();
    } finally {
      await server.kill9();
      await removeDataDir(dataDir);
    }
  });
});

async function storeSpans(server: ServerProcess, remainder: number): Promise<void> {
  const indices = Array.from({ length: SPAN_COUNT }, (_, index) => index).filter((index) => index % 2 === remainder);
  const data = indices.map((index) => ({
    name: 'annotated',
    context: { trace_id: `trace-${index}`, span_id: spanId(index) },
    span_kind: 'LLM',
    start_time: '2026-01-01T00:00:00Z',
    end_time: '2026-01-01T00:00:01Z',
    status_code: 'OK',
  }));
  const url = `${server.url}/v1/projects/${PROJECT}/spans`;
  const response = await fetch(url, { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ data }) });
  assert.equal(response.status, 202);
  await eventually(async () => {
    const { data: stored } = (await (await fetch(url)).json()) as { data: { context: { span_id: string } }[] };
    const ids = stored.map(({ context }) => context.span_id);
    assert.ok(indices.every((index) => ids.includes(spanId(index))));
  });
}

/** One sender in three waits for the store, and so annotates only what is there. */
async function annotate(server: ServerProcess, sent: Sent[], name: string, sender: number): Promise<void> {
  const isSync = sender % 3 === 0;
  const items = Array.from({ length: PER_REQUEST }, (_, index): Sent => {
    const target = isSync ? 2 * (index % (SPAN_COUNT / 2)) : index % SPAN_COUNT;
    return { spanId: spanId(target), name: `${name} ${index}`, score: index, outcome: 'unknown' };
  });
  sent.push(...items);
  const data = items.map((item) => ({
    span_id: item.spanId,
    name: item.name,
    annotator_kind: 'CODE',
    result: { score: item.score },
  }));
  try {
    const url = `${server.url}/v1/span_annotations?sync=${isSync}`;
    const response = await fetch(url, { method: 'POST', headers: JSON_BODY, body: JSON.stringify({ data }) });
    await response.text();
    if (response.ok) for (const item of items) item.outcome = 'acknowledged';
  } catch {
    // Nobody listens just now, or the answer was cut off.
    await delay(20);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

interface Row {
  readonly span_id: string;
  readonly name: string;
  readonly result: { readonly score: number };
}

async function readAll(server: ServerProcess): Promise<Row[]> {
  const ids = Array.from({ length: SPAN_COUNT }, (_, index) => `span_ids=${spanId(index)}`).join('&');
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = `${server.url}/v1/projects/${PROJECT}/span_annotations?${ids}&limit=10000&cursor=${cursor}`;
    const page = (await (await fetch(url)).json()) as { data: Row[]; next_cursor: string | null };
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

function verify(rows: readonly Row[], sent: readonly Sent[]): void {
  const stored = new Map<string, Row>();
  for (const row of rows) {
    assert.ok(!stored.has(row.name), `${row.name} is stored twice`);
    stored.set(row.name, row);
  }
  for (const item of sent) {
    const row = stored.get(item.name);
    stored.delete(item.name);
    if (item.outcome === 'acknowledged') assert.ok(row, `${item.name} was acknowledged, and is lost`);
    if (row) assert.deepEqual([row.span_id, row.result.score], [item.spanId, item.score]);
  }
  assert.deepEqual([...stored.keys()], [], 'annotations that nobody sent');
}
