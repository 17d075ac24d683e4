import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createDataset } from '../../../clients/typescript/client/src/datasets/index.ts';
import { createClient, type SpandrelClient } from '../../../clients/typescript/client/src/index.ts';
import { getPrompt, listPromptVersions } from '../../../clients/typescript/client/src/prompts/index.ts';
import { getSpans, logSpanAnnotations, logSpans } from '../../../clients/typescript/client/src/spans/index.ts';
import { calibrate, labelsFromServer } from '../../../clients/typescript/evals/src/calibration/index.ts';
import { attachJudge, chooseExamples, storeJudge } from '../../../clients/typescript/evals/src/improve/index.ts';
import {
  createCorrectnessEvaluator,
  createPreferenceEvaluator,
  withExamples,
} from '../../../clients/typescript/evals/src/metrics/judges/index.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../../e2e/server-process.ts';
import { createStudyModel, makeStudy } from './judge-studies.ts';

const BINDING = `query ($id: ID!) { node(id: $id) { ... on Dataset { datasetEvaluators { edges { node {
  id name inputMapping { pathMapping } evaluator { ... on LLMEvaluator { promptVersion { id } } }
  outputConfigs { ... on CategoricalAnnotationConfig { name optimizationDirection values { label score } } }
} } } } } }`;

describe('judges of the TypeScript library and a server', () => {
  let dataDir: string;
  let server: ServerProcess;
  let client: SpandrelClient;

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
    client = createClient({ options: { baseUrl: server.url } });
  });

  after(async () => {
    await server?.stop();
    await removeDataDir(dataDir);
  });

  test('the best version of a judge becomes an evaluator of a dataset', async () => {
    const name = 'judge-of-answers';
    const model = createStudyModel({ sensitivity: 0.7, specificity: 0.7 });
    const first = createCorrectnessEvaluator({ model, name });
    const examples = chooseExamples(first, await calibrate(first, makeStudy(120)), { count: 2 });
    const best = first.withJudge(withExamples(first.judge, examples));
    const vendor = { modelProvider: 'OPENAI', modelName: 'gpt-4o' };

    await storeJudge(first, { client, promptName: name, ...vendor });
    const version = await storeJudge(best, { client, promptName: name, ...vendor });
    const dataset = await createDataset({
      client,
      name,
      examples: [{ input: { question: 'q' }, output: { answer: 'a' } }],
    });
    const binding = { client, datasetId: dataset.datasetId, promptVersionId: version.id, ...vendor };
    const inputMapping = { input: '$.input.question', output: '$.output' };
    const attached = await attachJudge(best, { ...binding, inputMapping });

    const [found, ...others] = await listEvaluators(client, dataset.datasetId);
    assert.deepEqual(others, []);
    assert.deepEqual(found, {
      id: attached.id,
      name,
      inputMapping: { pathMapping: inputMapping },
      evaluator: { promptVersion: { id: version.id } },
      outputConfigs: [
        {
          ...{ name, optimizationDirection: 'MAXIMIZE' },
          values: [
            { label: 'correct', score: 1 },
            { label: 'incorrect', score: 0 },
          ],
        },
      ],
    });
    const stored = await getPrompt({ client, prompt: { name } });
    assert.match(JSON.stringify(stored?.template), /Example:.*Reason: People chose/);
    assert.equal((await listPromptVersions({ client, promptIdentifier: name })).length, 2);
    await assert.rejects(attachJudge(best, binding), /did not attach the judge: .*already/);
    await assert.rejects(
      storeJudge(createPreferenceEvaluator({ model }), { client, promptName: name, ...vendor }),
      /compares two texts/,
    );
    await assert.rejects(storeJudge(best, { client, promptName: name }), /vendor fake is unknown; give modelProvider/);
  });

  test('labels of people come from annotations, and those of judges do not count', async () => {
    const project = 'calibration of answers';
    const spans = Array.from({ length: 12 }, (_, number) => toSpan(number));
    await logSpans({ client, project, spans });
    await waitFor(async () => (await getSpans({ client, project }).toArray()).length === 12);
    const spanAnnotations = spans.slice(0, 10).flatMap(({ context }, number) => {
      const truth = number % 2 === 1 ? 'correct' : 'incorrect';
      return (
        [
          ['HUMAN', 'ann', truth],
          ['HUMAN', 'bob', number === 0 ? 'correct' : truth],
          ['LLM', 'judge', 'correct'],
        ] as const
      ).map(([annotatorKind, identifier, label]) => ({
        ...{ spanId: context.span_id, name: 'correctness', annotatorKind, identifier, label },
      }));
    });
    await logSpanAnnotations({ client, spanAnnotations, sync: true });

    const rows = await labelsFromServer({ client, project, annotationName: 'correctness' });

    assert.equal(rows.length, 10);
    assert.deepEqual(new Set(rows.map(({ labels }) => Object.keys(labels).length)), new Set([2]));
    assert.equal(rows.filter(({ label }) => label === undefined).length, 1, 'two people disagree on one span');
    const model = createStudyModel({ sensitivity: 1, specificity: 1 });
    const report = await calibrate(createCorrectnessEvaluator({ model }), rows);
    assert.equal(report.errorCount, 0);
    assert.equal(report.disagreements.length, 0);
    assert.ok(report.people?.itemCount === 10);
    await assert.rejects(
      labelsFromServer({ client, project, annotationName: 'other' }),
      /No person has given a label other to the 12 newest spans/,
    );
  });
});

async function listEvaluators(client: SpandrelClient, id: string): Promise<unknown[]> {
  const body = JSON.stringify({ query: BINDING, variables: { id } });
  const headers = { 'content-type': 'application/json' };
  const { data } = (await (await client.fetch('/graphql', { method: 'POST', headers, body })).json()) as {
    data: { node: { datasetEvaluators: { edges: { node: unknown }[] } } };
  };
  return data.node.datasetEvaluators.edges.map(({ node }) => node);
}

function toSpan(number: number) {
  const time = `2026-02-03T04:05:${String(number).padStart(2, '0')}+00:00`;
  return {
    ...{ name: 'answer', span_kind: 'LLM', start_time: time, end_time: time, status_code: 'OK' as const },
    context: { trace_id: `aa${String(number).padStart(30, '0')}`, span_id: `aa${String(number).padStart(14, '0')}` },
    attributes: { 'input.value': `q${number}`, 'output.value': `a${number} truth=${number % 2}` },
  };
}

async function waitFor(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await isTrue().catch(() => false))) {
    assert.ok(Date.now() < deadline, 'the spans are not readable after 30 s');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
