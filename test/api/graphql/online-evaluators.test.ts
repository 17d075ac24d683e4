import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSampled } from '../../../src/domain/online-evaluators/select-targets.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';

const id = (index: number, length: number) => (index + 1).toString(16).padStart(length, '0');
const MINUTE_NS = 60_000_000_000n;
const START = BigInt(Date.now() - 3_600_000) * 1_000_000n;

/** One span per trace; every second one says "refund". */
const spans = (project: string, from: number, count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, offset) => {
    const index = from + offset;
    return {
      traceId: id(index, 32),
      spanId: id(index, 16),
      project,
      name: index % 4 < 2 ? 'answer' : 'search',
      start: START + BigInt(index),
      end: START + BigInt(index) + 1_000_000n,
      input: `question ${index}`,
      output: index % 2 === 0 ? 'a refund is due' : 'no',
      ...fields,
    };
  });

const FIELDS = `id name target filter samplingRate quietSeconds isEnabled revision waitingCount evaluator { name }
  traceProject { id name } days { doneCount sampledOutCount failedCount overBudgetCount }
  backfills { state matchedCount queuedCount sampledOutCount }
  failed: items(state: FAILED) { targetId error attemptCount } done: items(state: DONE) { targetId version }`;
const CREATE = `mutation ($input: CreateOnlineEvaluatorInput!) { createOnlineEvaluator(input: $input) { ${FIELDS} } }`;
const PATCH = `mutation ($input: PatchOnlineEvaluatorInput!) { patchOnlineEvaluator(input: $input) { ${FIELDS} } }`;
const DELETE = 'mutation ($id: ID!) { deleteOnlineEvaluator(id: $id) { name } }';
const BACKFILL = `mutation ($input: OnlineBackfillInput!) { startOnlineBackfill(input: $input) { ${FIELDS} } }`;
const RETRY = `mutation ($id: ID!) { retryOnlineItems(id: $id) { waitingCount } }`;
const ESTIMATE =
  'query ($input: OnlineBackfillInput!) { onlineBackfillEstimate(input: $input) { matchedCount evaluationCount callCount } }';
const READ = `query ($id: ID!) { onlineEvaluator(id: $id) { ${FIELDS} } }`;
const REFUND = {
  pathMapping: { text: '$.output' },
  literalMapping: { words: 'refund' },
};

describe('online evaluators', () => {
  const openShared = shareTestServer();
  const find = async (server: TestServer, name: string) =>
    (await server.ask(`{ getProjectByName(name: "${name}") { id } }`)).getProjectByName?.id as string;
  const newProject = async (server: TestServer, name: string) => {
    await server.ask('mutation ($input: CreateProjectInput!) { createProject(input: $input) { project { id } } }', {
      input: { name },
    });
    return find(server, name);
  };
  const contains = async (server: TestServer, projectId: string, fields: object = {}) => {
    const { builtInEvaluators } = await server.ask('{ builtInEvaluators { id name } }');
    const evaluatorId = builtInEvaluators.find(({ name }: { name: string }) => name === 'contains').id;
    const input = { projectId, evaluatorId, name: 'mentions-refund', inputMapping: REFUND, ...fields };
    return (await server.ask(CREATE, { input })).createOnlineEvaluator;
  };
  /** Waits until so many targets are settled. */
  const settled = async (server: TestServer, evaluatorId: string, count: number) => {
    for (let wait = 0; ; wait++) {
      const { onlineEvaluator } = await server.ask(READ, { id: evaluatorId });
      const sum = onlineEvaluator.days.reduce(
        (total: number, day: Record<string, number>) =>
          total + day.doneCount! + day.failedCount! + day.overBudgetCount!,
        0,
      );
      if (sum >= count || wait > 400) {
        assert.equal(sum, count, JSON.stringify(onlineEvaluator));
        // The fields of one response are read one after the other.
        return (await server.ask(READ, { id: evaluatorId })).onlineEvaluator;
      }
      await sleep(50);
    }
  };
  const annotationsOf = async (server: TestServer, projectId: string) => {
    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Project { spans(first: 1000) { edges { node { spanId
        spanAnnotations { name label score annotatorKind identifier } } } } } } }`,
      { id: projectId },
    );
    return node.spans.edges
      .map((edge: { node: { spanId: string; spanAnnotations: object[] } }) => edge.node)
      .sort((a: { spanId: string }, b: { spanId: string }) => (a.spanId < b.spanId ? -1 : 1));
  };

  test('spans that match are annotated once when they arrive, and not the earlier ones', async () => {
    const server = await openShared();
    await server.append(...spans('arriving', 0, 4));
    const projectId = await find(server, 'arriving');
    const created = await contains(server, projectId, { filter: 'name == "answer"' });
    assert.deepEqual([created.target, created.revision, created.evaluator.name], ['SPAN', 1, 'contains']);

    await server.append(...spans('arriving', 4, 4));
    await server.append(...spans('arriving', 8, 4));
    const after = await settled(server, created.id, 4);

    const found = await annotationsOf(server, projectId);
    assert.deepEqual(
      found.map(({ spanAnnotations }: { spanAnnotations: { label: string }[] }) =>
        spanAnnotations.map(({ label }) => label),
      ),
      [[], [], [], [], ['true'], ['false'], [], [], ['true'], ['false'], [], []],
    );
    const [annotation] = found[4].spanAnnotations;
    assert.deepEqual(annotation, {
      name: 'contains',
      label: 'true',
      score: 1,
      annotatorKind: 'CODE',
      identifier: 'mentions-refund@1.0',
    });
    assert.equal(after.done.length, 4);
    const { node } = await server.ask(
      'query ($id: ID!) { node(id: $id) { ... on Project { traceCount } } projects(first: 1000) { edges { node { name } } } }',
      { id: created.traceProject.id },
    );
    assert.equal(node.traceCount, 4);
  });

  test('the hash of the trace ID decides the sample, also in a backfill, and the estimate has its size', async () => {
    const server = await openShared();
    const all = spans('sampled', 100, 40);
    await server.append(...all);
    const projectId = await find(server, 'sampled');
    const rate = 0.4;
    const expected = all.filter(({ traceId }) => isSampled(traceId, rate)).map(({ spanId }) => spanId);
    const created = await contains(server, projectId, { samplingRate: rate });

    const { onlineBackfillEstimate: estimate } = await server.ask(ESTIMATE, { input: { id: created.id } });
    await server.ask(BACKFILL, { input: { id: created.id } });
    const after = await settled(server, created.id, expected.length);

    const annotated = (await annotationsOf(server, projectId)).filter(
      ({ spanAnnotations }: { spanAnnotations: object[] }) => spanAnnotations.length > 0,
    );
    assert.deepEqual(
      annotated.map(({ spanId }: { spanId: string }) => spanId),
      expected,
    );
    assert.deepEqual(estimate, { matchedCount: 40, evaluationCount: 16, callCount: null });
    assert.equal(after.days[0].sampledOutCount, 40 - expected.length);
    assert.deepEqual(after.backfills, [
      { state: 'DONE', matchedCount: 40, queuedCount: expected.length, sampledOutCount: 40 - expected.length },
    ]);

    await server.ask(BACKFILL, { input: { id: created.id } });
    for (let wait = 0; wait < 200; wait++) {
      const { onlineEvaluator } = await server.ask(READ, { id: created.id });
      if (onlineEvaluator.backfills[0].state === 'DONE') break;
      await sleep(50);
    }
    const { onlineEvaluator } = await server.ask(READ, { id: created.id });
    assert.deepEqual(onlineEvaluator.backfills[0].queuedCount, 0);
  });

  test('a range limits a backfill', async () => {
    const server = await openShared();
    await server.append(
      ...spans('ranged', 200, 3),
      ...spans('ranged', 203, 2, { start: START + MINUTE_NS, end: START + MINUTE_NS }),
    );
    const created = await contains(server, await find(server, 'ranged'));
    const startTime = new Date(Number((START + MINUTE_NS) / 1_000_000n)).toISOString();
    await server.ask(BACKFILL, { input: { id: created.id, startTime } });
    const after = await settled(server, created.id, 2);
    assert.equal(after.backfills[0].matchedCount, 2);
    const { errors } = await server.post(BACKFILL, { input: { id: created.id, startTime, endTime: startTime } });
    assert.match(errors?.[0] ?? '', /start of the range must be before its end/);
  });

  test('a trace is evaluated once it is quiet, with its later spans', async () => {
    const server = await openShared();
    const projectId = await newProject(server, 'quiet');
    const created = await contains(server, projectId, { target: 'TRACE', quietSeconds: 1 });
    const [root, child] = spans('quiet', 300, 2, {
      start: BigInt(Date.now()) * 1_000_000n,
      end: BigInt(Date.now()) * 1_000_000n,
    });
    await server.append(root!);
    await server.append({ ...child!, traceId: root!.traceId, parentSpanId: root!.spanId });

    const after = await settled(server, created.id, 1);

    assert.equal(after.done.length, 1);
    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Trace { traceAnnotations { name label } } } }`,
      { id: after.done[0].targetId },
    );
    assert.deepEqual(node.traceAnnotations, [{ name: 'contains', label: 'true' }]);
  });

  test('a session is a conversation', async () => {
    const server = await openShared();
    const projectId = await newProject(server, 'talks');
    const created = await contains(server, projectId, {
      target: 'SESSION',
      quietSeconds: 1,
      inputMapping: {
        pathMapping: { text: '$.metadata.conversation[*].content' },
        literalMapping: { words: 'refund' },
      },
    });
    await server.append(...spans('talks', 400, 3, { sessionId: 'talk-1' }));

    const after = await settled(server, created.id, 1);

    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on ProjectSession { sessionId sessionAnnotations { name label } } } }`,
      { id: after.done[0].targetId },
    );
    assert.deepEqual(node, { sessionId: 'talk-1', sessionAnnotations: [{ name: 'contains', label: 'true' }] });
  });

  test('a failed evaluation has its reason, and is repeated after the mapping is repaired', async () => {
    const server = await openShared();
    const projectId = await newProject(server, 'failing');
    const created = await contains(server, projectId, {
      inputMapping: { pathMapping: { text: '$.output.nothing' }, literalMapping: { words: 'refund' } },
    });
    await server.append(...spans('failing', 500, 2));
    const after = await settled(server, created.id, 2);
    assert.equal(after.failed.length, 2);
    assert.match(after.failed[0].error, /'\$\.output\.nothing' for key 'text' did not match any values/);

    const { patchOnlineEvaluator } = await server.ask(PATCH, { input: { id: created.id, inputMapping: REFUND } });
    assert.equal(patchOnlineEvaluator.revision, 2);
    await server.ask(RETRY, { id: created.id });
    const repaired = await settled(server, created.id, 4);

    assert.deepEqual([repaired.failed.length, repaired.done.length], [0, 2]);
  });

  test('bad input is rejected with what was expected', async () => {
    const server = await openShared();
    const projectId = await newProject(server, 'strict');
    const created = await contains(server, projectId);
    const messages = async (fields: object) =>
      (await server.post(PATCH, { input: { id: created.id, ...fields } })).errors?.[0] ?? '';
    assert.match(await messages({ samplingRate: 0 }), /greater than 0 and at most 1, received 0/);
    assert.match(await messages({ quietSeconds: 0.5 }), /1000 to 604800000 ms, received 500/);
    assert.match(await messages({ dailyCallCountMax: -1 }), /0 or more, received -1/);
    assert.match(await messages({ filter: 'name ==' }), /./);
    assert.match(await messages({ name: 'Has Blanks' }), /./);
    const { builtInEvaluators } = await server.ask('{ builtInEvaluators { id } }');
    const input = { projectId, evaluatorId: builtInEvaluators[0].id, name: 'mentions-refund' };
    assert.match((await server.post(CREATE, { input })).errors?.[0] ?? '', /already has an online evaluator named/);
    const onTraces = { ...input, projectId: created.traceProject.id };
    assert.match((await server.post(CREATE, { input: onTraces })).errors?.[0] ?? '', /are not evaluated themselves/);
    const { errors } = await server.post(CREATE, { input: { ...input, evaluatorId: projectId } });
    assert.match(errors?.[0] ?? '', /not the ID of an evaluator/);
  });

  test('the traces are deleted with the evaluator, and both with the project', async () => {
    const server = await openShared();
    const names = async () =>
      (await server.ports.projects.list({ limit: 1_000 })).items.map(({ name }: { name: string }) => name);
    const projectId = await newProject(server, 'leaving');
    const first = await contains(server, projectId);
    const second = await contains(server, projectId, { name: 'second' });
    await server.ask(DELETE, { id: first.id });
    await server.settled();
    assert.equal((await names()).includes(first.traceProject.name), false);

    await server.ask('mutation ($id: ID!) { deleteProject(id: $id) { __typename } }', { id: projectId });
    await server.settled();

    const left = await names();
    assert.equal(left.includes('leaving') || left.includes(second.traceProject.name), false);
    assert.equal((await server.ask(READ, { id: second.id })).onlineEvaluator, null);
  });
});
