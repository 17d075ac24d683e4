import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../../metadata-store/fixtures.ts';
import type { VendorProtocol } from '../../../vendor-endpoint/vendor-call.ts';
import { categorical, mapping, promptOf } from '../evaluator-fixtures.ts';
import { createProvider, PROVIDERS } from './custom-providers.ts';
import { type JobServer, openJobServer, typesOf } from './job-server.ts';

const PROTOCOLS = Object.keys(PROVIDERS) as VendorProtocol[];
const RUNS = `query ($id: ID!) { node(id: $id) { ... on Experiment {
  annotationSummaries { annotationName count meanScore }
  runs(first: 100) { edges { node { example { id } repetitionNumber error trace { id }
    annotations(first: 10) { edges { node { name label score annotatorKind error trace { id numSpans } } } } } } } } } }`;

describe('five judges, one of each protocol', () => {
  const cleanUp = cleanUpAfter(after);
  let jobs: JobServer;
  before(async () => {
    jobs = await openJobServer({ after: cleanUp });
  });

  test('label every repetition of every example once', async () => {
    const { endpoint, server, inputOf, run } = jobs;
    const [exampleCount, repetitions] = [4, 3];
    const input = await inputOf(exampleCount, 'Say {{n}}', { repetitions, maxConcurrency: 6 });
    const labels: Record<string, string> = {};
    const evaluators: object[] = [];
    for (const [index, protocol] of PROTOCOLS.entries()) {
      const label = index % 2 === 0 ? 'good' : 'bad';
      labels[protocol] = label;
      const customProviderId = await createProvider(server, protocol, endpoint.url);
      const text = `[[label ${label}]] ${protocol} {{output}}`;
      const { createDatasetLlmEvaluator: created } = await server.ask(
        `mutation ($input: CreateDatasetLLMEvaluatorInput!) {
          createDatasetLlmEvaluator(input: $input) { evaluator { id } } }`,
        {
          input: {
            ...{ datasetId: input.datasetId, name: protocol, description: 'how good it is', inputMapping: mapping() },
            outputConfigs: [categorical(protocol)],
            promptVersion: promptOf(
              {
                ...{ template: { messages: [{ role: 'USER', content: [{ text: { text } }] }] }, customProviderId },
                ...PROVIDERS[protocol].prompt,
              },
              [protocol],
            ),
          },
        },
      );
      evaluators.push({ id: created.evaluator.id, name: protocol, inputMapping: mapping() });
    }

    const payloads = await run({ ...input, evaluators });
    const runCount = exampleCount * repetitions;
    assert.equal(typesOf(payloads, 'Result').length, runCount);
    const chunks = typesOf(payloads, 'EvaluationChunk');
    assert.deepEqual([...new Set(chunks.map(({ error }) => error))], [null]);
    assert.equal(chunks.length, runCount * PROTOCOLS.length);

    const { node } = await server.ask(RUNS, { id: payloads[0].experiment.id });
    const runs = node.runs.edges.map(({ node: one }: { node: object }) => one);
    assert.equal(runs.length, runCount);
    for (const one of runs) {
      assert.ok(one.trace && one.error === null);
      const given = one.annotations.edges.map(
        ({ node: evaluation }: { node: Evaluation }) => evaluation,
      ) as Evaluation[];
      assert.deepEqual(given.map(({ name }) => name).sort(), [...PROTOCOLS].sort());
      for (const { name, label, score, annotatorKind, error, trace } of given) {
        assert.deepEqual([label, score, annotatorKind, error], [labels[name], label === 'good' ? 1 : 0, 'LLM', null]);
        assert.ok(trace && trace.numSpans >= 3, 'a judge has a trace of its steps and its call');
      }
    }
    for (const protocol of PROTOCOLS) {
      const calls = endpoint.calls.filter((call) => call.protocol === protocol && call.prompt.text.includes(protocol));
      assert.equal(calls.length, runCount, protocol);
      const summary = node.annotationSummaries.find(
        ({ annotationName }: { annotationName: string }) => annotationName === protocol,
      );
      assert.deepEqual([summary.count, summary.meanScore], [runCount, labels[protocol] === 'good' ? 1 : 0]);
    }
  });
});

interface Evaluation {
  readonly name: string;
  readonly label: string;
  readonly score: number;
  readonly annotatorKind: string;
  readonly error: string | null;
  readonly trace: { readonly numSpans: number } | null;
}
