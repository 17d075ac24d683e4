import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findRowId } from '../../../src/domain/find-row-ids.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, shareTestServer, type TestServer } from '../test-server.ts';

const openServer = shareTestServer();

const TRACE = 'a'.repeat(32);
const SPAN = '000000000000000a';

async function openWithSpan(opening = openServer()): Promise<TestServer> {
  const server = await opening;
  await server.append({
    traceId: TRACE,
    spanId: SPAN,
    sessionId: 'chat',
    spanKind: 'RETRIEVER',
    attributes: { retrieval: { documents: [{ document: {} }, { document: {} }, { document: {} }] } },
  });
  spanGlobalId = toGlobalId('Span', await server.store.newestSpanRowId());
  sessionGlobalId = toGlobalId('ProjectSession', (await findRowId(server.store, 'sessions', { id: 'chat' }))!);
  return server;
}

/** IDs of the span and session of the current test. */
let spanGlobalId: string;
let sessionGlobalId: string;
const CREATE = `mutation($i:[CreateSpanAnnotationInput!]!){createSpanAnnotations(input:$i){spanAnnotations{
  id name label score explanation annotatorKind source identifier metadata spanId span{spanId}}}}`;
const row = (name: string, over: object = {}) => ({
  spanId: spanGlobalId,
  name,
  annotatorKind: 'HUMAN',
  metadata: {},
  source: 'APP',
  ...over,
});

const create = async (server: TestServer, ...rows: object[]) =>
  (await server.ask(CREATE, { i: rows })).createSpanAnnotations.spanAnnotations;
const onSpan = async (server: TestServer, fields: string) =>
  (await server.ask(`{node(id:"${spanGlobalId}"){...on Span{${fields}}}}`)).node;

describe('GraphQL annotations', () => {
  test('come back from their making, from their span, and as nodes', async () => {
    const server = await openWithSpan();
    const [made] = await create(server, row('quality', { label: 'good', score: 0.5, metadata: { a: [1] } }));

    assert.deepEqual(
      { ...made, id: null },
      {
        id: null,
        name: 'quality',
        label: 'good',
        score: 0.5,
        explanation: null,
        annotatorKind: 'HUMAN',
        source: 'APP',
        identifier: '',
        metadata: { a: [1] },
        spanId: spanGlobalId,
        span: { spanId: SPAN },
      },
    );
    assert.deepEqual(await onSpan(server, 'spanAnnotations{id}'), { spanAnnotations: [{ id: made.id }] });
    const { node } = await server.ask(`{node(id:"${made.id}"){__typename ...on SpanAnnotation{name score}}}`);
    assert.deepEqual(node, { __typename: 'SpanAnnotation', name: 'quality', score: 0.5 });
  });

  test('have no author where users do not sign in', async () => {
    const server = await openWithSpan();
    const [made] = await create(server, row('quality'));

    const asked = await server.ask(
      `{viewer{username role{name}} node(id:"${made.id}"){...on Annotation{user{username email authMethod}}}}`,
    );

    assert.deepEqual(asked, { viewer: null, node: { user: null } });
  });

  test('of another kind have no node under the same row id', async () => {
    const server = await openWithSpan();
    const [made] = await create(server, row('quality'));
    const rowId = Number(Buffer.from(made.id, 'base64').toString().split(':')[1]);

    const { errors } = await server.post(
      `{node(id:"${toGlobalId('TraceAnnotation', rowId)}"){...on TraceAnnotation{name}}}`,
    );

    assert.match(errors![0]!, /TraceAnnotation with ID .* not found/);
  });

  test('are sorted and filtered', async () => {
    const server = await openWithSpan();
    await create(server, row('b', { source: 'API' }), row('a'), row('c'));
    const names = async (args: string) =>
      (await onSpan(server, `spanAnnotations${args}{name}`)).spanAnnotations.map((one: { name: string }) => one.name);

    assert.deepEqual(await names(''), ['a', 'b', 'c']);
    assert.deepEqual(await names('(sort:{col:name,dir:desc})'), ['c', 'b', 'a']);
    assert.deepEqual(await names('(sort:{col:createdAt,dir:desc})'), ['c', 'a', 'b']);
    assert.deepEqual(await names('(filter:{include:{names:["a","b"]},exclude:{sources:[API]}})'), ['a']);
    assert.deepEqual(await names('(filter:{include:{userIds:[null]}})'), ['a', 'b', 'c']);
    for (const [filter, message] of [
      ['{}', 'include and exclude cannot both be unset'],
      ['{include:{names:[]}}', 'names must be a non-empty list'],
      ['{exclude:{sources:[]}}', 'sources must be a non-empty list'],
      ['{include:{userIds:[]}}', 'user ids must be a non-empty list'],
    ]) {
      const query = `{node(id:"${spanGlobalId}"){...on Span{spanAnnotations(filter:${filter}){id}}}}`;
      assert.deepEqual((await server.post(query)).errors, [message]);
    }
  });

  test('are summed up by name, over those with a score or a label', async () => {
    const server = await openWithSpan();
    await create(
      server,
      row('q', { identifier: '1', score: 1, label: 'x' }),
      row('q', { identifier: '2', score: 0 }),
      row('q', { identifier: '3', label: 'y' }),
      row('q', { identifier: '4', explanation: 'neither' }),
    );

    const { spanAnnotationSummaries } = await onSpan(
      server,
      'spanAnnotationSummaries{name count scoreCount labelCount meanScore labels labelFractions{label fraction}}',
    );

    assert.deepEqual(spanAnnotationSummaries, [
      {
        name: 'q',
        count: 3,
        scoreCount: 2,
        labelCount: 2,
        meanScore: 0.5,
        labels: ['x', 'y'],
        labelFractions: [
          { label: 'x', fraction: 0.5 },
          { label: 'y', fraction: 0.5 },
        ],
      },
    ]);
  });

  test('of documents tell how well these are ranked', async () => {
    const server = await openWithSpan();
    const mutation = `mutation($i:[CreateDocumentAnnotationInput!]!){
      createDocumentAnnotations(input:$i){documentAnnotations{documentPosition}}}`;
    const judged = (name: string, scores: number[]) =>
      scores.map((score, documentPosition) => row(name, { documentPosition, score }));
    await server.ask(mutation, { i: [...judged('all', [0, 1, 1]), ...judged('some', [0])] });

    const metrics = 'evaluationName ndcg p1:precision(k:1) p2:precision(k:2) reciprocalRank hit';
    const { documentRetrievalMetrics: found } = await onSpan(server, `documentRetrievalMetrics{${metrics}}`);

    const gain = (rank: number) => 1 / Math.log2(rank + 1);
    const ndcg = (gain(2) + gain(3)) / (gain(1) + gain(2));
    assert.deepEqual(found, [
      { evaluationName: 'all', ndcg, p1: 0, p2: 0.5, reciprocalRank: 0.5, hit: 1 },
      { evaluationName: 'some', ndcg: null, p1: 0, p2: null, reciprocalRank: null, hit: null },
    ]);
    const beyond = await server.post(mutation, { i: [row('all', { documentPosition: 3 })] });
    assert.match(beyond.errors![0]!, /Document position 3 is out of bounds/);
  });

  test('are written to the named span, and to no other span with the same span ID', async (t) => {
    const server = await openTestServer(t);
    const documents = { retrieval: { documents: [{ document: {} }, { document: {} }] } };
    for (const [traceId, attributes] of [
      ['a'.repeat(32), documents],
      ['b'.repeat(32), {}],
      ['no hex', documents],
    ] as const) {
      await server.append({ traceId, spanId: SPAN, spanKind: 'RETRIEVER', attributes });
    }
    const [older, newer, third] = [1, 2, 3].map((rowId) => toGlobalId('Span', rowId));
    const of = (spanId: string | undefined, over: object = {}) => row('quality', { spanId, ...over });
    const made = await create(
      server,
      of(older, { score: 1, source: 'API' }),
      of(newer, { score: 2 }),
      of(third, { score: 3 }),
    );
    await create(server, of(older, { score: 4 }));
    const note = 'mutation($n:CreateSpanNoteInput!){createSpanNote(annotationInput:$n){spanAnnotations{span{id}}}}';
    const noted = await server.ask(note, { n: { spanId: older, note: 'look' } });
    const onDocuments = `mutation($i:[CreateDocumentAnnotationInput!]!){
      createDocumentAnnotations(input:$i){documentAnnotations{documentPosition score}}}`;
    await server.ask(onDocuments, { i: [of(older, { documentPosition: 1, score: 5 })] });
    const beyond = await server.post(onDocuments, { i: [of(newer, { documentPosition: 0 })] });

    assert.deepEqual(
      made.map(({ spanId, score }: { spanId: string; score: number }) => [spanId, score]),
      [
        [older, 1],
        [newer, 2],
        [third, 3],
      ],
    );
    assert.deepEqual(noted.createSpanNote.spanAnnotations, [{ span: { id: older } }]);
    assert.match(beyond.errors![0]!, /Document position 0 is out of bounds/);
    const fields =
      '...on Span{spanAnnotations(filter:{include:{names:["quality"]}}){id score} spanNotes{name} documentEvaluations{score}}';
    const { nodes } = await server.ask(`query($i:[ID!]!){nodes(ids:$i){${fields}}}`, { i: [older, newer, third] });
    assert.deepEqual(nodes, [
      {
        spanAnnotations: [{ id: made[0].id, score: 4 }],
        spanNotes: [{ name: 'note' }],
        documentEvaluations: [{ score: 5 }],
      },
      { spanAnnotations: [{ id: made[1].id, score: 2 }], spanNotes: [], documentEvaluations: [] },
      { spanAnnotations: [{ id: made[2].id, score: 3 }], spanNotes: [], documentEvaluations: [] },
    ]);
  });

  test('keep their identity when they are changed, and take none that another has', async () => {
    const server = await openWithSpan();
    const [one, other] = await create(server, row('one', { label: 'L', score: 1 }), row('other'));
    const patch = (change: object) =>
      server.post(
        'mutation($i:[PatchAnnotationInput!]!){patchSpanAnnotations(input:$i){spanAnnotations{id name label score}}}',
        {
          i: [{ annotationId: one.id, ...change }],
        },
      );

    const { data } = await patch({ name: 'renamed', label: null });

    assert.deepEqual(data.patchSpanAnnotations.spanAnnotations, [
      { id: one.id, name: 'renamed', label: null, score: 1 },
    ]);
    assert.match((await patch({ name: 'other' })).errors![0]!, /already exists/);
    assert.match((await patch({ name: 'note' })).errors![0]!, /reserved/);
    assert.deepEqual(
      (await onSpan(server, 'spanAnnotations{id name}')).spanAnnotations.map(({ name }: { name: string }) => name),
      ['other', 'renamed'],
    );
    assert.ok(other.id !== one.id);
  });

  test('are deleted all or none, and shown as they were', async () => {
    const server = await openWithSpan();
    const [one] = await create(server, row('one', { score: 1 }), row('other'));
    const remove = (...annotationIds: string[]) =>
      server.post(
        'mutation($i:DeleteAnnotationsInput!){deleteSpanAnnotations(input:$i){spanAnnotations{name score}}}',
        {
          i: { annotationIds },
        },
      );

    assert.match((await remove(one.id, toGlobalId('SpanAnnotation', 99))).errors![0]!, /Could not find/);
    assert.equal((await onSpan(server, 'spanAnnotations{id}')).spanAnnotations.length, 2);
    const { data } = await remove(one.id);
    assert.deepEqual(data.deleteSpanAnnotations.spanAnnotations, [{ name: 'one', score: 1 }]);
    assert.equal((await onSpan(server, 'spanAnnotations{id}')).spanAnnotations.length, 1);
  });

  test('of sessions are made once', async () => {
    const server = await openWithSpan();
    const create = (over: object = {}) =>
      server.post(
        `mutation($i:CreateProjectSessionAnnotationInput!){
          createProjectSessionAnnotations(input:$i){projectSessionAnnotation{annotatorKind source name}}}`,
        { i: { projectSessionId: sessionGlobalId, name: 'kind', metadata: {}, ...over } },
      );

    const { data } = await create({ score: 1 });

    assert.deepEqual(data.createProjectSessionAnnotations.projectSessionAnnotation, {
      annotatorKind: 'HUMAN',
      source: 'APP',
      name: 'kind',
    });
    assert.match((await create({ score: 1 })).errors![0]!, /already exists/);
    assert.deepEqual((await create({ name: 'empty' })).errors, [
      'At least one of score, label, or explanation must be not null/empty.',
    ]);
  });

  test('of a project have names', async () => {
    const server = await openWithSpan();
    await create(server, row('b'), row('a'));
    const note = 'mutation($n:CreateSpanNoteInput!){createSpanNote(annotationInput:$n){spanAnnotations{explanation}}}';
    await server.ask(note, { n: { spanId: spanGlobalId, note: 'look' } });

    const { node } = await server.ask(
      '{node(id:"UHJvamVjdDox"){...on Project{spanAnnotationNames traceAnnotationsNames documentEvaluationNames}}}',
    );

    assert.deepEqual(node, {
      spanAnnotationNames: ['a', 'b', 'note'],
      traceAnnotationsNames: [],
      documentEvaluationNames: [],
    });
    assert.deepEqual(await onSpan(server, 'spanNotes{name explanation}'), {
      spanNotes: [{ name: 'note', explanation: 'look' }],
    });
  });

  test('nothing is made or changed while storage is locked, and deletions go on', async (t) => {
    const lock = { text: undefined as string | undefined };
    const server = await openWithSpan(openTestServer(t, { storageLock: () => lock.text }));
    const [made] = await create(server, row('quality', { score: 1 }));
    lock.text = 'full';

    const session = `{projectSessionId:"${toGlobalId('ProjectSession', 1)}",name:"a",score:1,metadata:{}}`;
    const fields = '{name:"a",annotatorKind:CODE,source:API,metadata:{}';
    for (const mutation of [
      `createSpanAnnotations(input:[]){query{projectCount}}`,
      `createTraceAnnotations(input:[]){query{projectCount}}`,
      `createDocumentAnnotations(input:[]){query{projectCount}}`,
      `patchSpanAnnotations(input:[{annotationId:"${made.id}",score:2}]){query{projectCount}}`,
      `createSpanNote(annotationInput:{spanId:"${spanGlobalId}",note:"n"}){query{projectCount}}`,
      `createProjectSessionAnnotations(input:${session}){query{projectCount}}`,
      `updateProjectSessionAnnotations(input:${fields},id:"${toGlobalId('ProjectSessionAnnotation', 1)}"}){query{projectCount}}`,
    ]) {
      assert.deepEqual((await server.post(`mutation{${mutation}}`)).errors, ['full'], mutation);
    }
    const { errors } = await server.post(
      `mutation{deleteSpanAnnotations(input:{annotationIds:["${made.id}"]}){query{projectCount}}}`,
    );
    assert.equal(errors, undefined);
  });
});
