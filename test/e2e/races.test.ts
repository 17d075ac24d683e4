import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FILTER_CHARS_MAX } from '../../src/model/limits/reads.ts';
import { eventually, getJson, listSpans, type RestPage, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const PROJECT = 'raced';
const TRACE = 'e'.repeat(32);

const span = (index: number, traceId = TRACE) => ({
  name: `step ${index}`,
  context: { trace_id: traceId, span_id: index.toString(16).padStart(16, '0') },
  span_kind: 'CHAIN',
  start_time: '2026-01-01T00:00:00Z',
  end_time: '2026-01-01T00:00:01Z',
  status_code: 'OK',
});

describe('concurrent requests', () => {
  let server: ServerProcess;
  let dataDir: string;
  const post = (path: string, body: unknown) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const send = async (...spans: object[]) => {
    const response = await post(`/v1/projects/${PROJECT}/spans`, { data: spans });
    assert.equal(response.status, 202, await response.text());
  };

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  test('write one annotation many times into one row, with the last acknowledged value', async () => {
    const target = span(1, 'a'.repeat(32));
    await send(target);
    await spansOnceThere(server.url, PROJECT, 1);
    const write = async (score: number, sync: boolean) => {
      const { span_id } = target.context;
      const annotation = { span_id, name: 'one', annotator_kind: 'CODE', identifier: 'i', result: { score } };
      const response = await post(`/v1/span_annotations?sync=${sync}`, { data: [annotation, annotation] });
      assert.equal(response.status, 200);
      return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    };

    const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => write(index, index % 2 === 0)));
    const [last] = await write(1_000, true);

    assert.deepEqual([...new Set(answers.flat())], [last]);
    const url = `${server.url}/v1/projects/${PROJECT}/span_annotations?span_ids=${target.context.span_id}`;
    const { data } = await getJson<RestPage<{ id: string; result: { score: number } }>>(url);
    assert.deepEqual(
      data.map(({ id, result }) => [id, result.score]),
      [[last, 1_000]],
    );
  });

  test('delete spans of a trace that were acknowledged before, and keep spans sent after the response', async () => {
    let next = 1_000;
    const acknowledged: number[] = [];
    const ids = async () => new Set((await listSpans(server.url, PROJECT)).map(({ context }) => context.span_id));
    for (let round = 0; round < 5; round++) {
      let isOver = false;
      const sender = (async () => {
        while (!isOver) {
          const first = next;
          next += 20;
          await send(...Array.from({ length: 20 }, (_, index) => span(first + index)));
          for (let index = 0; index < 20; index++) acknowledged.push(first + index);
        }
      })();
      const expected = acknowledged.length;
      await eventually(async () => assert.ok(acknowledged.length > expected + 100));
      await eventually(async () =>
        assert.equal((await fetch(`${server.url}/v1/traces/${TRACE}`, { method: 'DELETE' })).status, 204),
      );
      isOver = true;
      // Of those that were sent meanwhile each is before or after the deletion, and so gone or there.
      const before = acknowledged.slice(0, expected + 100);
      await sender;
      const late = next++;
      await send(span(late));
      acknowledged.push(late);

      await eventually(async () => assert.ok((await ids()).has(span(late).context.span_id)));
      const stored = await ids();
      assert.deepEqual(
        before.filter((index) => stored.has(span(index).context.span_id)),
        [],
      );
      const { data } = await getJson<RestPage<{ trace_id: string }>>(`${server.url}/v1/projects/${PROJECT}/traces`);
      assert.equal(data.filter(({ trace_id }) => trace_id === TRACE).length, 1);
    }
  });

  test('reject a filter of 100 kB or a thousand levels with a reason, in every API', async () => {
    const levels = `${'('.repeat(1_000)}name == 'x'${')'.repeat(1_000)}`;
    const long = `name == '${'x'.repeat(100_000)}'`;
    for (const [filter, reason] of [
      [levels, 'filter condition is nested too deeply'],
      [`${'not '.repeat(1_000)}name == 'x'`, 'filter condition is nested too deeply'],
      [long, `filter condition is longer than ${FILTER_CHARS_MAX} characters`],
    ] as const) {
      const query = `query($f:String!){getProjectByName(name:"${PROJECT}"){
        validateSpanFilterCondition(condition:$f){errorMessage} s:validateSessionFilterCondition(condition:$f){errorMessage}
        t:validateTraceFilterCondition(condition:$f){errorMessage}}}`;
      const { data } = (await (await post('/graphql', { query, variables: { f: filter } })).json()) as {
        data: { getProjectByName: Record<string, { errorMessage: string }> };
      };
      for (const { errorMessage } of Object.values(data.getProjectByName)) assert.equal(errorMessage, reason);
      const table = await post(`/v1/spans?project_name=${PROJECT}`, { queries: [{ filter: { condition: filter } }] });
      assert.deepEqual([table.status, await table.text()], [422, `Invalid query: ${reason}`]);
    }
    const search = new URLSearchParams({ filter_condition: levels });
    const file = await fetch(`${server.url}/v1/projects/${PROJECT}/spans/export?${search}`);
    assert.deepEqual([file.status, await file.text()], [422, 'filter condition is nested too deeply']);
  });
});
