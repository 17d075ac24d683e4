import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SpandrelError } from '../../../src/model/errors.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import type { TestSpan } from '../../fixtures/span-columns.ts';
import { openTestServer, shareTestServer } from '../test-server.ts';

const openServer = shareTestServer();

const TRACE_A = 'a0000000000000000000000000000001';
const TRACE_B = 'b0000000000000000000000000000002';
const SPAN_1 = '0000000000000001';
const SPAN_2 = '0000000000000002';
const SPAN_3 = '0000000000000003';
const SPAN_4 = '0000000000000004';
const T0 = BigInt(Date.parse('2026-03-02T08:00:00Z')) * 1_000_000n;
const MS = 1_000_000n;
const LONG = 'long text '.repeat(100);

const SPANS: TestSpan[] = [
  {
    traceId: TRACE_A,
    spanId: SPAN_1,
    project: 'app',
    name: 'root',
    spanKind: 'CHAIN',
    start: T0,
    end: T0 + 100n * MS,
    sessionId: 'chat',
    userId: 'ada',
    input: 'hello',
    output: LONG,
    outputMimeType: 'application/json',
    metadata: { tier: 1 },
  },
  {
    traceId: TRACE_A,
    spanId: SPAN_2,
    parentSpanId: SPAN_1,
    project: 'app',
    name: 'llm',
    spanKind: 'LLM',
    start: T0 + 10n * MS,
    end: T0 + 60n * MS,
    tokens: [7, 5],
    attributes:
      '{"big":12345678901234567890,"llm":{"token_count":{"prompt_details":{"cache_read":3}}},' +
      '"embedding":{"embeddings":[{"embedding":{"vector":[1,2,3]}}]},"retrieval":{"documents":[{},{}]}}',
    longAttributes: { doc: LONG },
  },
  {
    traceId: TRACE_A,
    spanId: SPAN_3,
    parentSpanId: SPAN_2,
    project: 'app',
    name: 'tool',
    spanKind: 'TOOL',
    statusCode: 'ERROR',
    statusMessage: 'broke',
    start: T0 + 20n * MS,
    end: T0 + 30n * MS,
    events: [
      {
        name: 'exception',
        time_unix_nano: String(T0 + 25n * MS),
        attributes: { 'exception.type': 'Oops', 'exception.message': 'it broke' },
      },
    ],
  },
  { traceId: TRACE_B, spanId: SPAN_4, project: 'other', start: T0, end: T0 + MS },
];

const gid = (type: string, rowId: number) => Buffer.from(`${type}:${rowId}`).toString('base64');

const COUNTS = '{projects {edges {node {name recordCount traceCount}}}}';

describe('GraphQL of tracing', () => {
  test('shows a span with all of its fields', async () => {
    const { ask, append } = await openServer();
    await append(...SPANS);

    const { root, llm, tool } = await ask(
      `{root: getSpanByOtelId(spanId: "${SPAN_1}") {...F} llm: getSpanByOtelId(spanId: "${SPAN_2}") {...F}
        tool: getSpanByOtelId(spanId: "${SPAN_3}") {...F}}
       fragment F on Span {
        id name statusCode statusMessage startTime endTime latencyMs parentId spanKind spanId context {traceId spanId}
        trace {id} project {name} attributes metadata userId numDocuments tokenCountTotal tokenCountPrompt
        tokenCountCompletion tokenPromptDetails {cacheRead cacheWrite audio} input {mimeType truncatedValue value}
        output {mimeType truncatedValue value} events {name message timestamp attributes} cumulativeTokenCountTotal
        cumulativeTokenCountPrompt cumulativeTokenCountCompletion propagatedStatusCode numChildSpans
        descendants {edges {cursor node {name}}}
      }`,
    );

    const { attributes, ...rootRest } = root;
    assert.deepEqual(JSON.parse(attributes).metadata, { tier: 1 });
    assert.deepEqual(rootRest, {
      id: gid('Span', 1),
      name: 'root',
      statusCode: 'UNSET',
      statusMessage: '',
      startTime: '2026-03-02T08:00:00+00:00',
      endTime: '2026-03-02T08:00:00.100000+00:00',
      latencyMs: 100,
      parentId: null,
      spanKind: 'chain',
      spanId: SPAN_1,
      context: { traceId: TRACE_A, spanId: SPAN_1 },
      trace: { id: gid('Trace', 1) },
      project: { name: 'app' },
      metadata: '{"tier":1}',
      userId: 'ada',
      numDocuments: null,
      tokenCountTotal: null,
      tokenCountPrompt: null,
      tokenCountCompletion: null,
      tokenPromptDetails: { cacheRead: null, cacheWrite: null, audio: null },
      input: { mimeType: 'text', truncatedValue: 'hello', value: 'hello' },
      output: { mimeType: 'json', truncatedValue: `${LONG.slice(0, 100)}…`, value: LONG },
      events: [],
      cumulativeTokenCountTotal: 12,
      cumulativeTokenCountPrompt: 7,
      cumulativeTokenCountCompletion: 5,
      propagatedStatusCode: 'ERROR',
      numChildSpans: 1,
      descendants: {
        edges: [
          { cursor: Buffer.from('connection:0').toString('base64'), node: { name: 'llm' } },
          { cursor: Buffer.from('connection:1').toString('base64'), node: { name: 'tool' } },
        ],
      },
    });
    assert.ok(llm.attributes.includes('12345678901234567890'), 'numbers come out as they came in');
    assert.ok(llm.attributes.includes('"<3 dimensional vector>"'));
    assert.equal(JSON.parse(llm.attributes).doc, LONG);
    assert.deepEqual([llm.numDocuments, llm.tokenCountTotal, llm.tokenPromptDetails.cacheRead], [2, 12, 3]);
    assert.deepEqual([llm.parentId, llm.input, llm.propagatedStatusCode], [SPAN_1, null, 'ERROR']);
    assert.deepEqual(tool.events, [
      {
        name: 'exception',
        message: 'it broke',
        timestamp: '2026-03-02T08:00:00.025000+00:00',
        attributes: { 'exception.type': 'Oops', 'exception.message': 'it broke' },
      },
    ]);
  });

  test('shows traces and sessions with what belongs to them', async (t) => {
    const { ask, append } = await openTestServer(t);
    await append(...SPANS);

    const { trace, session } = await ask(
      `{trace: getTraceByOtelId(traceId: "${TRACE_A}") {
        id traceId projectId project {name} projectSessionId session {sessionId} startTime endTime latencyMs numSpans
        errorCount rootSpan {name} userId spanCountsByKind {spanKind count} errorsByType {exceptionType count}
        spans(first: 2) {pageInfo {hasNextPage endCursor} edges {cursor node {name}}}
        roots: spans(first: 9, rootSpansOnly: true) {edges {node {name}}}
      }
      session: getProjectSessionById(sessionId: "chat") {
        id sessionId project {name} startTime endTime numTraces numTracesWithError firstInput {value} lastOutput {value}
        userId tokenUsage {prompt completion total} traces(first: 1) {pageInfo {hasNextPage} edges {node {traceId}}}
        traceLatencyMsQuantile(probability: 0.5)
      }}`,
    );

    assert.deepEqual(trace, {
      id: gid('Trace', 1),
      traceId: TRACE_A,
      projectId: gid('Project', 2),
      project: { name: 'app' },
      projectSessionId: gid('ProjectSession', 1),
      session: { sessionId: 'chat' },
      startTime: '2026-03-02T08:00:00+00:00',
      endTime: '2026-03-02T08:00:00.100000+00:00',
      latencyMs: 100,
      numSpans: 3,
      errorCount: 1,
      rootSpan: { name: 'root' },
      userId: 'ada',
      spanCountsByKind: [
        { spanKind: 'chain', count: 1 },
        { spanKind: 'llm', count: 1 },
        { spanKind: 'tool', count: 1 },
      ],
      errorsByType: [{ exceptionType: 'Oops', count: 1 }],
      spans: {
        pageInfo: { hasNextPage: true, endCursor: trace.spans.edges[1].cursor },
        edges: [
          { cursor: trace.spans.edges[0].cursor, node: { name: 'tool' } },
          { cursor: trace.spans.edges[1].cursor, node: { name: 'llm' } },
        ],
      },
      roots: { edges: [{ node: { name: 'root' } }] },
    });
    assert.deepEqual(session, {
      id: gid('ProjectSession', 1),
      sessionId: 'chat',
      project: { name: 'app' },
      startTime: '2026-03-02T08:00:00+00:00',
      endTime: '2026-03-02T08:00:00.100000+00:00',
      numTraces: 1,
      numTracesWithError: 1,
      firstInput: { value: 'hello' },
      lastOutput: { value: LONG },
      userId: 'ada',
      tokenUsage: { prompt: 7, completion: 5, total: 12 },
      traces: { pageInfo: { hasNextPage: false }, edges: [{ node: { traceId: TRACE_A } }] },
      traceLatencyMsQuantile: 100,
    });
  });

  test('shows the figures of a project, whole and in a range', async (t) => {
    const { ask, append } = await openTestServer(t);
    await append(...SPANS);

    const { p, empty } = await ask(
      `query($r: TimeRange) {
        p: getProjectByName(name: "app") {
          id name description hasTraces startTime endTime recordCount traceCount tokenCountTotal tokenCountPrompt
          tokenCountCompletion half: latencyMsQuantile(probability: 0.5) span: spanLatencyMsQuantile(probability: 1)
          sessionCount averageSessionDurationMs averageTracesPerSession sessionDurationMsQuantile(probability: 1)
          ranged: recordCount(timeRange: $r) later: traceCount(timeRange: {start: "2026-03-02T08:00:00.000001Z"})
          none: latencyMsQuantile(probability: 0.5, timeRange: {end: "2020-01-01T00:00:00Z"})
          byHex: trace(traceId: "${TRACE_A}") {numSpans} byId: trace(traceId: "${gid('Trace', 1)}") {numSpans}
          elsewhere: trace(traceId: "${TRACE_B}") {numSpans}
        }
        empty: getProjectByName(name: "default") {hasTraces startTime recordCount traceCount tokenCountTotal sessionCount}
      }`,
      { r: { start: '2026-03-02T09:00:00.010+01:00', end: '2026-03-02T08:00:00.020Z' } },
    );

    assert.deepEqual(p, {
      id: gid('Project', 2),
      name: 'app',
      description: null,
      hasTraces: true,
      startTime: '2026-03-02T08:00:00+00:00',
      endTime: '2026-03-02T08:00:00.100001+00:00',
      recordCount: 3,
      traceCount: 1,
      tokenCountTotal: 12,
      tokenCountPrompt: 7,
      tokenCountCompletion: 5,
      half: 100,
      span: 100,
      sessionCount: 1,
      averageSessionDurationMs: 100,
      averageTracesPerSession: 1,
      sessionDurationMsQuantile: 100,
      ranged: 1,
      later: 0,
      none: null,
      byHex: { numSpans: 3 },
      byId: { numSpans: 3 },
      elsewhere: null,
    });
    assert.deepEqual(empty, {
      hasTraces: false,
      startTime: null,
      recordCount: 0,
      traceCount: 0,
      tokenCountTotal: 0,
      sessionCount: 0,
    });
  });

  test('fills the bins of a series that hold nothing', async () => {
    const { ask, append, post } = await openServer();
    await append(...SPANS);
    const series = (args: string) => `{getProjectByName(name: "app") {
      spans: spanCountTimeSeries(${args}) {data {timestamp okCount errorCount unsetCount totalCount}}
      states: traceCountByStatusTimeSeries(${args}) {data {okCount errorCount totalCount}}
      latency: traceLatencyMsPercentileTimeSeries(${args}) {data {p50 p999 max}}
      tokens: traceTokenCountTimeSeries(${args}) {data {promptTokenCount totalTokenCount}}
      traces: traceCountTimeSeries(${args}) {__typename data {timestamp value}}}}`;

    const found = (await ask(series('timeRange: {start: "2026-03-02T07:30:00Z", end: "2026-03-02T09:00:00Z"}')))
      .getProjectByName;

    const empty = { okCount: null, errorCount: null, unsetCount: null, totalCount: null };
    assert.deepEqual(found.spans.data, [
      { timestamp: '2026-03-02T07:00:00+00:00', ...empty },
      { timestamp: '2026-03-02T08:00:00+00:00', okCount: 0, errorCount: 1, unsetCount: 2, totalCount: 3 },
    ]);
    assert.deepEqual(found.states.data, [
      { okCount: 0, errorCount: 0, totalCount: 0 },
      { okCount: 0, errorCount: 1, totalCount: 1 },
    ]);
    assert.deepEqual(found.latency.data, [
      { p50: null, p999: null, max: null },
      { p50: 100, p999: 100, max: 100 },
    ]);
    assert.deepEqual(found.tokens.data[1], { promptTokenCount: 7, totalTokenCount: 12 });
    assert.equal(found.traces.data[1].value, 1);

    assert.match((await post(series('timeRange: {}'))).errors![0]!, /^Start time is required$/);
    const minutes = 'timeRange: {start: "1990-01-01T00:00:00Z"}, timeBinConfig: {scale: MINUTE}';
    assert.match((await post(series(minutes))).errors![0]!, /bins/);
  });

  test('pages through spans and sessions by cursor, and says what it does not take', async (t) => {
    const { ask, append, post } = await openTestServer(t);
    await append(...SPANS);
    const spans = (args: string) =>
      `{getProjectByName(name: "app") {spans(${args}) {pageInfo {hasNextPage hasPreviousPage startCursor endCursor}
        edges {cursor node {name}}}}}`;
    const sessions = await ask('{getProjectByName(name: "app") {sessions {edges {node {sessionId}}}}}');
    assert.deepEqual(sessions.getProjectByName.sessions.edges, [{ node: { sessionId: 'chat' } }]);
    assert.deepEqual((await post('{getProjectByName(name: "app") {sessions(first: null) {edges {cursor}}}}')).errors, [
      '`first` is required',
    ]);
    const names: string[] = [];
    let after = '';
    for (let page = 0; page < 3; page++) {
      const found = (await ask(spans(`first: 1, sort: {col: latencyMs, dir: asc}${after}`))).getProjectByName.spans;
      names.push(found.edges[0].node.name);
      assert.equal(found.pageInfo.hasNextPage, page < 2);
      after = `, after: "${found.pageInfo.endCursor}"`;
    }
    assert.deepEqual(names, ['tool', 'llm', 'root']);
    const [edge] = (await ask(spans('first: 1, rootSpansOnly: true, sort: {col: startTime, dir: desc}')))
      .getProjectByName.spans.edges;
    assert.match(
      Buffer.from(edge.cursor, 'base64').toString(),
      /^1:DATETIME:2026-03-02T08:00:00\.000000000\+00:00#[\w-]{8}$/,
    );
    // A cursor is good in the list that it came from, whatever the page, and in no other.
    const again = `first: 9, rootSpansOnly: true, sort: {col: startTime, dir: desc}, after: "${edge.cursor}"`;
    assert.deepEqual((await ask(spans(again))).getProjectByName.spans.edges, []);
    for (const other of [
      again.replace('desc', 'asc'),
      again.replace('startTime', 'endTime'),
      again.replace('true', 'false'),
      `${again}, filterCondition: "latency_ms > 0"`,
      `${again}, traceFilterCondition: "num_spans > 0"`,
      `first: 9, after: "${edge.cursor}"`,
    ]) {
      assert.deepEqual((await post(spans(other))).errors, [`Invalid cursor: ${edge.cursor}`], other);
    }

    for (const [args, error] of [
      ['first: 1001', '`first` must be less than or equal to 1000'],
      ['first: 0', '`first` must be a positive integer'],
      ['first: 5, last: 5', 'Backward pagination with `last` is not supported'],
      ['first: 5, before: "MQ=="', 'Backward pagination with `before` is not supported'],
      ['first: 5, after: "not a cursor"', 'Invalid cursor: not a cursor'],
      ['first: 5, after: "MQ==", sort: {col: latencyMs, dir: asc}', 'Invalid cursor: MQ=='],
      ['first: 5, sort: {dir: asc}', 'Exactly one of `col` or `evalResultKey` must be specified on `SpanSort`.'],
    ] as const) {
      assert.deepEqual((await post(spans(args))).errors, [error]);
    }
  });

  test('finds nodes by global ID, and says what is wrong with one', async () => {
    const { ask, append, post } = await openServer();
    await append(...SPANS);

    for (const [id, type] of [
      [gid('Project', 2), 'Project'],
      [gid('Trace', 1), 'Trace'],
      [gid('Span', 1), 'Span'],
      [gid('ProjectSession', 1), 'ProjectSession'],
    ] as const) {
      assert.deepEqual(await ask('query($id: ID!) {node(id: $id) {__typename id}}', { id }), {
        node: { __typename: type, id },
      });
    }
    for (const [id, error] of [
      ['???', /Unknown node: \?\?\?/],
      [gid('Banana', 1), /Unknown node type: Banana/],
      [Buffer.from('Project:abc').toString('base64'), /must be an integer, but got: abc/],
      [gid('Project', 99), /Project with ID .* not found/],
      [gid('Span', 99), /Span with ID .* not found/],
    ] as const) {
      const { errors } = await post('query($id: ID!) {node(id: $id) {... on Project {name} ... on Span {spanId}}}', {
        id,
      });
      assert.match(errors![0]!, error);
    }
    assert.deepEqual(
      await ask(
        '{a: getSpanByOtelId(spanId: "x") {id} b: getTraceByOtelId(traceId: "x") {id} c: getProjectSessionById(sessionId: "x") {id}}',
      ),
      { a: null, b: null, c: null },
    );
  });

  test('lists projects sorted, filtered, forwards and backwards', async () => {
    const { ask, append, post } = await openServer();
    await append(...SPANS, { ...SPANS[3]!, traceId: 'c'.repeat(32), project: 'app', start: T0 + 5n * MS });
    const list = async (args: string) => {
      const { projects } = await ask(
        `{projects(${args}) {pageInfo {hasNextPage hasPreviousPage} edges {cursor node {name}}}}`,
      );
      return { ...projects.pageInfo, names: projects.edges.map((edge: { node: { name: string } }) => edge.node.name) };
    };

    assert.deepEqual((await list('first: 9')).names, ['default', 'app', 'other']);
    assert.deepEqual((await list('sort: {col: name, dir: desc}')).names, ['other', 'default', 'app']);
    assert.deepEqual((await list('sort: {col: endTime, dir: desc}')).names, ['app', 'other', 'default']);
    assert.deepEqual((await list('sort: {col: endTime, dir: asc}')).names, ['other', 'app', 'default']);
    assert.deepEqual((await list('filter: {col: name, value: "THER"}')).names, ['other']);
    const after = Buffer.from('connection:0').toString('base64');
    assert.deepEqual(await list(`first: 1, after: "${after}"`), {
      hasNextPage: true,
      hasPreviousPage: false,
      names: ['app'],
    });
    assert.deepEqual(await list('first: null, last: 1'), {
      hasNextPage: false,
      hasPreviousPage: true,
      names: ['other'],
    });
    assert.deepEqual((await post('{projects(first: -1) {edges {cursor}}}')).errors, [
      'Argument "first" must be a non-negative int',
    ]);
    assert.deepEqual(await ask('{projectCount}'), { projectCount: 3 });
  });

  test('moves traces to another project, all or none', async (t) => {
    const { ask, append, post } = await openTestServer(t);
    await append(...SPANS);
    const transfer = (project: number, ...traces: number[]) =>
      post(
        `mutation($ids: [ID!]!) {transferTracesToProject(traceIds: $ids, projectId: "${gid('Project', project)}") {
          projects {edges {node {name recordCount traceCount}}}}}`,
        { ids: traces.map((rowId) => gid('Trace', rowId)) },
      );
    const before = (await ask(COUNTS)).projects.edges;

    assert.deepEqual((await transfer(1)).errors, ['Must provide at least one trace ID to transfer']);
    assert.deepEqual((await transfer(1, 99)).errors, ['Invalid trace IDs provided']);
    assert.deepEqual((await transfer(9, 1)).errors, ['Destination project does not exist']);
    assert.deepEqual((await transfer(1, 1, 2)).errors, ['Cannot transfer traces from multiple projects']);
    assert.deepEqual((await ask(COUNTS)).projects.edges, before);

    const { data } = await transfer(1, 1);
    const sum = (edges: { node: { recordCount: number } }[]) =>
      edges.reduce((total, { node }) => total + node.recordCount, 0);
    const after = data.transferTracesToProject.projects.edges;
    assert.equal(after[0].node.traceCount, before[0].node.traceCount + 1);
    assert.equal(sum(after), sum(before));
  });

  test('clears a project up to a time, with sessions, and as a whole', async (t) => {
    const { ask, append } = await openTestServer(t);
    await append(...SPANS);
    const clear = (input: object) =>
      ask('mutation($input: ClearProjectInput!) {clearProject(input: $input) {projectCount}}', { input });
    const id = gid('Project', 2);
    const counts = async () => (await ask(COUNTS)).projects.edges[1].node;
    const before = await counts();

    await clear({ id, endTime: '1970-01-01T00:00:00Z' });
    assert.deepEqual(await counts(), before);
    await clear({ id });

    assert.deepEqual(await counts(), { name: before.name, recordCount: 0, traceCount: 0 });
  });

  test('deletes projects, and traces with the sessions that lose their last one', async (t) => {
    const { ask, append, post } = await openTestServer(t);
    await append(...SPANS);
    const remove = (...ids: string[]) =>
      post('mutation($ids: [ID!]!) {deleteTraces(traceIds: $ids) {getProjectByName(name: "app") {traceCount}}}', {
        ids,
      });

    assert.deepEqual((await remove()).errors, ['Must provide at least one trace ID to delete']);
    assert.deepEqual((await remove(gid('Trace', 9))).errors, ['Invalid trace IDs provided']);
    assert.deepEqual((await remove(gid('Trace', 1), gid('Trace', 2))).errors, [
      'Cannot delete traces from multiple projects',
    ]);
    assert.match((await remove(gid('Span', 1))).errors![0]!, /must correspond to a node of type Trace/);
    assert.deepEqual((await remove(gid('Trace', 1))).data, { deleteTraces: { getProjectByName: { traceCount: 0 } } });
    assert.deepEqual(await ask('{getProjectSessionById(sessionId: "chat") {id}}'), { getProjectSessionById: null });

    // What the first of two changes has read, the second one reads again.
    await append({ ...SPANS[0]!, traceId: 'd'.repeat(32) }, { ...SPANS[0]!, traceId: 'e'.repeat(32) });
    const one = (rowId: number) =>
      `deleteTraces(traceIds: ["${gid('Trace', rowId)}"]) {getProjectByName(name: "app") {traceCount}}`;
    assert.deepEqual((await post(`mutation {a: ${one(3)} b: ${one(4)}}`)).data, {
      a: { getProjectByName: { traceCount: 1 } },
      b: { getProjectByName: { traceCount: 0 } },
    });

    const drop = (id: string) => post(`mutation {deleteProject(id: "${id}") {projectCount}}`);
    assert.deepEqual((await drop(gid('Project', 3))).data, { deleteProject: { projectCount: 2 } });
    assert.deepEqual((await drop(gid('Project', 1))).errors, ['The default project cannot be deleted']);
    assert.deepEqual(await ask(`{getTraceByOtelId(traceId: "${TRACE_B}") {id}}`), { getTraceByOtelId: null });
  });

  test('makes projects and changes them', async (t) => {
    const { post, ask } = await openTestServer(t);
    const fields = '{project {id name description gradientStartColor gradientEndColor} query {projectCount}}';
    const create = (input: object) =>
      post(`mutation($i: CreateProjectInput!) {m: createProject(input: $i) ${fields}}`, { i: input });
    const patch = (input: object) =>
      post(`mutation($i: PatchProjectInput!) {m: patchProject(input: $i) ${fields}}`, { i: input });
    const made = {
      id: gid('Project', 2),
      name: 'new',
      description: null,
      gradientStartColor: '#5bdbff',
      gradientEndColor: '#000',
    };

    assert.deepEqual((await create({ name: ' new ', description: ' ', gradientEndColor: '#000' })).data.m, {
      project: made,
      query: { projectCount: 2 },
    });
    assert.deepEqual((await create({ name: 'new' })).errors, ["Project with name 'new' already exists"]);
    assert.deepEqual((await create({ name: ' ' })).errors, ['Name cannot be empty']);
    const described = { ...made, description: 'about' };
    assert.deepEqual(
      (await patch({ id: made.id, description: 'about', gradientEndColor: '' })).data.m.project,
      described,
    );
    assert.deepEqual((await patch({ id: made.id, gradientStartColor: 'red' })).data.m.project, {
      ...described,
      gradientStartColor: 'red',
    });
    assert.equal((await patch({ id: made.id, description: '' })).data.m.project.description, null);
    assert.match((await patch({ id: gid('Project', 99), description: 'x' })).errors![0]!, /not found/);
    assert.deepEqual(await ask('{getProjectByName(name: "new") {gradientStartColor}}'), {
      getProjectByName: { gradientStartColor: 'red' },
    });
  });

  test('tells whether a text is a span filter, and what its form says', async () => {
    const { ask } = await openServer();
    const check = async (condition: string) =>
      (
        await ask(
          `query($c: String!) {getProjectByName(name: "default") {
            v: validateSpanFilterCondition(condition: $c) {isValid errorMessage warnings}
            a: analyzeSpanFilterCondition(condition: $c) {selectsRootSpansOnly}}}`,
          { c: condition },
        )
      ).getProjectByName;

    const valid = { isValid: true, errorMessage: null, warnings: [] };
    assert.deepEqual(await check("span_kind == 'LLM'"), { v: valid, a: { selectsRootSpansOnly: false } });
    assert.deepEqual(await check('parent_id is None'), { v: valid, a: { selectsRootSpansOnly: true } });
    const { v, a } = await check('name ==');
    assert.equal(v.isValid, false);
    assert.ok(v.errorMessage.length > 0);
    assert.equal(a.selectsRootSpansOnly, false);
  });

  test('warns of names in a span filter that are no field and no attribute of the project', async (t) => {
    const { ask, append } = await openTestServer(t);
    await append(...SPANS);
    const check = async (condition: string) =>
      (
        await ask(
          `query($c: String!) {getProjectByName(name: "app") {
            lenient: validateSpanFilterCondition(condition: $c) {isValid errorMessage warnings}
            strict: validateSpanFilterCondition(condition: $c, rejectUnknownNames: true) {isValid errorMessage warnings}}}`,
          { c: condition },
        )
      ).getProjectByName;
    const [warning, valid] = [
      /^unknown name 'latency' — .* did you mean 'latency_ms'\?/,
      { errorMessage: null, isValid: true },
    ];

    const bare = await check('latency > 5');
    assert.deepEqual({ ...bare.lenient, warnings: [] }, { ...valid, warnings: [] });
    assert.match(bare.lenient.warnings[0], warning);
    assert.equal(bare.strict.isValid, false);
    assert.match(bare.strict.errorMessage, warning);
    assert.match(bare.strict.errorMessage, /write attributes\['latency'\] for an attribute that is to come/);
    const explicit = await check("attributes['latency'] > 5 and metadata['tier'] is None");
    assert.equal(explicit.strict.isValid, true);
    assert.match(explicit.strict.warnings[0], warning);
  });

  test('offers what a filter of sessions or traces can name, with names that were observed', async (t) => {
    const { ask, append } = await openTestServer(t);
    await append(...SPANS);
    await ask(`mutation($i:[CreateTraceAnnotationInput!]!){createTraceAnnotations(input:$i){query{__typename}}}`, {
      i: [{ traceId: toGlobalId('Trace', 1), name: 'q', annotatorKind: 'CODE', metadata: {}, source: 'API', score: 1 }],
    });
    const { getProjectByName: found } = await ask(`{getProjectByName(name: "app") {
      sessionFilterVocabulary {name type}
      traceFilterVocabulary {name type description category iterableName}
      earlier: traceFilterVocabulary(timeRange: {end: "2000-01-01T00:00:00Z"}) {name}}}`);

    const names = (terms: { name: string }[]) => terms.map(({ name }) => name);
    assert.deepEqual(found.sessionFilterVocabulary[0], { name: 'session_id', type: 'text' });
    assert.ok(names(found.sessionFilterVocabulary).includes("metadata['tier']"));
    assert.ok(!names(found.sessionFilterVocabulary).includes("trace_annotations['q']"));
    for (const name of ["metadata['tier']", "attributes['session.id']", "trace_annotations['q'].score"]) {
      assert.ok(names(found.traceFilterVocabulary).includes(name), name);
    }
    assert.deepEqual(
      found.traceFilterVocabulary.find((term: { name: string }) => term.name === 'latency_ms'),
      {
        name: 'latency_ms',
        type: 'number',
        description: 'Time from start to end, in milliseconds',
        category: 'field',
        iterableName: null,
      },
    );
    assert.ok(!names(found.earlier).includes("metadata['tier']"));
  });

  test('reads the rows of a list at once, however many there are', async (t) => {
    const { ask, append, domain } = await openTestServer(t);
    await append(...SPANS);
    const asked: string[] = [];
    const { get } = domain.spans;
    domain.spans.get = (query, options) => {
      asked.push(`${query.of}.${String(query.column)}`);
      return get(query, options);
    };

    await ask(`{getProjectByName(name: "app") {spans(first: 10) {edges {node {
      name latencyMs cumulativeTokenCountTotal numChildSpans attributes events {name} trace {numSpans rootSpan {name attributes}}}}}}}`);

    assert.deepEqual(asked.sort(), ['spans.body', 'traces.rootSpanId', 'traces.row', 'traces.sums']);
  });

  test('a read that fails ahead of the fields is told where they are, and once', async (t) => {
    const { append, post, domain } = await openTestServer(t);
    await append(...SPANS);
    let readCount = 0;
    const { get } = domain.spans;
    domain.spans.get = async (query, options) => {
      if (query.column !== 'sums') return get(query, options);
      readCount += 1;
      throw new SpandrelError('STORE_UNAVAILABLE', 'the span store is closed');
    };

    const { data, errors } = await post(`{getProjectByName(name: "app") {spans(first: 10) {edges {node {
      name numChildSpans ...more}}}}} fragment more on Span {name ...on Span {spanAnnotationSummaries {name}}}`);

    assert.equal(data.getProjectByName, null, 'no field between that and the failed one may be null');
    assert.ok(errors!.length > 0);
    for (const error of errors!) assert.match(error, /the span store is closed/);
    assert.equal(readCount, 1);
    const rest = await post(
      '{getProjectByName(name: "app") {spans(first: 10) {edges {node {name costSummary {total {cost}}}}}}}',
    );
    assert.equal(rest.errors, undefined);
    assert.equal(
      rest.data.getProjectByName.spans.edges.length,
      SPANS.filter(({ project }) => project === 'app').length,
    );
  });

  test('bounds the objects of one answer', async () => {
    const { append, post } = await openServer();
    const spans = Array.from({ length: 600 }, (_, i) => ({
      traceId: TRACE_A,
      spanId: (i + 1).toString(16).padStart(16, '0'),
      project: 'app',
    }));
    await append(...spans);

    const { errors } = await post(
      '{getProjectByName(name: "app") {spans(first: 600) {edges {node {trace {spans(first: 600) {edges {cursor node {name spanId statusCode spanKind parentId}}}}}}}}}',
    );

    assert.match(errors![0]!, /too costly/);
  });
});
