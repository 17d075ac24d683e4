import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CHANGED_ROW_COUNT_MAX, EVENT_TOPIC_COUNT_MAX } from '../../../src/model/limits/reads.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer } from '../test-server.ts';
import { connect } from './event-stream.ts';
import type { Page } from './pages.ts';

const openServer = shareTestServer({ events: { intervalMs: 1 } });

interface SpanOptions {
  readonly traceId: string;
  readonly spanId: string;
  readonly session?: string;
}

const span = ({ traceId, spanId, session }: SpanOptions) => ({
  name: spanId,
  context: { trace_id: traceId, span_id: spanId },
  span_kind: 'LLM',
  start_time: '2024-05-01T12:00:00Z',
  end_time: '2024-05-01T12:00:01Z',
  status_code: 'OK',
  ...(session === undefined ? {} : { attributes: { session: { id: session } } }),
});

/** Project `p` with trace `a` of session `talk` and trace `b` without a session. */
async function open(t: TestContext) {
  const rest = await openServer();
  const send = async (project: string, spans: readonly SpanOptions[]) => {
    const { status, text } = await rest.call('POST', `/v1/projects/${project}/spans`, {
      json: { data: spans.map(span) },
    });
    assert.equal(status, 202, text.slice(0, 200));
  };
  const annotate = async (noun: 'span' | 'trace' | 'session', id: string) => {
    const target = { [noun === 'session' ? 'session_id' : `${noun}_id`]: id };
    const annotation = { ...target, name: 'tone', annotator_kind: 'HUMAN', result: { label: 'kind' } };
    const { status, text } = await rest.call('POST', `/v1/${noun}_annotations?sync=false`, {
      json: { data: [annotation] },
    });
    assert.equal(status, 200, text);
  };
  await send('p', [{ traceId: 'a', spanId: 'a1', session: 'talk' }]);
  await send('p', [{ traceId: 'b', spanId: 'b1' }]);
  const idOf = async (path: string) => ((await rest.call('GET', path)).json as Page).data[0]!.id as string;
  const traces = ((await rest.call('GET', '/v1/projects/p/traces')).json as Page).data;
  const traceId = traces.find(({ trace_id }) => trace_id === 'a')!.id as string;
  const sessionId = await idOf('/v1/projects/p/sessions');
  const stream = async (query: string) => {
    const opened = await connect(`${rest.address}/events?${query}`);
    t.after(() => opened.leave());
    return opened;
  };
  const projectId = toGlobalId('Project', (await rest.ports.projects.find({ name: 'p' }))!.rowId);
  return { rest, send, annotate, stream, projectId, traceId, sessionId, url: `${rest.address}/events` };
}

/** Topic of the next event, and whether the event has a time. */
async function nextTopic(stream: Awaited<ReturnType<typeof connect>>): Promise<object> {
  const { last_changed_at, ...topic } = await stream.next();
  return { ...topic, isChange: last_changed_at !== null };
}

test('a stream of a trace reports its own spans and annotations, and no other trace', async (t) => {
  const { send, annotate, stream, projectId, traceId } = await open(t);
  const ofTrace = await stream(`trace=${traceId}`);
  assert.deepEqual(await nextTopic(ofTrace), { trace: traceId, isChange: false });
  const ofProject = await stream('project=p&trace=a');
  assert.deepEqual(await nextTopic(ofProject), { project: projectId, isChange: true });
  assert.deepEqual(await nextTopic(ofProject), { trace: traceId, isChange: false });

  await send('p', [{ traceId: 'b', spanId: 'b2' }]);
  await annotate('span', 'b1');
  // The project's stream has reported both, so the next event of the trace's stream is about neither.
  assert.deepEqual(await nextTopic(ofProject), { project: projectId, isChange: true });
  await send('p', [{ traceId: 'a', spanId: 'a2' }]);
  assert.deepEqual(await nextTopic(ofTrace), { trace: traceId, isChange: true });
  for (const [noun, id] of [
    ['span', 'a1'],
    ['trace', 'a'],
  ] as const) {
    await annotate(noun, id);
    assert.deepEqual(await nextTopic(ofTrace), { trace: traceId, isChange: true }, noun);
  }
});

test('a stream of a session reports its traces, their annotations, and its own annotations', async (t) => {
  const { send, annotate, stream, sessionId } = await open(t);
  const ofSession = await stream(`session=${sessionId}`);
  assert.deepEqual(await nextTopic(ofSession), { session: sessionId, isChange: false });
  const changes = [
    () => send('p', [{ traceId: 'c', spanId: 'c1', session: 'talk' }]),
    () => send('p', [{ traceId: 'a', spanId: 'a2' }]),
    () => annotate('span', 'a1'),
    () => annotate('trace', 'a'),
    () => annotate('session', 'talk'),
  ];
  for (const [index, change] of changes.entries()) {
    await annotate('trace', 'b');
    await change();
    assert.deepEqual(await nextTopic(ofSession), { session: sessionId, isChange: true }, `change ${index}`);
  }
});

test('changed and deleted annotations are reported to every stream', async (t) => {
  const { rest, annotate, stream, traceId } = await open(t);
  await annotate('trace', 'a');
  const ofTrace = await stream(`trace=${traceId}`);
  await ofTrace.next();

  const { status } = await rest.call('DELETE', '/v1/projects/p/trace_annotations?name=tone&delete_all=true');

  assert.equal(status, 204);
  assert.deepEqual(await nextTopic(ofTrace), { trace: traceId, isChange: true });
});

test('a commit with more traces than a changeset lists concerns each trace of its projects', async (t) => {
  const { send, stream, traceId } = await open(t);
  const ofTrace = await stream(`trace=${traceId}`);
  await ofTrace.next();
  const many = (name: string): SpanOptions[] =>
    Array.from({ length: CHANGED_ROW_COUNT_MAX + 1 }, (_, index) => ({
      traceId: `${name} ${index}`,
      spanId: `${name} ${index}`,
    }));

  await send('other', many('other'));
  await send('p', many('p'));

  assert.deepEqual(await nextTopic(ofTrace), { trace: traceId, isChange: true });
});

test('unknown topics, and too many topics, are rejected', async (t) => {
  const { url } = await open(t);
  const answers = [];
  for (const query of ['trace=none', 'session=none', 'project=none', 'trace=a&'.repeat(EVENT_TOPIC_COUNT_MAX + 1)]) {
    answers.push((await fetch(`${url}?${query}`)).status);
  }
  assert.deepEqual(answers, [404, 404, 404, 422]);
});
