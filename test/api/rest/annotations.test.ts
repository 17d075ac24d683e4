import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';
import { walk } from './pages.ts';

const openServer = shareTestServer();

const SPAN = 'aaaaaaaaaaaaaaaa';
const TRACE = 'a'.repeat(32);
const PATH = '/v1/projects/default';

async function openWithSpan(): Promise<TestServer> {
  const rest = await openServer();
  await storeSpan(rest, SPAN);
  return rest;
}

async function storeSpan(rest: TestServer, spanId: string, traceId = TRACE): Promise<void> {
  const span = {
    name: 'chat',
    context: { trace_id: traceId, span_id: spanId },
    span_kind: 'LLM',
    start_time: '2024-05-01T12:00:00Z',
    end_time: '2024-05-01T12:00:01Z',
    status_code: 'OK',
    attributes: { 'session.id': `session of ${traceId}` },
  };
  assert.equal((await rest.call('POST', `${PATH}/spans`, { json: { data: [span] } })).status, 202);
}

const annotation = (over: object = {}) => ({ span_id: SPAN, name: 'quality', annotator_kind: 'LLM', ...over });

const annotate = (rest: TestServer, data: object[], sync = true, target = 'span') =>
  rest.call('POST', `/v1/${target}_annotations?sync=${sync}`, { json: { data } });

const list = (rest: TestServer, query: string) => walk(rest, `${PATH}/span_annotations?${query}`);

describe('REST annotations', () => {
  test('metadata comes back as it was written', async () => {
    const rest = await openWithSpan();

    const metadata = '{"n":9007199254740993,"f":1.0,"__proto__":{"x":1}}';
    const body = `{"data":[{"span_id":"${SPAN}","name":"m","annotator_kind":"CODE","metadata":${metadata}}]}`;
    const reply = await rest.call('POST', '/v1/span_annotations?sync=true', { body, type: 'application/json' });

    assert.equal(reply.status, 200);
    const { text } = await rest.call('GET', `${PATH}/span_annotations?span_ids=${SPAN}`);
    assert.ok(text.includes(`"metadata":${metadata}`), text);
  });

  test('texts with U+0000 and lone surrogates are stored, and the same key is the same annotation', async () => {
    const rest = await openWithSpan();
    const odd = { name: 'a\0b', identifier: '\ud800', result: { label: '\0', explanation: 'x\udfff' } };

    const first = await annotate(rest, [annotation(odd)]);
    const second = await annotate(rest, [annotation(odd)]);

    assert.equal(first.status, 200);
    assert.deepEqual(second.json, first.json);
    const [row] = await list(rest, `span_ids=${SPAN}`);
    assert.equal(row?.name, 'a\0b');
    assert.equal(row?.identifier, '\ufffd');
    assert.deepEqual(row?.result, { label: '\0', score: null, explanation: 'x\ufffd' });
  });

  test('one that came before its span is listed once the span is there', async () => {
    const rest = await openWithSpan();
    const later = 'bbbbbbbbbbbbbbbb';
    await annotate(rest, [annotation({ span_id: later })], false);
    assert.deepEqual(await list(rest, 'identifier=run'), []);

    await storeSpan(rest, later);

    assert.equal((await list(rest, `span_ids=${later}`)).length, 1);
  });

  test('the message of missing targets names each once', async () => {
    const rest = await openWithSpan();
    const missing = annotation({ span_id: 'gone' });

    const reply = await annotate(rest, [annotation(), missing, { ...missing, name: 'other' }]);

    assert.equal(reply.status, 404);
    assert.equal(reply.text, 'Spans with IDs gone do not exist.');
    assert.deepEqual(await list(rest, `span_ids=${SPAN}`), []);
  });

  test('identifiers select without ids, and within ids', async () => {
    const rest = await openWithSpan();
    await storeSpan(rest, 'b', 'trace b');
    await annotate(rest, [
      annotation({ identifier: 'run-1' }),
      annotation({ identifier: 'run-2' }),
      annotation({ span_id: 'b', identifier: 'run-1' }),
    ]);

    const ofRun = await list(rest, 'identifier=run-1');
    const ofBoth = await list(rest, `identifier=run-1&identifier=run-2&span_ids=${SPAN}&limit=1`);

    assert.deepEqual(
      ofRun.map(({ span_id }) => span_id),
      ['b', SPAN],
    );
    assert.deepEqual(
      ofBoth.map(({ identifier }) => identifier),
      ['run-2', 'run-1'],
    );
    assert.deepEqual(await list(rest, 'identifier=run-3&span_ids=nowhere'), []);
  });

  for (const { what, query, text } of [
    { what: 'nothing to select by', query: '', text: 'At least one of span_ids or identifier must be supplied' },
    {
      what: 'too many identifiers',
      query: Array.from({ length: 1_001 }, (_, index) => `identifier=${index}`).join('&'),
      text: 'Too many identifiers supplied: 1001 (max 1000)',
    },
    { what: 'a broken cursor', query: 'span_ids=x&cursor=!', text: 'Invalid cursor value' },
  ]) {
    test(`a list with ${what} is rejected`, async () => {
      const rest = await openWithSpan();

      const reply = await rest.call('GET', `${PATH}/span_annotations?${query}`);

      assert.equal(reply.status, 422);
      assert.equal(reply.text, text);
    });
  }

  test('a note with an identifier is replaced, one without is another', async () => {
    const rest = await openWithSpan();
    const add = async (note: string, identifier?: string) =>
      (await rest.call('POST', '/v1/span_notes', { json: { data: { span_id: SPAN, note, identifier } } })).json;

    const [first, second] = [await add('one', 'mine'), await add('two', 'mine')];
    await add('three');
    await add('four');

    assert.deepEqual(second, first);
    const notes = await list(rest, `span_ids=${SPAN}`);
    assert.deepEqual(
      notes.map(({ result }) => (result as { explanation: string }).explanation),
      ['four', 'three', 'two'],
    );
  });

  test('deletion takes what meets every condition', async () => {
    const rest = await openWithSpan();
    await annotate(rest, [
      annotation({ name: 'a' }),
      annotation({ name: 'a', identifier: 'x' }),
      annotation({ name: 'a', identifier: 'y', annotator_kind: 'HUMAN' }),
      annotation({ name: 'b' }),
    ]);
    await annotate(rest, [{ ...annotation({ name: 'a' }), trace_id: TRACE }], true, 'trace');
    const remove = (query: string) => rest.call('DELETE', `${PATH}/span_annotations?${query}`);
    const left = async () =>
      (await list(rest, `span_ids=${SPAN}`)).map(({ name, identifier }) => `${name}${identifier}`);

    assert.equal((await remove('delete_all=true&name=a&annotator_kind=HUMAN')).status, 204);
    assert.deepEqual(await left(), ['b', 'ax', 'a']);
    assert.equal((await remove('start_time=2020-01-01&end_time=2021-01-01')).status, 204);
    assert.deepEqual(await left(), ['b', 'ax', 'a']);
    assert.equal((await remove('start_time=2020-01-01&end_time=2200-01-01&identifier=x')).status, 204);
    assert.deepEqual(await left(), ['b', 'a']);
    assert.equal((await remove('delete_all=true')).status, 204);
    assert.deepEqual(await left(), []);
    assert.equal((await walk(rest, `${PATH}/trace_annotations?trace_ids=${TRACE}`)).length, 1);
  });

  for (const { what, query, text } of [
    {
      what: 'without bounds',
      query: 'name=a&start_time=2020-01-01',
      text: 'Delete is unbounded. Set delete_all=true to acknowledge, or supply both start_time and end_time to bound the time range.',
    },
    {
      what: 'of an empty time',
      query: 'start_time=2021-01-01&end_time=2021-01-01',
      text: '`start_time` must be strictly earlier than `end_time`.',
    },
  ]) {
    test(`a deletion ${what} is rejected`, async () => {
      const rest = await openWithSpan();

      const reply = await rest.call('DELETE', `${PATH}/span_annotations?${query}`);

      assert.equal(reply.status, 422);
      assert.equal(reply.text, text);
    });
  }

  for (const what of ['span', 'trace', 'session', 'project']) {
    test(`annotations go with their ${what}`, async () => {
      const rest = await openWithSpan();
      await storeSpan(rest, 'other');
      const session = `session of ${TRACE}`;
      await annotate(rest, [annotation()]);
      await annotate(rest, [{ ...annotation(), trace_id: TRACE }], true, 'trace');
      await annotate(rest, [{ ...annotation(), session_id: session }], true, 'session');
      const project = await rest.ports.projects.find({ name: 'default' });
      const countLeft = async () => {
        const counts = await Promise.all(
          (['span', 'trace', 'session'] as const).map(async (target) => {
            const query = { target, projectId: project!.rowId, limit: 10 } as const;
            return (await rest.ports.spans.findAnnotations(query)).items.length;
          }),
        );
        return counts.join(' ');
      };
      assert.equal(await countLeft(), '1 1 1');

      if (what === 'project') {
        await rest.ports.writes.submitDeletion({ what, projectId: project!.rowId, name: 'default' });
        await rest.settled();
      } else {
        const id = { span: SPAN, trace: TRACE, session: encodeURIComponent(session) }[what];
        assert.equal((await rest.call('DELETE', `/v1/${what}s/${id}`)).status, 204);
      }

      assert.equal(await countLeft(), { span: '0 1 1', trace: '0 0 1', session: '0 0 0', project: '0 0 0' }[what]);
    });
  }

  test('an annotation is not found by a global ID', async () => {
    const rest = await openWithSpan();

    const reply = await annotate(rest, [annotation({ span_id: toGlobalId('Span', 1) })]);

    assert.equal(reply.status, 404);
  });
});
