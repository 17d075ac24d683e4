import { type ExactJson, toExactJsonText } from '../../../base/exact-json.ts';
import { nowUnixNano } from '../../../base/now-unix-nano.ts';
import { SpandrelError } from '../../../model/errors.ts';
import {
  ESTIMATE_CASE_COUNT_MAX,
  ESTIMATE_EVALUATOR_COUNT_MAX,
  ESTIMATE_SAMPLE_COUNT_MAX,
  ESTIMATE_VARIANT_COUNT_MAX,
} from '../../../model/limits/chat.ts';
import { MODEL_VENDORS } from '../../../model/models/model-vendors.ts';
import { PriceTable } from '../../../model/models/price-table.ts';
import { computeCost, PICO_PER_DOLLAR } from '../../../model/models/span-cost.ts';
import type { TaskVariables } from '../../../model/playground/chat-task.ts';
import type { PromptContent } from '../../../model/prompts/prompt.ts';
import type { ExampleSelection } from '../../datasets/read-examples.ts';
import { loadRunnable } from '../../evaluators/run/load-runnable.ts';
import type { RunnableLlm } from '../../evaluators/run/runnable.ts';
import type { Ports } from '../../ports.ts';
import { renderMessages } from '../run-chat-task.ts';
import { toMessages } from '../to-messages.ts';
import { add, type Range, times, tokensOfBytes, tokensOfMessages, tokensOfResponse } from './estimate-tokens.ts';
import { type CasePaths, type CaseSample, type SampledCase, sampleExamples, sampleVariables } from './sample-cases.ts';

export interface RunPlan {
  readonly variants: readonly Omit<PromptContent, 'description'>[];
  /** The examples of a dataset; or the number of cases, with the variables of some of them. */
  readonly cases:
    | { readonly examples: ExampleSelection; readonly paths: CasePaths }
    | { readonly count: number; readonly variables: readonly TaskVariables[] };
  readonly repetitions: number;
  readonly maxConcurrency: number;
  readonly datasetEvaluatorRowIds: readonly number[];
}

/** What a run is likely to need. Ranges are wide on purpose: tokenizers and models differ. */
export interface CallEstimate {
  readonly callCount: number;
  readonly promptTokens: Range;
  readonly completionTokens: Range;
  /** US dollars. Null when a model has no price. */
  readonly cost: Range | null;
  readonly durationMs: Range;
}

export interface RunEstimate extends CallEstimate {
  readonly caseCount: number;
  readonly sampledCaseCount: number;
  /** Sampled cases whose variables do not fill a template. Their calls are not made. */
  readonly unrenderedCaseCount: number;
  readonly variants: readonly CallEstimate[];
  /** All judges together. */
  readonly evaluators: CallEstimate;
}

type Parts = Pick<
  Ports,
  'datasets' | 'evaluators' | 'models' | 'projects' | 'prompts' | 'sandboxes' | 'allowedSandboxes'
>;

/** @throws {SpandrelError} `QUERY_INVALID` for a plan that is too large; as `loadRunnable` */
export async function estimateRun(ports: Parts, plan: RunPlan): Promise<RunEstimate> {
  checkPlan(plan);
  const { cases, variants } = plan;
  const sample =
    'examples' in cases
      ? await sampleExamples(ports, cases.examples, cases.paths)
      : sampleVariables(cases.count, cases.variables.slice(0, ESTIMATE_SAMPLE_COUNT_MAX));
  const judges = await loadJudges(ports, plan.datasetEvaluatorRowIds);
  const prices = new PriceTable(await ports.models.list());
  const estimates = variants.map((prompt) => estimateVariant(prompt, sample, plan, prices));
  const evaluators = sum(
    estimates.flatMap(({ estimate }) => judges.map((judge) => estimateJudge(judge, estimate, sample, plan, prices))),
  );
  const whole = sum([...estimates.map(({ estimate }) => estimate), evaluators]);
  return {
    ...whole,
    caseCount: sample.caseCount,
    sampledCaseCount: sample.cases.length,
    unrenderedCaseCount: Math.max(0, ...estimates.map(({ unrenderedCount }) => unrenderedCount)),
    variants: estimates.map(({ estimate }) => estimate),
    evaluators,
  };
}

function checkPlan({ variants, cases, repetitions, maxConcurrency, datasetEvaluatorRowIds }: RunPlan): void {
  const invalid = (message: string) => {
    throw new SpandrelError('QUERY_INVALID', message);
  };
  const isOver = (count: number, max: number) => !(count >= 0 && count <= max);
  if (isOver(variants.length, ESTIMATE_VARIANT_COUNT_MAX)) invalid(`At most ${ESTIMATE_VARIANT_COUNT_MAX} variants`);
  if (isOver(datasetEvaluatorRowIds.length, ESTIMATE_EVALUATOR_COUNT_MAX)) {
    invalid(`At most ${ESTIMATE_EVALUATOR_COUNT_MAX} evaluators`);
  }
  if ('count' in cases && isOver(cases.count, ESTIMATE_CASE_COUNT_MAX)) {
    invalid(`The number of cases must be from 0 to ${ESTIMATE_CASE_COUNT_MAX}`);
  }
  if (!(repetitions >= 1) || !(maxConcurrency >= 1)) invalid('Repetitions and concurrency must be at least 1');
}

/** Built-in evaluators and code call no model. */
async function loadJudges(ports: Parts, rowIds: readonly number[]): Promise<RunnableLlm[]> {
  const runnables = await Promise.all(rowIds.map((rowId) => loadRunnable(ports, rowId)));
  return runnables.flatMap((runnable) => (runnable.kind === 'LLM' ? runnable : []));
}

function estimateVariant(
  prompt: Omit<PromptContent, 'description'>,
  { caseCount, cases }: CaseSample,
  { repetitions, maxConcurrency }: RunPlan,
  prices: PriceTable,
): { readonly estimate: CallEstimate; readonly unrenderedCount: number } {
  const { modelName, invocationParameters: parameters } = prompt;
  const tools = toolTokens(prompt);
  const calls = cases.flatMap((one) => {
    const promptTokens = renderedTokens(prompt, one);
    if (promptTokens === undefined) return [];
    const completionTokens = tokensOfResponse(one.expectedBytes, { modelName, parameters });
    return { promptTokens: add(promptTokens, tools), completionTokens };
  });
  const unrenderedCount = cases.length - calls.length;
  // Without a sample, the template alone is counted.
  const known =
    cases.length > 0
      ? calls
      : [
          {
            promptTokens: add(tokensOfMessages(toMessages(prompt.template)), tools),
            completionTokens: tokensOfResponse(undefined, { modelName, parameters }),
          },
        ];
  const share = cases.length === 0 ? 1 : calls.length / cases.length;
  const callCount = Math.round(caseCount * share) * repetitions;
  return { estimate: toEstimate(prompt, meanOf(known), { callCount, maxConcurrency }, prices), unrenderedCount };
}

function renderedTokens(prompt: Omit<PromptContent, 'description'>, one: SampledCase): Range | undefined {
  try {
    return add(tokensOfMessages(renderMessages({ prompt }, one.variables)), tokensOfBytes(one.appendedBytes));
  } catch (error) {
    if (error instanceof SpandrelError) return undefined;
    throw error;
  }
}

const toolTokens = ({ tools, responseFormat }: Pick<PromptContent, 'tools' | 'responseFormat'>): Range =>
  tokensOfBytes(
    [tools, responseFormat]
      .filter((part) => part !== null)
      .reduce((bytes, part) => bytes + toExactJsonText(part as unknown as ExactJson).length, 0),
  );

/** A label with an explanation. */
const VERDICT_TOKENS: Range = { low: 15, high: 400 };

function estimateJudge(
  { prompt }: RunnableLlm,
  variant: CallEstimate,
  { cases }: CaseSample,
  { maxConcurrency }: RunPlan,
  prices: PriceTable,
): CallEstimate {
  const contextBytes = cases.reduce((bytes, one) => bytes + one.contextBytes, 0) / Math.max(1, cases.length);
  const template = add(tokensOfMessages(toMessages(prompt.template)), toolTokens(prompt));
  const output = times(variant.completionTokens, 1 / Math.max(1, variant.callCount));
  // A mapping may leave out parts of the example.
  const inputs = { low: output.low, high: tokensOfBytes(contextBytes).high + output.high };
  const call = { promptTokens: add(template, inputs), completionTokens: VERDICT_TOKENS };
  return toEstimate(prompt, call, { callCount: variant.callCount, maxConcurrency }, prices);
}

type CallTokens = Pick<CallEstimate, 'promptTokens' | 'completionTokens'>;

const NOTHING: Range = { low: 0, high: 0 };

function meanOf(calls: readonly CallTokens[]): CallTokens {
  const mean = (of: (call: CallTokens) => Range) =>
    times(calls.map(of).reduce(add, NOTHING), 1 / Math.max(1, calls.length));
  return { promptTokens: mean((call) => call.promptTokens), completionTokens: mean((call) => call.completionTokens) };
}

function toEstimate(
  { modelName, modelProvider }: Pick<PromptContent, 'modelName' | 'modelProvider'>,
  { promptTokens, completionTokens }: CallTokens,
  { callCount, maxConcurrency }: { readonly callCount: number; readonly maxConcurrency: number },
  prices: PriceTable,
): CallEstimate {
  const now = nowUnixNano();
  const price = prices.find(modelName, MODEL_VENDORS[modelProvider].providerWord, now);
  const dollarsOf = (prompt: number, completion: number): number | undefined => {
    const none: ReadonlyMap<string, number> = new Map();
    const counts = { prompt: Math.round(prompt), completion: Math.round(completion), total: undefined };
    const cost = price && computeCost({ ...counts, promptDetails: none, completionDetails: none }, price);
    return cost && ((cost.promptPico ?? 0) + (cost.completionPico ?? 0)) / PICO_PER_DOLLAR;
  };
  const low = dollarsOf(promptTokens.low, completionTokens.low);
  const high = dollarsOf(promptTokens.high, completionTokens.high);
  const roundCount = Math.ceil(callCount / maxConcurrency);
  return {
    callCount,
    promptTokens: rounded(times(promptTokens, callCount)),
    completionTokens: rounded(times(completionTokens, callCount)),
    cost: low === undefined || high === undefined ? null : times({ low, high }, callCount),
    durationMs: rounded({
      low: roundCount * callMs(completionTokens.low, 'fast'),
      high: roundCount * callMs(completionTokens.high, 'slow'),
    }),
  };
}

/** Models begin after a while, and write some tokens in a second. */
const PACES = { fast: { firstMs: 300, tokensPerSecond: 150 }, slow: { firstMs: 2_000, tokensPerSecond: 25 } } as const;

const callMs = (tokens: number, pace: keyof typeof PACES): number =>
  PACES[pace].firstMs + (tokens / PACES[pace].tokensPerSecond) * 1_000;

const rounded = ({ low, high }: Range): Range => ({ low: Math.floor(low), high: Math.ceil(high) });

function sum(estimates: readonly CallEstimate[]): CallEstimate {
  const total = (of: (estimate: CallEstimate) => Range) => estimates.map(of).reduce(add, NOTHING);
  const costs = estimates.map(({ cost }) => cost);
  return {
    callCount: estimates.reduce((count, estimate) => count + estimate.callCount, 0),
    promptTokens: total(({ promptTokens }) => promptTokens),
    completionTokens: total(({ completionTokens }) => completionTokens),
    cost: costs.every((cost) => cost !== null) ? costs.reduce(add, NOTHING) : null,
    durationMs: total(({ durationMs }) => durationMs),
  };
}
