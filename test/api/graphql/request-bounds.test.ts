import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import {
  GRAPHQL_COST_MAX,
  GRAPHQL_ERROR_COUNT_MAX,
  GRAPHQL_ITEM_COUNT_MAX,
  GRAPHQL_JSON_SIGN_COUNT_MAX,
  GRAPHQL_MUTATION_LIST_COUNT_MAX,
  GRAPHQL_QUERY_LIST_COUNT_MAX,
  GRAPHQL_SLICE_MS,
} from '../../../src/model/limits/graphql.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../src/model/limits/reads.ts';
import type { Project } from '../../../src/model/projects/project.ts';
import type { SpanBody } from '../../../src/model/spans/span.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const repeated = (id: string, count: number): string[] => Array.from({ length: count }, () => id);
const PROJECT_ID = toGlobalId('Project', 1);
const NODES = 'query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {name spans(first: 1000) {edges {node {name}}}}}}';

describe('bounds of a GraphQL request', () => {
  test('a list argument is limited before any read starts', async (t) => {
    const server = await openTestServer(t);
    const reads = countReads(server);

    for (const [query, ids, what] of [
      [NODES, repeated(PROJECT_ID, 20_000), 'Variable "\\$ids"'],
      [`{nodes(ids: ${JSON.stringify(repeated(PROJECT_ID, 1_001))}) {id}}`, undefined, 'Argument "ids" of "nodes"'],
      [
        'query($ids: [String!]) {datasetLabels(names: $ids) {edges {node {name}}}}',
        repeated('x', 1_001),
        'Variable "\\$ids"',
      ],
    ] as const) {
      const count = ids?.length ?? 1_001;
      const { errors } = await server.post(query, { ids });
      assert.equal(errors?.length, 1);
      assert.match(
        errors[0]!,
        new RegExp(`^${what} expected a list of at most ${GRAPHQL_QUERY_LIST_COUNT_MAX} values, received ${count}`),
      );
    }
    const deletion = 'mutation($input: DeleteAnnotationsInput!) {deleteSpanAnnotations(input: $input) {__typename}}';
    const annotationIds = repeated('x', GRAPHQL_MUTATION_LIST_COUNT_MAX + 1);
    assert.match(
      (await server.post(deletion, { input: { annotationIds } })).errors![0]!,
      /at most 10000 values, received 10001/,
    );
    assert.equal(reads.count, 0);
    assert.deepEqual(
      (await server.ask('query($ids: [ID!]!) {nodes(ids: $ids) {id}}', { ids: repeated(PROJECT_ID, 1_000) })).nodes
        .length,
      1_000,
    );
  });

  test('the cost of a document is estimated before execution: sizes of nested lists multiply', async (t) => {
    const server = await openTestServer(t);
    const reads = countReads(server);

    const { errors } = await server.post(NODES, { ids: repeated(PROJECT_ID, 1_000) });

    assert.equal(errors?.length, 1);
    assert.match(
      errors[0]!,
      new RegExp(`too costly: it may resolve at most ${GRAPHQL_COST_MAX} fields, .* up to \\d+`),
    );
    const nested =
      'query($n: Int!) {projects(first: $n) {edges {node {sessions(first: $n) {edges {node {traces(first: $n) {edges {node {id}}}}}}}}}}';
    assert.match((await server.post(nested, { n: 1_000 })).errors![0]!, /too costly/);
    assert.equal(reads.count, 0);
    assert.equal((await server.post(nested, { n: 10 })).errors, undefined);
    // A fragment counts where it is spread, and only for matching types.
    const elsewhere = `query($ids: [ID!]!) {nodes(ids: $ids) {...P ... on Span {name}}} fragment P on Project {spans(first: 1000) {edges {cursor}}}`;
    assert.match((await server.post(elsewhere, { ids: repeated(PROJECT_ID, 1_000) })).errors![0]!, /too costly/);
  });

  test('exceeding any limit ends all work of the request', async (t) => {
    const server = await openTestServer(t);
    await server.append({ traceId: 'a'.padEnd(32, '0'), spanId: '1'.padEnd(16, '0'), project: 'default' });
    const { spans } = server.domain;
    const page = await spans.listSpans({ projectId: 1, limit: 1, order: 'asc' });
    const started: AbortSignal[] = [];
    let endedCount = 0;
    spans.listSpans = async (_query, options) => {
      started.push(options!.signal!);
      await delay(1);
      endedCount++;
      return { items: repeatItem(page.items[0]!, PAGE_ROW_COUNT_MAX), nextAfter: undefined };
    };
    const query = 'query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {spans(first: 900) {edges {cursor}}}}}';

    const { data, errors } = await server.post(query, { ids: repeated(PROJECT_ID, 500) });

    const enoughCount = GRAPHQL_ITEM_COUNT_MAX / PAGE_ROW_COUNT_MAX;
    assert.equal(data, null);
    assert.equal(errors?.length, 1);
    assert.match(errors[0]!, /too costly/);
    const startedCount = started.length;
    assert.ok(startedCount < enoughCount + 10, `${startedCount} reads were started`);
    assert.ok(started.every((signal) => signal.aborted));
    await delay(50);
    assert.equal(started.length, startedCount);
    assert.ok(endedCount <= startedCount);
  });

  test('other work runs while a response is built', async (t) => {
    const server = await openTestServer(t);
    const [template] = [...(await server.domain.projects.findByRowIds([1])).values()];
    const turns = countTurns();
    t.after(() => turns.stop());
    const turnsOfNames: number[] = [];
    server.domain.projects.findByRowIds = async (rowIds) =>
      new Map(rowIds.map((rowId) => [rowId, slowProject(template!, rowId, () => turnsOfNames.push(turns.count))]));
    const ids = Array.from({ length: 30 }, (_, index) => toGlobalId('Project', index + 1));

    const { nodes } = await server.ask('query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {name}}}', { ids });

    assert.equal(nodes.length, 30);
    assert.equal(nodes[29].name, 'project 30');
    assert.equal(turnsOfNames.length, 30);
    assert.ok(new Set(turnsOfNames).size >= 10, `all names in ${new Set(turnsOfNames).size} turns`);
  });

  test('a large response is complete, whether its serialization yields or not', async (t) => {
    const server = await openTestServer(t);
    const ids = repeated(PROJECT_ID, 1_000);
    const aliases = Array.from({ length: 45 }, (_, index) => `a${index}: name`).join(' ');
    const query = `query($ids: [ID!]!) {nodes(ids: $ids) {id ... on Project {${aliases}}}}`;

    const { nodes } = await server.ask(query, { ids });

    const expected = {
      id: PROJECT_ID,
      ...Object.fromEntries(Array.from({ length: 45 }, (_, index) => [`a${index}`, 'default'])),
    };
    assert.deepEqual(nodes, repeatItem(expected, 1_000));
  });

  test('an operation that is too large to compile has the same response', async (t) => {
    const server = await openTestServer(t);
    const node = (index: number) =>
      `n${index}: node(id: "${PROJECT_ID}") {__typename id ... on Project {name createdAt spans(first: 1) {edges {cursor}}}}`;
    const of = (count: number) => `{${Array.from({ length: count }, (_, index) => node(index)).join(' ')}}`;

    const [one, many] = [await server.ask(of(1)), await server.ask(of(40))];

    assert.deepEqual(Object.values(many), repeatItem(one.n0, 40));
  });

  test('nested interfaces double the fields, and too many fields are rejected', async (t) => {
    const { post } = await openTestServer(t);
    let inside = 'name';
    for (let level = 0; level < 8; level++)
      inside = `name kind createdAt datasetEvaluators {id name evaluator {${inside}}}`;

    const { errors } = await post(`{node(id: "x") {... on DatasetEvaluator {evaluator {${inside}}}}}`);

    assert.equal(errors?.length, 1);
    assert.match(errors[0]!, /too costly/);
  });

  test('a query with thousands of errors is answered with one', async (t) => {
    const { post } = await openTestServer(t);
    const ids = Array.from({ length: 1_000 }, (_, index) => toGlobalId('Project', index + 100));

    const { data, errors } = await post('query($ids: [ID!]!) {nodes(ids: $ids) {... on Project {name createdAt}}}', {
      ids,
    });

    assert.equal(data, null);
    assert.equal(errors?.length, 1);
    assert.match(errors[0]!, new RegExp(`At most ${GRAPHQL_ERROR_COUNT_MAX} fields .* Project with ID .* not found`));
  });

  test('the texts of one response are limited', async (t) => {
    const server = await openTestServer(t);
    const spans = Array.from({ length: 10 }, (_, index) => ({
      traceId: 'a'.padEnd(32, '0'),
      spanId: String(index + 1).padStart(16, '0'),
      project: 'default',
      input: 'x'.repeat(1_000),
    }));
    await server.append(...spans);
    const body = { attributeParts: [], events: null, input: 'x'.repeat(30_000_000), output: null } satisfies SpanBody;
    const { get } = server.domain.spans;
    server.domain.spans.get = (async (query, options) =>
      query.column === 'body'
        ? new Map(query.rowIds.map((rowId) => [rowId, body]))
        : get(query, options)) as typeof get;

    const { data, errors } = await server.post(
      `{node(id: "${PROJECT_ID}") {... on Project {spans(first: 10) {edges {node {input {value}}}}}}}`,
    );

    assert.equal(data, null);
    assert.match(errors![0]!, /too costly: its texts have more than \d+ characters/);
  });

  test('a body with too many values and a document that is too long are rejected unread', async (t) => {
    const { address, post } = await openTestServer(t);
    const response = await fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{__typename}', variables: { x: repeatItem(0, GRAPHQL_JSON_SIGN_COUNT_MAX + 1) } }),
    });

    assert.equal(response.status, 413);
    assert.match(await response.text(), /500000 values/);
    assert.match((await post(`{__typename} #${'x'.repeat(2_000_000)}`)).errors![0]!, /received 2000014/);
  });
});

const repeatItem = <Item>(item: Item, count: number): Item[] => Array.from({ length: count }, () => item);

/** Counts store calls of these tests. */
function countReads({ domain }: TestServer): { count: number } {
  const reads = { count: 0 };
  const { projects, spans } = domain;
  const [findByRowIds, listSpans] = [projects.findByRowIds, spans.listSpans.bind(spans)];
  projects.findByRowIds = (rowIds) => {
    reads.count++;
    return findByRowIds(rowIds);
  };
  spans.listSpans = (query, options) => {
    reads.count++;
    return listSpans(query, options);
  };
  return reads;
}

/** Counts iterations of the event loop. */
function countTurns() {
  let isStopped = false;
  const turns = { count: 0, stop: () => (isStopped = true) };
  const next = () => {
    turns.count++;
    if (!isStopped) setImmediate(next);
  };
  next();
  return turns;
}

/** A project whose name takes longer to resolve than a time slice. */
function slowProject(template: Project, rowId: number, onName: () => void): Project {
  return Object.defineProperty({ ...template, rowId }, 'name', {
    get() {
      onName();
      const until = performance.now() + GRAPHQL_SLICE_MS + 1;
      while (performance.now() < until);
      return `project ${rowId}`;
    },
  });
}
