import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { formatText } from '../../src/filter/syntax/format-filter.ts';
import { toGlobalId } from '../../src/api/contract/global-id.ts';
import { eventually, getJson, type RestPage, type RestSpan, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

/** What ends a literal, a name or a statement in SQL, JSON paths, patterns, JavaScript and file names. */
const ATTEMPTS = [
  "'; DROP TABLE store.spans; --",
  "' OR 1=1 --",
  "') UNION ALL SELECT * FROM store.spans --",
  "x' || (SELECT count(*) FROM store.spans) || '",
  "'; COPY store.spans TO '/tmp/injected.csv'; --",
  "'; ATTACH 'injected.db'; --",
  '"; DELETE FROM projects; --',
  '$1',
  '$$; SELECT 1; $$',
  '$.a"]',
  'a\'].b["c',
  '%_\\',
  '/* */ -- #',
  '\x24{process.exit(1)}',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '.*(a+)+$',
];

const PROJECT = 'attacked';
const spanId = (index: number) => (index + 1).toString(16).padStart(16, '0');
const traceId = (index: number) => (index + 1).toString(16).padStart(32, '0');

describe('an attempted injection', () => {
  let server: ServerProcess;
  let dataDir: string;

  const send = async (method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> => {
    const json = body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const response = await fetch(server.url + path, { method, ...json });
    return { status: response.status, text: await response.text() };
  };
  const ask = async (query: string, variables: object) => {
    const { status, text } = await send('POST', '/graphql', { query, variables });
    assert.equal(status, 200, text);
    return JSON.parse(text) as { data: Record<string, never>; errors?: { message: string }[] };
  };
  const search = (query: Record<string, string>) => new URLSearchParams(query).toString();
  const spansWhere = async (query: Record<string, string>) => {
    const url = `${server.url}/v1/projects/${PROJECT}/spans?${search(query)}`;
    return (await getJson<RestPage<RestSpan>>(url)).data.map(({ context }) => context.span_id);
  };

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
    const data = ATTEMPTS.map((attempt, index) => ({
      name: attempt,
      context: { trace_id: traceId(index), span_id: spanId(index) },
      span_kind: 'LLM',
      start_time: '2026-01-01T00:00:00Z',
      end_time: '2026-01-01T00:00:01Z',
      status_code: 'OK',
      status_message: attempt,
      attributes: {
        'session.id': attempt,
        'user.id': attempt,
        metadata: { [attempt]: index },
        own: { [attempt]: index },
        'input.value': attempt,
      },
    }));
    const created = await send('POST', `/v1/projects/${PROJECT}/spans`, { data });
    assert.equal(created.status, 202, created.text);
    await spansOnceThere(server.url, PROJECT, ATTEMPTS.length);
    for (const target of ['span', 'trace', 'session']) {
      const ids = { span: spanId, trace: traceId, session: (index: number) => ATTEMPTS[index]! };
      const annotations = ATTEMPTS.map((attempt, index) => ({
        [`${target}_id`]: ids[target as keyof typeof ids](index),
        name: attempt,
        identifier: attempt,
        annotator_kind: 'CODE',
        result: { label: attempt, score: index },
      }));
      const made = await send('POST', `/v1/${target}_annotations?sync=true`, { data: annotations });
      assert.equal(made.status, 200, made.text);
    }
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  for (const [index, attempt] of ATTEMPTS.entries()) {
    const own = [spanId(index)];
    const text = formatText(attempt);

    test(`is a value in REST: ${attempt}`, async () => {
      assert.deepEqual(await spansWhere({ name: attempt }), own);
      // A key is up to the first colon, and its dots part it.
      if (!/[.:]/.test(attempt)) assert.deepEqual(await spansWhere({ attribute: `own.${attempt}:${index}` }), own);
      assert.deepEqual(await spansWhere({ attribute: `session.id:${JSON.stringify(attempt)}` }), own);
      for (const parameter of ['trace_id', 'span_id', 'parent_id']) {
        assert.deepEqual(await spansWhere({ [parameter]: attempt }), []);
      }
      const annotations = await send(
        'GET',
        `/v1/projects/${PROJECT}/span_annotations?${search({ identifier: attempt, include_annotation_names: attempt })}`,
      );
      assert.deepEqual(
        (JSON.parse(annotations.text) as { data: { span_id: string }[] }).data.map((one) => one.span_id),
        own,
      );
      const session = await send('GET', `/v1/sessions/${encodeURIComponent(attempt)}`);
      assert.ok(session.status === 200 || attempt.includes('/'), session.text);
    });

    test(`is a value in filters, sorts and names of GraphQL: ${attempt}`, async () => {
      const listed = async (filter: string) => {
        const { data, errors } = await ask(
          `query($f:String!,$p:String!){getProjectByName(name:$p){spans(first:50,filterCondition:$f){edges{node{spanId}}}}}`,
          { f: filter, p: PROJECT },
        );
        assert.equal(errors, undefined, `${filter}: ${errors?.[0]?.message}`);
        const { edges } = (data as unknown as SpansAnswer).getProjectByName.spans;
        return edges.map(({ node }) => node.spanId);
      };
      for (const filter of [
        `name == ${text}`,
        `status_message in [${text}]`,
        `user.id == ${text}`,
        // Dots part keys when spans come in.
        ...(attempt.includes('.') ? [] : [`metadata[${text}] == ${index}`, `attributes['own'][${text}] == ${index}`]),
        `annotations[${text}].score == ${index}`,
        `trace_annotations[${text}].label == ${text}`,
      ]) {
        assert.deepEqual(await listed(filter), own, filter);
      }
      const { data, errors } = await ask(
        `query($n:String!,$p:String!,$s:String!){getProjectByName(name:$p){
          sorted:spans(first:50,sort:{evalResultKey:{name:$n,attr:label},dir:asc}){edges{node{spanId}}}
          spanAnnotationSummary(annotationName:$n){count}
          sessions(first:9,sessionFilterCondition:$s,sort:{annoResultKey:{name:$n,attr:score},dir:asc}){edges{node{sessionId}}}}
          getProjectSessionById(sessionId:$n){sessionId}
          getSpanByOtelId(spanId:$n){id} getTraceByOtelId(traceId:$n){id} none:getProjectByName(name:$n){id}}`,
        { n: attempt, p: PROJECT, s: `session_annotations[${text}].label == ${text} and ${text} in any_input` },
      );
      assert.equal(errors, undefined, errors?.[0]?.message);
      assert.deepEqual(data, {
        getProjectByName: {
          sorted: { edges: [{ node: { spanId: own[0] } }] },
          spanAnnotationSummary: { count: 1 },
          sessions: { edges: [{ node: { sessionId: attempt } }] },
        },
        getProjectSessionById: { sessionId: attempt },
        getSpanByOtelId: null,
        getTraceByOtelId: null,
        none: null,
      });
    });

    test(`is a value or an error in tables of spans: ${attempt}`, async () => {
      for (const query of [
        { select: { [attempt]: { key: `metadata[${text}]` } }, filter: { condition: `name == ${text}` } },
        { select: { x: { key: attempt } } },
        { explode: { key: attempt, kwargs: { [attempt]: attempt }, primary_index_key: attempt } },
        { concat: { key: attempt, kwargs: { [attempt]: attempt }, separator: attempt } },
        { rename: { name: attempt }, index: { key: attempt } },
        { filter: { condition: attempt } },
      ]) {
        const { status, text: answer } = await send('POST', `/v1/spans?project_name=${PROJECT}`, { queries: [query] });
        assert.ok(status === 200 || status === 422, `${JSON.stringify(query)}: ${status} ${answer}`);
      }
    });

    test(`is an error instead of syntax, an order, an ID or a cursor: ${attempt}`, async () => {
      const project = toGlobalId('Project', 2);
      for (const path of [
        `/v1/projects/${PROJECT}/spans?${search({ cursor: attempt })}`,
        `/v1/projects/${PROJECT}/spans?${search({ limit: attempt })}`,
        `/v1/projects/${PROJECT}/spans?${search({ start_time: attempt })}`,
        `/v1/projects/${PROJECT}/spans?${search({ status_code: attempt })}`,
        `/v1/projects/${PROJECT}/spans?${search({ span_kind: attempt })}`,
        `/v1/projects/${PROJECT}/traces?${search({ sort: attempt })}`,
        `/v1/projects/${PROJECT}/traces?${search({ order: attempt })}`,
        `/v1/projects/${PROJECT}/sessions?${search({ cursor: attempt })}`,
        `/v1/projects/${PROJECT}/spans/export?${search({ format: attempt })}`,
        `/v1/projects/${PROJECT}/span_annotations?${search({ span_ids: spanId(0), cursor: attempt })}`,
        `/v1/projects/${encodeURIComponent(attempt)}/spans`,
        `/v1/projects/${Buffer.from(`Project:${attempt}`).toString('base64url')}/spans`,
      ]) {
        const { status, text: answer } = await send('GET', path);
        assert.ok(status === 404 || status === 422, `${path}: ${status} ${answer}`);
      }
      for (const [query, variables] of [
        ['query($v:ID!){node(id:$v){id}}', { v: Buffer.from(`Span:${attempt}`).toString('base64') }],
        [
          'query($p:ID!,$v:String!){node(id:$p){...on Project{spans(first:1,after:$v){edges{cursor}}}}}',
          { p: project },
        ],
        [
          'query($p:ID!,$v:String!){node(id:$p){...on Project{sessions(first:1,after:$v){edges{cursor}}}}}',
          { p: project },
        ],
        [
          'query($p:ID!,$v:String!){node(id:$p){...on Project{spans(first:1,sort:{col:startTime,dir:asc},after:$v){edges{cursor}}}}}',
          { p: project, v: Buffer.from(`1:DATETIME:${attempt}`).toString('base64') },
        ],
        ['query($v:SpanColumn!){getProjectByName(name:"x"){spans(first:1,sort:{col:$v,dir:asc}){edges{cursor}}}}', {}],
        ['query($v:DateTime!){getProjectByName(name:"x"){recordCount(timeRange:{start:$v})}}', {}],
      ] as const) {
        const { errors } = await ask(query, { v: attempt, ...variables });
        assert.ok(errors?.length, query);
        assert.ok(!errors.some(({ message }) => message === 'an unexpected error occurred'), `${query}: ${attempt}`);
      }
      // Some of them are filters that find nothing; none is a mistake of ours.
      const { data, errors } = await ask(
        'query($c:String!,$p:String!){getProjectByName(name:$p){validateSpanFilterCondition(condition:$c){isValid} recordCount(filterCondition:$c)}}',
        { c: attempt, p: PROJECT },
      );
      const refused = errors?.every(({ message }) => message !== 'an unexpected error occurred');
      assert.ok(refused ?? data, JSON.stringify(errors));
    });

    test(`deletes only the object that it names: ${attempt}`, async () => {
      const named = search({ name: attempt, identifier: attempt, delete_all: 'true' });
      const { status } = await send('DELETE', `/v1/projects/${PROJECT}/span_annotations?${named}`);
      assert.equal(status, 204);
      const { data } = (await ask(
        'query($p:String!){getProjectByName(name:$p){recordCount traceCount spanAnnotationNameCounts{count}}}',
        { p: PROJECT },
      )) as unknown as { data: { getProjectByName: { spanAnnotationNameCounts: object[] } } };
      assert.deepEqual(data.getProjectByName, {
        recordCount: ATTEMPTS.length,
        traceCount: ATTEMPTS.length,
        spanAnnotationNameCounts: Array.from({ length: ATTEMPTS.length - index - 1 }, () => ({ count: 1 })),
      });
    });
  }

  test('is an ordinary project name, and only that project is deleted', async () => {
    for (const attempt of ATTEMPTS) {
      const created = await send('POST', '/v1/projects', { name: attempt, description: attempt });
      assert.equal(created.status, 200, created.text);
      const { id } = (JSON.parse(created.text) as { data: { id: string } }).data;
      const listed = await send('GET', `/v1/projects?${search({ name_contains: attempt })}`);
      assert.ok(listed.text.includes(id), attempt);
      assert.equal((await send('DELETE', `/v1/projects/${id}`)).status, 204);
    }
    await eventually(async () => {
      const { data } = await getJson<RestPage<{ name: string }>>(`${server.url}/v1/projects`);
      assert.deepEqual(data.map(({ name }) => name).sort(), [PROJECT, 'default']);
    });
  });
});

interface SpansAnswer {
  readonly getProjectByName: { readonly spans: { readonly edges: { readonly node: { readonly spanId: string } }[] } };
}
