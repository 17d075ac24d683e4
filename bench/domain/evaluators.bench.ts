/**
 * How many targets does each built-in evaluator judge in a second, and what does a trace of the evaluation cost? How much time
 * does an LLM judge add to its model call, beside the call itself? The vendor's endpoint runs in this process and answers at once.
 */

import type { EvaluationContext } from '../../src/model/evaluators/evaluation.ts';
import { BUILT_IN_EVALUATORS } from '../../src/domain/evaluators/built-in-evaluators.ts';
import { runEvaluator } from '../../src/domain/evaluators/run/run-evaluator.ts';
import type { Runnable } from '../../src/domain/evaluators/run/runnable.ts';
import { resolveTarget } from '../../src/domain/playground/resolve-target.ts';
import { openTestServer } from '../../test/api/test-server.ts';
import { startVendorEndpoint } from '../../test/vendor-endpoint/vendor-endpoint.ts';
import { size } from '../whole-server/measure.ts';

const COUNT = size('EVALUATIONS', { smoke: 20, full: 2_000 });
const CALL_COUNT = size('CALLS', { smoke: 5, full: 200 });

const closing: (() => Promise<void>)[] = [];
const endpoint = await startVendorEndpoint();
closing.push(() => endpoint.close());
const { ports } = await openTestServer(
  { after: (work) => closing.push(work) },
  { variables: { OPENAI_API_KEY: 'sk-bench', OPENAI_BASE_URL: endpoint.url } },
);

const answer = 'The refund was sent on Monday, and it takes three days. '.repeat(20);
const context: EvaluationContext = {
  ...{ input: { question: 'Where is my money?' }, output: { text: answer, n: [1, 2, 3] }, metadata: {} },
  reference: { text: answer.replaceAll('Monday', 'Tuesday'), n: [1, 2, 4] },
};
const MAPPINGS: Readonly<Record<string, Runnable['inputMapping']>> = {
  contains: { paths: { text: '$.output.text' }, literals: { words: 'refund, return' } },
  exact_match: { paths: { actual: '$.output.text', expected: '$.reference.text' }, literals: {} },
  regex: { paths: { text: '$.output.text' }, literals: { pattern: '\\b(Mon|Tues)day\\b' } },
  levenshtein_distance: { paths: { actual: '$.output.text', expected: '$.reference.text' }, literals: {} },
  json_distance: { paths: { actual: '$.output', expected: '$.reference' }, literals: {} },
};
const { signal } = new AbortController();
const options = { signal, credentials: {}, projectName: null };

async function run(
  runnable: Runnable,
  count: number,
  concurrency: number,
  projectName: string | null,
): Promise<number> {
  const startedAt = performance.now();
  let started = 0;
  const work = async () => {
    while (started++ < count) {
      const { evaluations } = await runEvaluator(ports, runnable, context, { ...options, projectName });
      if (evaluations[0]?.error !== null) throw new Error(evaluations[0]?.error);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return (performance.now() - startedAt) / 1_000;
}

for (const { key, inputSchema, outputConfigs } of BUILT_IN_EVALUATORS) {
  const inputMapping = MAPPINGS[key] ?? { paths: {}, literals: {} };
  const runnable: Runnable = {
    kind: 'BUILTIN',
    name: key,
    key,
    inputSchema,
    outputConfigs,
    inputMapping,
    projectName: null,
  };
  await run(runnable, Math.ceil(COUNT / 10), 10, null);
  const plain = COUNT / (await run(runnable, COUNT, 10, null));
  const traced = COUNT / (await run(runnable, COUNT, 10, 'evaluations'));
  console.log(`${key}: ${plain.toFixed(0)} evaluated/s, with a durable trace ${traced.toFixed(0)}/s`);
}

const judge: Runnable = {
  ...{ kind: 'LLM', name: 'judge', promptName: 'judge', promptVersionRowId: null, projectName: null },
  inputMapping: { paths: { output: '$.output.text' }, literals: {} },
  outputConfigs: [
    {
      ...{ type: 'CATEGORICAL', name: 'quality', description: null, optimizationDirection: 'MAXIMIZE' },
      values: [
        { label: 'good', score: 1 },
        { label: 'bad', score: 0 },
      ],
    },
  ],
  prompt: {
    ...{ modelProvider: 'OPENAI', modelName: 'gpt-4o', templateFormat: 'MUSTACHE', responseFormat: null },
    template: { type: 'chat', messages: [{ role: 'user', content: 'Judge {{output}}' }] },
    invocationParameters: { type: 'openai', openai: {} },
    tools: {
      type: 'tools',
      tool_choice: { type: 'one_or_more' },
      tools: [
        {
          type: 'function',
          function: {
            name: 'quality',
            parameters: {
              type: 'object',
              properties: { label: { type: 'string', enum: ['good', 'bad'], description: 'quality' } },
              required: ['label'],
            },
          },
        },
      ],
    },
  },
};

/** The same calls without an evaluator around them. */
async function callAlone(count: number): Promise<number> {
  const { prompt } = judge.kind === 'LLM' ? judge : (undefined as never);
  const target = await resolveTarget(ports, {
    ...{ modelProvider: 'OPENAI', modelName: prompt.modelName, connection: null, headers: null, credentials: {} },
  });
  const model = ports.chatModels.open(target);
  const startedAt = performance.now();
  for (let index = 0; index < count; index++) {
    await model.call(
      {
        messages: [{ role: 'user', parts: [{ type: 'text', text: `Judge ${answer}` }] }],
        ...{ tools: prompt.tools, responseFormat: null, parameters: prompt.invocationParameters, isStreamed: false },
      },
      { signal, onPiece: () => undefined },
    );
  }
  return (performance.now() - startedAt) / count;
}

await callAlone(Math.ceil(CALL_COUNT / 10));
const alone = await callAlone(CALL_COUNT);
const plain = ((await run(judge, CALL_COUNT, 1, null)) * 1_000) / CALL_COUNT;
const traced = ((await run(judge, CALL_COUNT, 1, 'evaluations')) * 1_000) / CALL_COUNT;
console.log(
  `judge: ${alone.toFixed(2)} ms for the call alone, ${(plain - alone).toFixed(2)} ms more with the evaluator, ${(traced - plain).toFixed(2)} ms more with a durable trace`,
);
for (const close of closing.reverse()) await close();
