import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../server-process.ts';

const PROJECT = 'annotated';
const SENDER_COUNT = 6;
const SPAN_COUNT = 8;
const PER_REQUEST = 20;
/** Requests of a sender of which one deletes. */
const DELETE_EVERY = 3;

const spanId = (index: number) => `span-${index}`;

interface Sent {
  readonly spanId: string;
  readonly name: string;
  readonly score: number;
  outcome: 'acknowledged' | 'unknown' | 'deleted' | 'perhaps deleted';
}

export interface AnnotationCrashes {
  readonly acknowledgedCount: number;
  readonly deletedCount: number;
}

/**
 * Kills the server over and over while annotations arrive and are deleted. Then every acknowledged one is there once, of
 * spans that came after the last kill too, and what was deleted is gone.
 */
export async function runAnnotationCrashRounds(roundCount: number): Promise<AnnotationCrashes> {
  const dataDir = await makeDataDir();
  const sent: Sent[] = [];
  // The spans with even numbers are there before; the odd ones come after the last kill.
  let server = await startServer({ dataDir });
  try {
    await storeSpans(server, 0);
    for (let round = 0; round < roundCount; round++) {
      let isOver = false;
      const senders = Array.from({ length: SENDER_COUNT }, async (_, sender) => {
        for (let request = 0; !isOver; request++) {
          if (request % DELETE_EVERY === DELETE_EVERY - 1) await deleteOne(server, sent, `${round} ${sender} `);
          else await annotate(server, sent, `${round} ${sender} ${request}`, sender);
        }
      });
      await delay(600 + 150 * (round % 5));
      while (!sent.some(({ outcome }) => outcome === 'deleted')) await delay(20);
      await server.kill9();
      isOver = true;
      await Promise.all(senders);
      server = await startServer({ dataDir });
    }
    await storeSpans(server, 1);
    await eventually(async () => verify(await readAll(server), sent));
    await server.stop();
  } finally {
    await server.kill9();
    await removeDataDir(dataDir);
  }
  const count = (outcome: Sent['outcome']) => sent.filter((item) => item.outcome === outcome).length;
  return { acknowledgedCount: count('acknowledged'), deletedCount: count('deleted') };
}

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

/** One that this sender had acknowledged, of a span that is stored. */
async function deleteOne(server: ServerProcess, sent: Sent[], prefix: string): Promise<void> {
  const isStored = (id: string) => Number(id.slice('span-'.length)) % 2 === 0;
  const item = sent.findLast(
    (one) => one.name.startsWith(prefix) && one.outcome === 'acknowledged' && isStored(one.spanId),
  );
  if (!item) return;
  item.outcome = 'perhaps deleted';
  const query = new URLSearchParams({ name: item.name, delete_all: 'true' });
  try {
    const url = `${server.url}/v1/projects/${PROJECT}/span_annotations?${query}`;
    if ((await fetch(url, { method: 'DELETE' })).status === 204) item.outcome = 'deleted';
  } catch {
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
    if (item.outcome === 'deleted') assert.ok(!row, `${item.name} was deleted, and is back`);
    if (item.outcome === 'acknowledged') assert.ok(row, `${item.name} was acknowledged, and is lost`);
    if (row) assert.deepEqual([row.span_id, row.result.score], [item.spanId, item.score]);
  }
  assert.deepEqual([...stored.keys()], [], 'annotations that nobody sent');
}
