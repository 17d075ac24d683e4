import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RecordBatchReader, Table } from 'apache-arrow';
import { cleanUpAfter, until } from '../../metadata-store/fixtures.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const PAGES = 'application/vnd.spandrel.arrow-pages';
// biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
type Json = any;

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0');
const span = (n: number, attributes: object) => ({
  name: `span ${n}`,
  context: { trace_id: hex(n, 32), span_id: hex(n, 16) },
  span_kind: 'LLM',
  start_time: new Date(1_700_000_000_000 + n).toISOString(),
  end_time: new Date(1_700_000_001_000 + n).toISOString(),
  status_code: n % 2 ? 'OK' : 'ERROR',
  attributes,
});

describe('a table of spans as pages of Arrow', () => {
  const cleanUp = cleanUpAfter(after);
  let server: TestServer;

  const store = async (project: string, spans: readonly object[]) => {
    for (let from = 0; from < spans.length; from += 1_000) {
      const json = { data: spans.slice(from, from + 1_000) };
      const { status, text } = await server.call('POST', `/v1/projects/${project}/spans`, { json });
      assert.equal(status, 202, text);
    }
  };
  before(async () => {
    server = await openTestServer({ after: cleanUp });
    // Attributes that begin late, and whose types change, from the newest span to the oldest.
    await store(
      'mixed',
      Array.from({ length: 2_500 }, (_, n) =>
        span(n, {
          'llm.token_count.prompt': n,
          text: `text ${n}`,
          ...(n < 1_000 && { late: n % 3 === 0 ? null : { deep: [n] } }),
          number: n > 1_500 ? n : n + 0.5,
          any: n > 500 ? `"${n}` : n % 2 === 0,
          seldom: n === 0 ? 12 : null,
          word: n % 3 ? ['Grüße 🦊', '', 'ascii'][(n % 5) % 3] : null,
          flag: n % 7 ? n % 2 === 0 : null,
          large: n % 2 ? 9_007_199_254_740_991 : null,
          ratio: n % 5 ? n / 8 : null,
        }),
      ),
    );
  });

  const send = (body: object, accept = PAGES, signal?: AbortSignal) =>
    fetch(`${server.address}/v1/spans`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  async function streamsOf(body: object): Promise<Table[]> {
    const response = await send(body);
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, PAGES]);
    const bytes = new Uint8Array(await response.arrayBuffer());
    return Array.from(RecordBatchReader.readAll(bytes), (reader) => new Table([...reader]));
  }
  /** Rows as in the JSON form of a table, of all streams. */
  function rowsOf(streams: readonly Table[]): Json[] {
    return streams.flatMap((table) => {
      const told = JSON.parse(table.schema.metadata.get('pandas')!);
      const columns = table.schema.fields.map((field, at) => ({
        title: told.columns[at].name,
        vector: table.getChildAt(at)!,
        isJson: field.metadata.get('ARROW:extension:name') === 'arrow.json',
      }));
      return Array.from({ length: table.numRows }, (_, row) =>
        Object.fromEntries(
          columns.flatMap(({ title, vector, isJson }) => {
            const value = vector.get(row);
            return value === null ? [] : [[title, isJson ? JSON.parse(value) : value]];
          }),
        ),
      );
    });
  }
  async function jsonRows(body: object): Promise<Json[]> {
    const text = await (await send(body, 'application/json')).text();
    const { data } = JSON.parse(text.split('\r\n\r\n')[1]!.split('\r\n--')[0]!);
    return data.map((row: object) =>
      Object.fromEntries(
        Object.entries(row).flatMap(([name, value]) => (value === null ? [] : [[name.replace(/^\d+_/, ''), value]])),
      ),
    );
  }
  const isTime = (value: unknown) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value);
  const comparable = (row: Json) =>
    Object.entries(row)
      .map(([name, value]) => {
        if (typeof value === 'bigint') return [name, Number(value)];
        return [name, isTime(value) ? Date.parse(value as string) : value];
      })
      .sort();

  for (const [what, query] of [
    ['all fields', {}],
    [
      'selected columns',
      { select: { tokens: { key: 'llm.token_count.prompt' }, at: { key: 'start_time' }, late: { key: 'late' } } },
    ],
    ['a filter', { filter: { condition: "status_code == 'OK' and llm.token_count.prompt > 700" } }],
  ] as const) {
    test(`has the rows of the JSON form in its order, with ${what}`, async () => {
      const body = { queries: [query], limit: -1, project_name: 'mixed' };
      const streams = await streamsOf(body);
      const rows = rowsOf(streams);
      const expected = await jsonRows(body);

      assert.ok(rows.length > 800, String(rows.length));
      assert.deepEqual(rows.map(comparable), expected.map(comparable));
      for (const [index, stream] of streams.entries()) {
        const before = streams[index - 1]?.schema.names ?? [];
        assert.deepEqual(stream.schema.names.slice(0, before.length), before, 'columns are only added');
      }
      assert.ok(streams.length < 10, `${streams.length} streams`);
    });
  }

  test('takes a time range and a limit beyond a page, and may be empty', async () => {
    const at = (n: number) => new Date(1_700_000_000_000 + n).toISOString();
    const count = async (more: object) =>
      rowsOf(await streamsOf({ queries: [{}], limit: -1, project_name: 'mixed', ...more })).length;

    assert.equal(await count({ limit: 1_234 }), 1_234);
    assert.equal(await count({ start_time: at(100), end_time: at(1_900) }), 1_800);
    assert.equal(await count({ limit: 0 }), 0);
    const [empty, ...others] = await streamsOf({ queries: [{}], project_name: 'no project' });
    assert.deepEqual([empty!.numRows, others.length], [0, 0]);
    assert.ok(empty!.schema.names.includes('context.span_id'));
  });

  test('reports what is wrong with its query before the first page', async () => {
    for (const [queries, status] of [
      [[{ filter: { condition: 'name = 1' } }], 422],
      [[{}, {}], 422],
      [[], 404],
    ] as const) {
      assert.equal((await send({ queries, project_name: 'mixed' })).status, status);
    }
  });

  describe('of many long spans', () => {
    const SPAN_COUNT = 3_000;
    before(async () => {
      const long = 'x'.repeat(20_000);
      for (let from = 0; from < SPAN_COUNT; from += 500) {
        await store(
          'long',
          Array.from({ length: 500 }, (_, n) => span(from + n + 10_000, { 'input.value': `${from + n} ${long}` })),
        );
      }
    });

    /** Pages that were read, and the reads of these that have not ended. */
    function watchPages(t: { mock: { method: Json } }) {
      const pages = { begun: 0, running: 0, aborted: 0 };
      const { listSpanColumns } = server.ports.spans;
      t.mock.method(server.ports.spans, 'listSpanColumns', async (...given: Parameters<typeof listSpanColumns>) => {
        pages.begun++;
        pages.running++;
        given[1]?.signal?.addEventListener('abort', () => pages.aborted++, { once: true });
        assert.equal(given[1]?.readClass, 'export');
        try {
          return await listSpanColumns.apply(server.ports.spans, given);
        } finally {
          pages.running--;
        }
      });
      return pages;
    }
    const BODY = JSON.stringify({ queries: [{}], limit: -1, project_name: 'long' });
    /** A client that sends a query and reads nothing. */
    async function openIdleClient() {
      const { hostname, port } = new URL(server.address);
      const socket = connect(Number(port), hostname);
      socket.pause();
      await once(socket, 'connect');
      socket.write(
        `POST /v1/spans HTTP/1.1\r\nhost: ${hostname}:${port}\r\naccept: ${PAGES}\r\ncontent-type: application/json\r\n` +
          `content-length: ${BODY.length}\r\n\r\n${BODY}`,
      );
      return socket;
    }
    const settled = async (pages: { begun: number }) => {
      await until('the first page is read', async () => pages.begun > 0);
      for (let begun = -1; begun !== pages.begun; ) {
        begun = pages.begun;
        await sleep(500);
      }
      return pages.begun;
    };

    test('is read as fast as its client reads, and no further when that stops', async (t) => {
      const pages = watchPages(t);
      const response = await send(JSON.parse(BODY));
      const bytes = (await response.arrayBuffer()).byteLength;
      const allPages = pages.begun;
      assert.ok(bytes > SPAN_COUNT * 20_000);
      assert.ok(allPages >= 12, `${allPages} pages`);

      pages.begun = 0;
      const client = await openIdleClient();
      const begun = await settled(pages);

      assert.ok(
        begun > 0 && begun < allPages - 3,
        `${begun} of ${allPages} pages were read for a client that reads nothing`,
      );
      client.destroy();
      await until('the reads have ended', async () => pages.running === 0);
      const after = pages.begun;
      await sleep(200);
      assert.ok(pages.begun <= after + 1, 'no page is read for a client that has left');
      assert.ok(pages.aborted > 0, 'the read in progress was told');
    });
  });
});
