import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Log, silentLog } from '../../../src/base/log.ts';
import { openTestServer, shareTestServer, toAnswer } from '../test-server.ts';

const openServer = shareTestServer();

const TYPENAME = { __typename: 'Query' };

describe('GraphQL over HTTP', () => {
  test('responds to POST and GET, with variables and one of several operations', async () => {
    const { address, ask } = await openServer();
    const get = async (parameters: Record<string, string>) =>
      toAnswer(await fetch(`${address}/graphql?${new URLSearchParams(parameters)}`));

    assert.deepEqual(await ask('{__typename}'), TYPENAME);
    assert.deepEqual(await get({ query: '{__typename}' }), { status: 200, data: TYPENAME });
    const byName = 'query($n: String!) { getProjectByName(name: $n) { name } }';
    assert.deepEqual((await get({ query: byName, variables: '{"n":"default"}' })).data, {
      getProjectByName: { name: 'default' },
    });
    const two = 'query A { a: __typename } query B { b: __typename }';
    assert.deepEqual((await get({ query: two, operationName: 'B' })).data, { b: 'Query' });
    assert.deepEqual((await get({ query: two, operationName: 'C' })).errors, ['Unknown operation named "C".']);
    assert.match((await get({ query: two })).errors![0]!, /Must provide operation name/);
  });

  test('rejects an invalid request with 4xx and an error', async () => {
    const { address } = await openServer();
    const post = async (body: string, type = 'application/json') =>
      toAnswer(await fetch(`${address}/graphql`, { method: 'POST', body, headers: { 'content-type': type } }));

    for (const [body, status] of [
      ['{"query": ', 400],
      ['[]', 400],
      ['null', 400],
      ['{}', 400],
      ['{"query": 7}', 400],
      ['{"query": "{__typename}", "variables": []}', 400],
      ['{"query": "{__typename}", "operationName": 1}', 400],
    ] as const) {
      const answer = await post(body);
      assert.equal(answer.status, status, body);
      assert.equal(answer.errors?.length, 1);
    }
    // A form of another origin could send these.
    assert.equal((await post('{"query": "{__typename}"}', 'text/plain')).status, 415);
    assert.equal((await post('{"query": "{__typename}"}', 'application/json; charset=utf-8')).status, 200);
    const noVariables = await toAnswer(await fetch(`${address}/graphql?query=%7B__typename%7D&variables=%7B`));
    assert.equal(noVariables.status, 400);
  });

  test('takes no mutation by GET, and none at all on a read-only server', async (t) => {
    const mutation = 'mutation { deleteProject(id: "x") { __typename } }';
    const open = await openServer();
    const readOnly = await openTestServer(t, { settings: { READ_ONLY: 'true' } });

    const got = await toAnswer(await fetch(`${open.address}/graphql?query=${encodeURIComponent(mutation)}`));

    assert.equal(got.status, 405);
    assert.match(got.errors![0]!, /mutation/);
    assert.deepEqual(await readOnly.post(mutation), { status: 200, data: null, errors: ['Application is read-only'] });
    assert.deepEqual(await readOnly.ask('{__typename}'), TYPENAME);
  });

  test('reports the errors of a document with status 200', async () => {
    const { post } = await openServer();

    for (const [query, error] of [
      ['{noSuchField}', /noSuchField/],
      ['{projects(', /Syntax Error/],
      ['query($n: String!) { getProjectByName(name: $n) { id } }', /\$n/],
      ['{projects(sort: {col: size, dir: asc}) {edges {cursor}}}', /size/],
      ['subscription {x}', /subscription/i],
    ] as const) {
      const answer = await post(query);
      assert.equal(answer.status, 200);
      assert.equal(answer.data ?? null, null);
      assert.match(answer.errors![0]!, error);
    }
  });

  test('limits depth, aliases, fields, tokens and what fragments grow to', async () => {
    const { post, ask } = await openServer();
    const nested = (depth: number) =>
      `{getSpanByOtelId(spanId: "1") ${'{trace{rootSpan'.repeat(depth)} {id} ${'}}'.repeat(depth)}}`;
    const doubling = Array.from({ length: 20 }, (_, i) => `fragment F${i} on Query {...F${i + 1} ...F${i + 1}}`).join(
      ' ',
    );

    for (const [query, error] of [
      [nested(10), /maximum depth/],
      [`{${Array.from({ length: 51 }, (_, i) => `a${i}: projectCount`).join(' ')}}`, /too many aliases/],
      [`{${'projectCount '.repeat(501)}}`, /too many fields: 501 found, 500 allowed/],
      [`{projectCount(${'a:1 '.repeat(10_000)})}`, /tokens/],
      [`{...F0} ${doubling} fragment F20 on Query {projectCount}`, /too costly/],
      [`{${Array.from({ length: 3 }, (_, i) => `a${i}: __schema {types {name}}`).join(' ')}}`, /schema 2 times/],
      ['{...A} fragment A on Query {...B} fragment B on Query {...A}', /Cannot spread fragment/],
    ] as const) {
      assert.match((await post(query)).errors![0]!, error, query.slice(0, 60));
    }
    assert.deepEqual(await ask(nested(9)), { getSpanByOtelId: null });
    assert.equal(
      Object.keys(await ask(`{${Array.from({ length: 50 }, (_, i) => `a${i}: projectCount`).join(' ')}}`)).length,
      50,
    );
  });

  test('supports introspection', async () => {
    const { ask } = await openServer();

    const { __type } = await ask('{__type(name: "SpanKind") {kind enumValues {name}}}');

    assert.equal(__type.kind, 'ENUM');
    assert.ok(__type.enumValues.some(({ name }: { name: string }) => name === 'llm'));
  });

  test('skips and includes fields and fragments, each for itself', async () => {
    const { ask } = await openServer();
    const query = `query($yes: Boolean!, $no: Boolean!) {
      getProjectByName(name: "default") {
        ...F @include(if: $no) ... on Project @skip(if: $yes) {createdAt} name id @include(if: $yes) description @skip(if: $yes)
      }
    } fragment F on Project {name updatedAt}`;

    assert.deepEqual(await ask(query, { yes: true, no: false }), {
      getProjectByName: { name: 'default', id: 'UHJvamVjdDox' },
    });
  });

  test('hides the text of an internal error, returns its path, and logs it', async (t) => {
    const logged: object[] = [];
    const log: Log = { ...silentLog, child: () => log, error: (fields: object) => void logged.push(fields) };
    const { domain, post } = await openTestServer(t, { log });
    domain.projects.find = async () => {
      throw new TypeError('secret');
    };

    const { data, errors } = await post('{a: getProjectByName(name: "x") {id} projectCount}');

    assert.deepEqual(data, { a: null, projectCount: 1 });
    assert.deepEqual(errors, ['an unexpected error occurred']);
    assert.equal(logged.length, 1);
  });

  test('uses the defaults of input fields, and rejects null for them', async () => {
    const { post } = await openServer();
    const series = (timeBinConfig: object | null) =>
      post(
        `query($r:TimeRange!,$b:TimeBinConfig){getProjectByName(name:"default"){traceCountTimeSeries(timeRange:$r,timeBinConfig:$b){data{timestamp}}}}`,
        { r: { start: '2026-01-01T00:00:00Z', end: '2026-01-01T03:00:00Z' }, b: timeBinConfig },
      );
    const bins = async (config: object | null) =>
      (await series(config)).data.getProjectByName.traceCountTimeSeries.data.length;

    assert.deepEqual([await bins({}), await bins(null), await bins({ scale: 'MINUTE' })], [3, 3, 180]);
    assert.match((await series({ scale: null })).errors![0]!, /TimeBinScale!/);
    assert.match((await series({ scales: 'HOUR' })).errors![0]!, /scales/);
  });

  test('runs a document that it has seen with other variables', async () => {
    const { ask } = await openServer();
    const query = 'query($n: String!) { getProjectByName(name: $n) { name } }';

    for (const [n, found] of [
      ['default', { name: 'default' }],
      ['nobody', null],
      ['default', { name: 'default' }],
    ] as const) {
      assert.deepEqual(await ask(query, { n }), { getProjectByName: found });
    }
  });
});
