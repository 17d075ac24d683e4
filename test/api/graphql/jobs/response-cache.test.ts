import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, query } from '../../../metadata-store/fixtures.ts';
import { startVendorEndpoint, type VendorEndpoint } from '../../../vendor-endpoint/vendor-endpoint.ts';
import { createProvider } from './custom-providers.ts';
import { type JobServer, openJobServer, typesOf } from './job-server.ts';

const RUNS = `query ($id: ID!) { node(id: $id) { ... on Experiment {
  job { usesCache status budget { callCount cost } }
  runs(first: 100) { edges { node { repetitionNumber isCached output error
    trace { rootSpan { attributes tokenCountTotal } costSummary { total { cost } } } } } } } } }`;

interface StoredRun {
  readonly repetitionNumber: number;
  readonly isCached: boolean;
  readonly output: unknown;
  readonly trace: {
    readonly rootSpan: { readonly attributes: string; readonly tokenCountTotal: number | null };
    readonly costSummary: { readonly total: { readonly cost: number | null } };
  };
}

describe('responses of earlier runs', () => {
  const cleanUp = cleanUpAfter(after);
  let jobs: JobServer;
  let other: VendorEndpoint;
  before(async () => {
    jobs = await openJobServer({ after: cleanUp });
    other = await startVendorEndpoint();
    cleanUp(() => other.close());
  });

  /** Runs, and returns the stored runs with the calls that were made. */
  async function play(input: object) {
    const countCalls = () => jobs.endpoint.statistics().callCount + other.statistics().callCount;
    const before = countCalls();
    const payloads = await jobs.run(input);
    const { id } = payloads[0].experiment;
    const { node } = await jobs.server.ask(RUNS, { id });
    const runs: StoredRun[] = node.runs.edges.map((edge: { node: StoredRun }) => edge.node);
    return { payloads, runs, job: node.job, callCount: countCalls() - before };
  }

  test('are used when the request is the same, and marked', async () => {
    const input = await jobs.inputOf(3, 'Say {{n}}', { repetitions: 2, useCache: true });
    const first = await play(input);
    assert.deepEqual([first.callCount, first.job.usesCache], [6, true]);
    assert.ok(first.runs.every(({ isCached }) => !isCached));

    const second = await play({ ...input, maxConcurrency: 3 });
    assert.equal(second.callCount, 0);
    assert.deepEqual([second.job.status, second.job.budget.callCount, second.job.budget.cost], ['COMPLETED', 0, 0]);
    assert.equal(typesOf(second.payloads, 'Result').length, 6);
    assert.equal(second.runs.length, 6);
    const outputs = (runs: readonly StoredRun[]) => runs.map(({ output }) => JSON.stringify(output)).sort();
    assert.deepEqual(outputs(second.runs), outputs(first.runs));
    for (const { isCached, trace } of second.runs) {
      assert.equal(isCached, true);
      const attributes = JSON.parse(trace.rootSpan.attributes);
      assert.equal(attributes.llm.response.cached, true);
      assert.ok(attributes.input.value.includes('Say '), 'the span has the request');
      assert.equal(trace.rootSpan.tokenCountTotal ?? 0, 0);
      assert.equal(trace.costSummary.total.cost ?? 0, 0, 'it has cost nothing');
    }
    for (const { trace } of first.runs) assert.equal(trace.rootSpan.attributes.includes('cached'), false);
  });

  test('are not used by a run that does not request them, or that differs in anything', async () => {
    const { inputOf, server, endpoint } = jobs;
    const input = await inputOf(2, 'Differ {{n}}', { useCache: true });
    const { promptVersion } = input as unknown as { promptVersion: object };
    assert.equal((await play(input)).callCount, 2);
    assert.equal((await play({ ...input, useCache: false })).callCount, 2);
    assert.equal((await play(input)).callCount, 0);

    const changes: Record<string, object> = {
      'another text': {
        promptVersion: {
          ...promptVersion,
          template: { messages: [{ role: 'USER', content: [{ text: { text: 'x {{n}}' } }] }] },
        },
      },
      'another model': { promptVersion: { ...promptVersion, modelName: 'gpt-4o-mini' } },
      'another parameter': {
        promptVersion: { ...promptVersion, invocationParameters: { openai: { temperature: 0.5 } } },
      },
      'another host': { connectionConfig: { baseUrl: `${other.url}/v1` } },
      'another header': { headers: { 'x-tenant': 'b' } },
      'another key': { credentials: [{ envVarName: 'OPENAI_API_KEY', value: 'sk-of-another-user' }] },
      'no stream': { streamModelOutput: false },
      'a provider': {
        promptVersion: {
          ...promptVersion,
          customProviderId: await createProvider(server, 'openai-chat', endpoint.url),
        },
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const { callCount, runs } = await play({ ...input, ...change });
      assert.equal(callCount, 2, name);
      assert.ok(
        runs.every(({ isCached }) => !isCached),
        name,
      );
    }
    const repeated = await play({ ...input, repetitions: 2 });
    assert.deepEqual(repeated.runs.map(({ repetitionNumber, isCached }) => `${repetitionNumber} ${isCached}`).sort(), [
      '1 true',
      '1 true',
      '2 false',
      '2 false',
    ]);
    assert.equal((await play(await inputOf(2, 'Differ {{n}}', { useCache: true }))).callCount, 2, 'another dataset');
  });

  test('of calls that failed are not stored', async () => {
    const input = await jobs.inputOf(2, '[[fault 400 no]] {{n}}', { useCache: true });
    assert.equal((await play(input)).callCount, 2);
    assert.equal((await play(input)).callCount, 2);
  });

  test('are dropped with their dataset, by age, and above a total size', async () => {
    const { inputOf, server } = jobs;
    const url = server.databaseUrl;
    const count = async () =>
      Number((await query<{ n: string }>(url, 'select count(*) as n from cached_responses'))[0]!.n);
    const start = await count();
    const input = await inputOf(4, 'Old {{n}}', { useCache: true });
    await play(input);
    assert.equal(await count(), start + 4);
    await query(url, `update cached_responses set created_at = now() - interval '8 days'`);
    assert.equal((await play(input)).callCount, 4, 'too old');
    assert.equal(await count(), 4, 'what is too old is deleted');

    const { experimentJobs } = server.ports;
    const [{ size } = { size: 0 }] = await query<{ size: number }>(
      url,
      'select max(byte_count) as size from cached_responses',
    );
    await experimentJobs.evictCachedResponses({ ageMsMax: 1e9, bytesMax: 2 * size + 1 });
    assert.equal(await count(), 2);

    await server.ask(`mutation { deleteDataset(input: { datasetId: "${input.datasetId}" }) { dataset { id } } }`);
    assert.equal(await count(), 0);
  });
});
