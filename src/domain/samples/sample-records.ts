import { createHash } from 'node:crypto';
import type { ExactJsonObject } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import type { NewExample } from '../../model/dataset.ts';
import type { NewExperimentEvaluation, NewExperimentRun } from '../../model/experiment.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';
import type { PromptContent } from '../../model/prompts/prompt.ts';
import { toExampleContent } from '../datasets/example-content.ts';
import type { NewSpan } from '../spans/new-span.ts';
import type { SupportCase, WrittenAnswer } from './support-case.ts';
import {
  brevityOf,
  countWords,
  fractionOf,
  SAMPLE_EXPERIMENTS,
  SAMPLE_MARK,
  SAMPLE_MODEL,
  SAMPLE_REVIEWS,
  SAMPLE_SPLITS,
  SAMPLE_VERSIONS,
} from './support-sample.ts';

/** Parses a value that this code has written, so that its numbers are exact. */
export const toExact = (value: object): ExactJsonObject =>
  parseExactJson(JSON.stringify(value), { depthMax: BODY_JSON_DEPTH_MAX }) as ExactJsonObject;

export const SAMPLE_CASES: readonly SupportCase[] = SAMPLE_SPLITS.flatMap(({ cases }) => cases);

export const toExamples = (): NewExample[] =>
  SAMPLE_SPLITS.flatMap(({ name, cases }) =>
    cases.map(({ id, question, reference }) => ({
      ...toExampleContent({
        input: toExact({ question }),
        output: toExact({ answer: reference }),
        metadata: toExact({ sample: SAMPLE_MARK, topic: name.replace('sample: ', '') }),
      }),
      id,
      spanRowId: null,
      splits: [name],
    })),
  );

export const toPromptContent = ({ description, system }: (typeof SAMPLE_VERSIONS)[number]): PromptContent => ({
  description,
  modelProvider: 'OPENAI',
  modelName: SAMPLE_MODEL,
  template: {
    type: 'chat',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: '{{question}}' },
    ],
  },
  templateFormat: 'MUSTACHE',
  invocationParameters: { type: 'openai', openai: {} },
  tools: null,
  responseFormat: null,
});

/** A run of the sample with the data of its trace. */
export interface SampleRun {
  readonly one: SupportCase;
  readonly answer: WrittenAnswer;
  readonly error: string | null;
  readonly traceId: string;
  readonly startMicros: bigint;
  readonly latencyMs: number;
}

const MINUTE_MICROS = 60_000_000n;

/** Runs of one experiment, one after the other. @param endMicros End of the experiment */
export function toRuns(index: number, projectName: string, endMicros: bigint): SampleRun[] {
  const experiment = SAMPLE_EXPERIMENTS[index];
  if (!experiment) throw new Error(`the sample has no experiment ${index}`);
  const { answerOf, failed, latency } = experiment;
  let startMicros = endMicros - 4n * MINUTE_MICROS;
  return SAMPLE_CASES.map((one) => {
    const answer = answerOf(one);
    const error = failed.get(one.id) ?? null;
    const spread = fractionOf(`${index}:${one.id}`) * latency.spread;
    const latencyMs = error?.startsWith('Timeout')
      ? 10_000
      : Math.round(latency.base + (error === null ? countWords(answer.text) * latency.perWord : 0) + spread);
    const run = { one, answer, error, latencyMs, startMicros, traceId: hashOf(`${projectName}:${one.id}`, 32) };
    startMicros += BigInt(latencyMs + 400) * 1_000n;
    return run;
  });
}

const hashOf = (text: string, length: number): string =>
  createHash('sha256').update(text).digest('hex').slice(0, length);

export const toNewRun = (
  { answer, error, traceId, startMicros, latencyMs }: SampleRun,
  exampleRowId: number,
): NewExperimentRun => ({
  exampleRowId,
  repetitionNumber: 1,
  output: error === null ? JSON.stringify({ answer: answer.text }) : 'null',
  startMicros,
  endMicros: startMicros + BigInt(latencyMs) * 1_000n,
  traceId,
  error,
});

/** Evaluations of a run that has succeeded. */
export function toEvaluations(
  index: number,
  { one, answer, startMicros, latencyMs }: SampleRun,
): NewExperimentEvaluation[] {
  const at = startMicros + BigInt(latencyMs) * 1_000n;
  const metadata = JSON.stringify({ sample: SAMPLE_MARK });
  const common = { traceId: null, error: null, metadata, startMicros: at, endMicros: at + 1_000n };
  const review = SAMPLE_REVIEWS.get(one.id)?.[index] ?? null;
  const brevity = brevityOf(answer.text);
  return [
    {
      ...common,
      name: 'correctness',
      annotatorKind: 'LLM',
      label: LABELS.get(answer.correctness) ?? null,
      score: answer.correctness,
      explanation: answer.reason ?? 'Agrees with the expected answer.',
    },
    {
      ...common,
      name: 'brevity',
      annotatorKind: 'CODE',
      label: null,
      score: brevity,
      explanation: `${countWords(answer.text)} words; 1 up to 15 words.`,
    },
    ...(review === null
      ? []
      : [
          {
            ...common,
            name: 'helpful',
            annotatorKind: 'HUMAN' as const,
            label: review === 1 ? 'helpful' : 'unhelpful',
            score: review,
            explanation: null,
          },
        ]),
  ];
}

const LABELS: ReadonlyMap<number, string> = new Map([
  [1, 'correct'],
  [0.5, 'incomplete'],
  [0, 'wrong'],
]);

/** The trace of a run: a chain and its model call, which names the version of the prompt. */
export function toSpans(index: number, run: SampleRun, versionId: string): NewSpan[] {
  const { one, answer, error, traceId, startMicros, latencyMs } = run;
  const start = startMicros * 1_000n;
  const end = start + BigInt(latencyMs) * 1_000_000n;
  const rootId = hashOf(`${traceId}:root`, 16);
  const system = SAMPLE_VERSIONS[index]?.system ?? '';
  const promptTokens = 40 + Math.ceil(one.question.length / 4) + (SAMPLE_EXPERIMENTS[index]?.contextTokenCount ?? 0);
  const status =
    error === null ? { statusCode: 'OK', statusMessage: '' } : { statusCode: 'ERROR', statusMessage: error };
  const common = { traceId, ...status, events: error === null ? [] : [toException(error, end)] };
  const marked = { metadata: JSON.stringify({ sample: SAMPLE_MARK, question: one.id }) };
  return [
    {
      ...common,
      name: 'answer_question',
      spanId: rootId,
      parentId: null,
      spanKind: 'CHAIN',
      startTimeUnixNano: start,
      endTimeUnixNano: end,
      attributes: toExact({
        ...marked,
        'input.value': one.question,
        ...(error === null && { 'output.value': answer.text }),
      }),
    },
    {
      ...common,
      name: 'ask_model',
      spanId: hashOf(`${traceId}:model`, 16),
      parentId: rootId,
      spanKind: 'LLM',
      startTimeUnixNano: start + 2_000_000n,
      endTimeUnixNano: end - 1_000_000n,
      attributes: toExact({
        ...marked,
        'llm.model_name': SAMPLE_MODEL,
        'llm.provider': 'openai',
        'llm.prompt_template.version': versionId,
        'llm.prompt_template.variables': JSON.stringify({ question: one.question }),
        'llm.input_messages': [
          { message: { role: 'system', content: system } },
          { message: { role: 'user', content: one.question } },
        ],
        'input.value': one.question,
        ...(error === null && {
          'output.value': answer.text,
          'llm.output_messages': [{ message: { role: 'assistant', content: answer.text } }],
          'llm.token_count.prompt': promptTokens,
          'llm.token_count.completion': Math.ceil(countWords(answer.text) * 1.4),
        }),
      }),
    },
  ];
}

const toException = (error: string, timeUnixNano: bigint) => ({
  name: 'exception',
  timeUnixNano,
  attributes: toExact({ 'exception.type': error.split(':')[0], 'exception.message': error }),
});
