import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { ask, call } from '../access/author-server.ts';
import type { Client } from '../access/signed-in-server.ts';
import { OPEN, openPrivateServer, PRIVATE, type PrivateServer } from './private-server.ts';

const TIMES = { start: '2026-03-01T00:00:00Z', end: '2026-03-03T00:00:00Z' };
const USAGE = `query ($id: ID!, $timeRange: TimeRange!, $projectId: ID) { node(id: $id) { ... on Prompt {
  usage(timeRange: $timeRange, timeBinConfig: {scale: DAY}, projectId: $projectId) {
    binStarts projects { project { name } callCount }
    versions { version { sequenceNumber } filterCondition firstCallAt lastCallAt data { timestamp calls { callCount scores { meanScore } } }
      total { callCount errorCount latencyMsP50 latencyMsP95 promptTokenCount completionTokenCount scores { name callCount meanScore } } } } } } }`;

let server: PrivateServer;
let promptId: string;
/** IDs of the versions, oldest first. */
let versions: readonly [string, string];
const cleanUp = cleanUpAfter(after);

before(async () => {
  server = await openPrivateServer({ after: cleanUp });
  const version = {
    model_provider: 'OPENAI',
    model_name: 'gpt-4o',
    template: { type: 'chat', messages: [{ role: 'user', content: 'Hi {{name}}' }] },
    template_type: 'CHAT',
    template_format: 'MUSTACHE',
    invocation_parameters: { type: 'openai', openai: {} },
  };
  const add = async () =>
    (await call(server.admin, 'POST', '/v1/prompts', { prompt: { name: 'greeting' }, version })).id as string;
  versions = [await add(), await add()];
  promptId = (await ask(server.admin, '{prompts {edges {node {id}}}}')).prompts.edges[0].node.id;
  const [first, second] = versions;
  await send(OPEN, 'a', [{ 'llm.prompt_template.version': first }, { 'prompt.version.id': second }]);
  await send(PRIVATE, 'b', [{ 'prompt.id': second }, { 'prompt.id': 'greeting' }]);
  await call(server.admin, 'POST', '/v1/span_annotations?sync=true', {
    data: [0, 1].map((score) => ({
      span_id: `${'a'.padEnd(15, '0')}0`,
      name: 'quality',
      annotator_kind: 'HUMAN',
      identifier: String(score),
      result: { score },
    })),
  });
});

/** LLM spans of 100 ms, a day apart. The second one failed. */
async function send(project: string, digit: string, attributes: readonly object[]): Promise<void> {
  const data = attributes.map((own, index) => ({
    name: 'call',
    context: { trace_id: digit.padEnd(31, '0') + index, span_id: digit.padEnd(15, '0') + index },
    span_kind: 'LLM',
    start_time: `2026-03-0${index + 1}T12:00:00Z`,
    end_time: `2026-03-0${index + 1}T12:00:00.100Z`,
    status_code: index === 1 ? 'ERROR' : 'OK',
    attributes: { ...own, 'llm.token_count.prompt': 10, 'llm.token_count.completion': 5 },
  }));
  const owner: Client = server.owner;
  assert.equal((await owner.call('POST', `/v1/projects/${project}/spans`, { data })).status, 202);
  await server.settled();
}

const usageFor = async (client: Client, projectId?: string) =>
  (await ask(client, USAGE, { id: promptId, timeRange: TIMES, projectId })).node.usage;

test('shows the calls of each version, with the condition that finds their spans', async () => {
  const usage = await usageFor(server.owner);

  assert.deepEqual(usage.projects, [
    { project: { name: OPEN }, callCount: 2 },
    { project: { name: PRIVATE }, callCount: 1 },
  ]);
  assert.deepEqual(usage.binStarts, ['2026-03-01T00:00:00+00:00', '2026-03-02T00:00:00+00:00']);
  const [second, first] = usage.versions;
  assert.deepEqual(first, {
    version: { sequenceNumber: 1 },
    filterCondition: ['llm.prompt_template.version', 'prompt.version.id', 'prompt.id']
      .map((path) => `${path} == "${versions[0]}"`)
      .join(' or '),
    firstCallAt: '2026-03-01T12:00:00+00:00',
    lastCallAt: '2026-03-01T12:00:00+00:00',
    data: [{ timestamp: '2026-03-01T00:00:00+00:00', calls: { callCount: 1, scores: [{ meanScore: 0.5 }] } }],
    total: {
      callCount: 1,
      errorCount: 0,
      latencyMsP50: 100,
      latencyMsP95: 100,
      promptTokenCount: 10,
      completionTokenCount: 5,
      scores: [{ name: 'quality', callCount: 1, meanScore: 0.5 }],
    },
  });
  assert.equal(second.total.callCount, 2);
  assert.equal(second.total.errorCount, 1);
  for (const { filterCondition, total } of usage.versions) {
    const { projects } = await ask(
      server.owner,
      'query ($filter: String, $timeRange: TimeRange) {projects {edges {node {recordCount(filterCondition: $filter, timeRange: $timeRange)}}}}',
      { filter: filterCondition, timeRange: TIMES },
    );
    const counts = projects.edges.map(({ node }: { node: { recordCount: number } }) => node.recordCount);
    assert.equal(
      counts.reduce((sum: number, count: number) => sum + count, 0),
      total.callCount,
    );
  }
});

test('limits the calls to a project', async () => {
  const usage = await usageFor(server.owner, server.open.project);

  assert.deepEqual(usage.projects, [{ project: { name: OPEN }, callCount: 2 }]);
  assert.deepEqual(
    usage.versions.map(({ total }: { total: { callCount: number } }) => total.callCount),
    [1, 1],
  );
});

test('does not count calls in a project that is hidden from the reader', async () => {
  const all = await usageFor(server.stranger);

  assert.deepEqual(all.projects, [{ project: { name: OPEN }, callCount: 2 }]);
  assert.deepEqual(all, await usageFor(server.stranger, server.open.project));
  assert.deepEqual((await usageFor(server.stranger, server.private.project)).versions, []);
});
