import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { SIGN_IN_OFF } from '../../../src/model/access/caller.ts';
import { SpandrelError } from '../../../src/model/errors.ts';
import { IDEMPOTENT_RESPONSE_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import type { HttpRequest, HttpResponse } from '../../../src/server/route.ts';
import { handleOnce, type IdempotencyRule } from '../../../src/api/rest/idempotent-request.ts';
import { openSignedInServer, type SignedInServer } from '../access/signed-in-server.ts';

const rows = (first: number) => ({ inputs: [{ n: first }, { n: first + 1 }], outputs: [{}, {}] });

describe('a request with an idempotency key', () => {
  const cleanUp = cleanUpAfter(after);
  let server: SignedInServer;
  type Headers = Readonly<Record<string, string>>;
  let member: Headers;
  let other: Headers;

  before(async () => {
    server = await openSignedInServer({ after: cleanUp });
    const signedIn = async (name: string) => ({
      cookie: `phoenix-access-token=${(await server.newUser(name, 'MEMBER')).access}`,
    });
    member = await signedIn('maria');
    other = await signedIn('omar');
  });

  async function send(key: string, path: string, body: object | FormData, credential = member) {
    const isForm = body instanceof FormData;
    const response = await fetch(server.address + path, {
      method: 'POST',
      headers: {
        ...credential,
        'idempotency-key': key,
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      body: isForm ? body : JSON.stringify(body),
    });
    const { status, headers } = response;
    return {
      status,
      text: await response.text(),
      replayed: headers.get('idempotency-replayed'),
      code: headers.get('x-spandrel-error-code'),
      retryAfter: headers.get('retry-after'),
    };
  }
  const append = (key: string, name: string, first = 1) =>
    send(key, '/v1/datasets/upload?sync=true', { action: 'append', name, ...rows(first) });
  const count = async (sql: string) => Number((await query<{ n: string }>(server.databaseUrl, sql))[0]!.n);
  const examplesOf = (name: string) =>
    count(
      `select count(*) as n from dataset_examples e join datasets d on d.id = e.dataset_id where d.name = '${name}'`,
    );

  test('is executed once and gets the first response again', async () => {
    const first = await append('key-1', 'once');
    const second = await append('key-1', 'once');

    assert.deepEqual([first.status, first.replayed], [200, null]);
    assert.deepEqual(second, { ...first, replayed: 'true' });
    assert.equal(await examplesOf('once'), 2);
  });

  test('is rejected when its body or its path is another than before', async () => {
    await append('key-2', 'other body');

    for (const reply of [await append('key-2', 'other body', 5), await send('key-2', '/v1/projects', { name: 'p' })]) {
      assert.deepEqual([reply.status, reply.code], [422, 'IDEMPOTENCY_KEY_REUSED']);
    }
    assert.equal(await examplesOf('other body'), 2);
  });

  test('repeats a rejection, too', async () => {
    const body = { action: 'create', name: 'rejected', inputs: 'none' };
    const first = await send('key-3', '/v1/datasets/upload', body);
    const second = await send('key-3', '/v1/datasets/upload', body);

    assert.equal(first.status, 422);
    assert.deepEqual(second, { ...first, replayed: 'true' });
  });

  test('has a key that is a limited number of visible characters', async () => {
    for (const key of ['', 'a b', 'k'.repeat(256)]) {
      const { status, code } = await append(key, 'bad keys');
      assert.deepEqual([status, code], [400, 'IDEMPOTENCY_KEY_INVALID'], key);
    }
    assert.equal((await append(`'; drop table datasets; --`.replaceAll(' ', '_'), 'odd key')).status, 200);
  });

  test('of another user is another request', async () => {
    const body = { name: 'user-project' };
    const first = await send('key-4', '/v1/projects', body);
    const second = await send('key-4', '/v1/projects', body, other);

    assert.equal(first.status, 200);
    assert.deepEqual([second.status, second.replayed], [409, null]);
    assert.doesNotMatch(second.text, /"data"/);
  });

  test('of a key with few rights is another request than that of its owner', async () => {
    const created = await server
      .as({ cookie: member.cookie! })
      .call('POST', '/v1/user/api_keys', { data: { name: 'narrow', projects: ['default'] } });
    assert.equal(created.status, 201, created.text);
    const { key } = (created.json as { data: { key: string } }).data;
    const narrow = { authorization: `Bearer ${key}` };
    const spans = (name: string) => `/v1/projects/${name}/spans`;
    await send('key-5', spans('hidden'), { data: [] });

    const reply = await send('key-5', spans('hidden'), { data: [] }, narrow);

    assert.equal(reply.replayed, null);
  });

  test('is the same with another boundary of its form, and another one with other content', async () => {
    const form = (text: string) => {
      const fields = new FormData();
      for (const [name, value] of Object.entries({ action: 'append', name: 'form', 'input_keys[]': 'n' }))
        fields.append(name, value);
      fields.append('file', new Blob([text], { type: 'text/csv' }), 'rows.csv');
      return fields;
    };
    // More than the body that is read at once.
    const long = `n\n${`${'x'.repeat(199)}\n`.repeat(2_000)}`;
    const upload = (text: string) => send('key-6', '/v1/datasets/upload?sync=true', form(text));
    const first = await upload(long);

    assert.equal(first.status, 200, first.text);
    assert.deepEqual(await upload(long), { ...first, replayed: 'true' });
    assert.equal((await upload(`${long}2\n`)).code, 'IDEMPOTENCY_KEY_REUSED');
    assert.equal(await examplesOf('form'), 2_000);
  });

  test('gets 409 while it runs, and its response afterwards', async () => {
    const replies = await Promise.all(Array.from({ length: 6 }, () => append('key-7', 'at once')));

    const executed = replies.filter(({ status, replayed }) => status === 200 && replayed === null);
    const rest = replies.filter(({ status }) => status !== 200);
    assert.equal(executed.length, 1);
    for (const reply of rest) {
      assert.deepEqual([reply.status, reply.code, reply.retryAfter], [409, 'IDEMPOTENT_REQUEST_RUNNING', '1']);
    }
    assert.deepEqual(await append('key-7', 'at once'), { ...executed[0], replayed: 'true' });
    assert.equal(await examplesOf('at once'), 2);
  });

  /** Makes a stored request one that its server has left behind. */
  const lose = (status: string) =>
    query(
      server.databaseUrl,
      `update idempotency_keys set status = null, headers = null, body = null, renewed_at = now() - interval '31 s'
       where created_at = (select max(created_at) from idempotency_keys) and status = ${status}`,
    );

  test('has an unknown outcome when its server was killed and a second execution would store it twice', async () => {
    await append('key-8', 'lost');
    await lose('200');

    const { status, code, retryAfter } = await append('key-8', 'lost');

    assert.deepEqual([status, code, retryAfter], [409, 'IDEMPOTENT_OUTCOME_UNKNOWN', null]);
    assert.equal(await examplesOf('lost'), 2);
  });

  test('is executed again after its server was killed when that stores nothing twice', async () => {
    const body = { name: 'again' };
    await send('key-9', '/v1/projects', body);
    await lose('200');

    const again = await send('key-9', '/v1/projects', body);

    assert.deepEqual([again.status, again.replayed], [409, null]);
    assert.deepEqual(await send('key-9', '/v1/projects', body), { ...again, replayed: 'true' });
  });

  test('is new after a day', async () => {
    await append('key-10', 'old');
    await query(server.databaseUrl, `update idempotency_keys set created_at = created_at - interval '24 h'`);

    const reply = await append('key-10', 'old', 7);

    assert.deepEqual([reply.status, reply.replayed], [200, null]);
    assert.equal(await examplesOf('old'), 4);
  });

  test('is deleted by age, by number and by size, and never while it runs', async () => {
    const { idempotency } = server.ports;
    await query(server.databaseUrl, 'delete from idempotency_keys');
    for (const n of [1, 2, 3, 4]) await append(`evicted-${n}`, 'evicted', n);
    await lose('200');
    const none = { ageMsMax: 86_400_000, countOfCallerMax: 100, countMax: 100, bytesMax: 1_000_000 };
    const left = () => count('select count(*) as n from idempotency_keys');

    await idempotency.evict(none);
    assert.equal(await left(), 4);
    await idempotency.evict({ ...none, countOfCallerMax: 3 });
    assert.equal(await left(), 3);
    await idempotency.evict({ ...none, countMax: 2 });
    assert.equal(await left(), 2);
    await idempotency.evict({ ...none, bytesMax: 1 });
    assert.equal(await left(), 1);
    await idempotency.evict({ ...none, ageMsMax: 0 });
    assert.equal(await left(), 0);
  });

  const requestWith = (key: string): HttpRequest => ({
    ...{ method: 'POST', path: '/v1/things', params: {}, query: '', contentLength: 0 },
    ...{ remoteAddress: '::1', clientAddress: '::1', isForwarded: false, isSecure: false },
    header: (name) => (name === 'idempotency-key' ? key : undefined),
    caller: SIGN_IN_OFF,
    body: new Uint8Array(0),
    bodyStream: undefined,
    heap: { take: async () => {} },
    signal: new AbortController().signal,
  });
  /** Responses to three equal requests, and the number of executions. */
  async function repeat(key: string, rule: IdempotencyRule, respond: () => HttpResponse) {
    let executionCount = 0;
    const handle = async () => {
      executionCount++;
      return respond();
    };
    const ends: (number | string)[] = [];
    for (let n = 0; n < 3; n++) {
      const end = handleOnce(requestWith(key), { domain: server.domain, rule, handle });
      ends.push(
        await end.then(
          ({ status }) => status,
          ({ code, message }) => code ?? message,
        ),
      );
    }
    return { ends, executionCount };
  }

  test('is executed again after a failure of the server, a stop, or too many requests', async () => {
    for (const status of [500, 503, 507, 429, 401, 403]) {
      const { executionCount } = await repeat(`status-${status}`, 'once', () => ({ status }));
      assert.equal(executionCount, 3, String(status));
    }
    const cancelled = () => {
      throw new SpandrelError('CANCELLED', 'The client has disconnected');
    };
    assert.deepEqual(await repeat('cancelled', 'once', cancelled), { ends: [499, 499, 499], executionCount: 3 });
    const broken = () => {
      throw new Error('broken');
    };
    assert.deepEqual((await repeat('broken', 'once', broken)).ends, ['broken', 'broken', 'broken']);
  });

  test('is executed again after a response that was too large to store only if that stores nothing twice', async () => {
    const large = () => ({ status: 200, body: 'x'.repeat(IDEMPOTENT_RESPONSE_BYTES_MAX + 1) });

    assert.deepEqual(await repeat('large', 'once', large), {
      ends: [200, 'IDEMPOTENT_OUTCOME_UNKNOWN', 'IDEMPOTENT_OUTCOME_UNKNOWN'],
      executionCount: 1,
    });
    assert.equal((await repeat('larger', 'repeatable', large)).executionCount, 3);
  });
});
