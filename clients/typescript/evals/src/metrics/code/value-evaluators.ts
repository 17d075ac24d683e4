import { ArgumentError, InputError } from '../../errors.ts';
import type { EvalRecord } from '../../evaluators/input-mapping.ts';
import { costOf } from '../../models/prices/model-prices.ts';
import { ownValue } from '../../own-value.ts';
import type { EvaluationResult } from '../../scores/score.ts';
import { type ListOverlap, listOverlap } from '../lists.ts';
import { cosineSimilarity, numericDifference } from '../numbers.ts';
import { matchTrajectory, type ToolCall, type TrajectoryMode } from '../trajectory.ts';
import {
  type CodeMetric,
  type CodeMetricOptions,
  defineMetric,
  readField,
  readList,
  readText,
  toVerdict,
} from './code-metric.ts';

export interface NumericDifferenceOptions extends CodeMetricOptions {
  /** Whether the difference is a share of the expected number. */
  readonly relative?: boolean;
}

/** Distance of the numbers `output` and `expected`. Lower is better. */
export const createNumericDifferenceEvaluator = ({
  relative = false,
  ...options
}: NumericDifferenceOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'numeric_difference',
    direction: 'MINIMIZE',
    settings: { relative },
    measure: (record) => ({
      score: numericDifference(readField(record, 'output'), readField(record, 'expected'), { isRelative: relative }),
    }),
  });

export interface ListOverlapOptions extends CodeMetricOptions {
  /** Which overlap is the score. `jaccard` by default; the others are in the metadata. */
  readonly measure?: keyof ListOverlap;
}

/** How many items the lists `output` and `expected` share, in any order. */
export function createListOverlapEvaluator({ measure = 'jaccard', ...options }: ListOverlapOptions = {}): CodeMetric {
  if (!['jaccard', 'precision', 'recall', 'f1'].includes(measure)) {
    throw new ArgumentError(`Expected jaccard, precision, recall or f1 as measure, received ${String(measure)}.`);
  }
  return defineMetric(options, {
    name: 'list_overlap',
    settings: { measure },
    measure(record) {
      const overlap = listOverlap(readList(record, 'output'), readList(record, 'expected'));
      return { score: overlap[measure], metadata: { ...overlap } };
    },
  });
}

export interface EmbeddingSimilarityOptions extends CodeMetricOptions {
  /** Vectors of texts, in their order. */
  readonly embed: (texts: readonly string[]) => Promise<readonly ArrayLike<number>[]> | readonly ArrayLike<number>[];
}

/** Cosine of the vectors of `output` and `expected`, from −1 to 1. */
export const createEmbeddingSimilarityEvaluator = ({ embed, ...options }: EmbeddingSimilarityOptions): CodeMetric =>
  defineMetric(options, {
    name: 'embedding_similarity',
    settings: { embed: String(embed) },
    async measure(record) {
      const vectors = await embed([readText(record, 'output'), readText(record, 'expected')]);
      const [output, expected] = vectors;
      if (!output || !expected) throw new InputError(`Expected two vectors of embed, received ${vectors.length}.`);
      return { score: cosineSimilarity(output, expected) };
    },
  });

export interface TrajectoryMatchOptions extends CodeMetricOptions {
  /** `exact` by default. */
  readonly mode?: TrajectoryMode;
}

/** Whether the tool calls `output` are those of `expected`. */
export const createTrajectoryMatchEvaluator = ({
  mode = 'exact',
  ...options
}: TrajectoryMatchOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'trajectory_match',
    settings: { mode },
    measure(record) {
      const [output, expected] = [readList(record, 'output'), readList(record, 'expected')];
      const isMatch = matchTrajectory(output as readonly ToolCall[], expected as readonly ToolCall[], { mode });
      const counts = `${output.length} calls, ${expected.length} expected`;
      return toVerdict(isMatch, `The calls are ${isMatch ? '' : 'not '}the expected ones (${mode}; ${counts}).`);
    },
  });

export interface LatencyOptions extends CodeMetricOptions {
  /** The label is `within` up to this duration, else `over`. */
  readonly maximumMs?: number;
}

/** Duration in milliseconds: `latencyMs`, or the time from `startTime` to `endTime`. Lower is better. */
export const createLatencyEvaluator = ({ maximumMs, ...options }: LatencyOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'latency_ms',
    direction: 'MINIMIZE',
    settings: { maximumMs },
    measure(record) {
      const given = ownValue(record, 'latencyMs') ?? ownValue(record, 'latency_ms');
      const latencyMs = given === undefined ? timeOf(record, 'endTime') - timeOf(record, 'startTime') : given;
      return withinMaximum(checkSize(latencyMs, 'latencyMs'), maximumMs);
    },
  });

export interface CostOptions extends CodeMetricOptions {
  /** Highest cost in US dollars with the label `within`; above it is `over`. */
  readonly maximum?: number;
  /** US dollars for a million tokens. By default those of the price table for the `model` of the row. */
  readonly price?: { readonly prompt: number; readonly completion: number };
}

/** Cost in US dollars: `cost`, else that of `promptTokens` and `completionTokens`. Lower is better. */
export const createCostEvaluator = ({ maximum, price, ...options }: CostOptions = {}): CodeMetric =>
  defineMetric(options, {
    name: 'cost_usd',
    direction: 'MINIMIZE',
    settings: { maximum, price },
    measure(record) {
      const given = ownValue(record, 'cost') ?? costOfTokens(record, price);
      return withinMaximum(checkSize(given, 'cost'), maximum);
    },
  });

/** Fields of tokens: of this metric, of tables, and of the metadata of scores. */
const PROMPT_FIELDS = ['promptTokens', 'prompt_tokens', 'inputTokens'];
const COMPLETION_FIELDS = ['completionTokens', 'completion_tokens', 'outputTokens'];

function costOfTokens(record: EvalRecord, price: CostOptions['price']): number {
  const model = ownValue(record, 'model');
  if (!price && typeof model !== 'string') {
    readField(record, 'cost');
    throw new InputError('The row has no cost; give it one, or a model with promptTokens and completionTokens.');
  }
  const read = ([name = '', ...others]: readonly string[]) =>
    checkSize(
      [name, ...others].map((each) => ownValue(record, each)).find((value) => value !== undefined),
      name,
    );
  const usage = { inputTokens: read(PROMPT_FIELDS), outputTokens: read(COMPLETION_FIELDS) };
  const prices = price && { input: price.prompt, output: price.completion };
  const cost = costOf({ name: String(model), ...(prices && { prices }) }, usage);
  if (cost !== undefined) return cost;
  throw new InputError(
    `The price of the model ${JSON.stringify(String(model).slice(0, 100))} is unknown; give the row a cost, or pass price.`,
  );
}

const withinMaximum = (score: number, maximum: number | undefined): EvaluationResult =>
  maximum === undefined ? { score } : { score, label: score <= maximum ? 'within' : 'over' };

function checkSize(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new InputError(`Expected a number from 0 as ${name}, received ${String(value).slice(0, 50)}.`);
}

/** Milliseconds since 1970 of a Date, an ISO text or a number. */
function timeOf(record: Readonly<Record<string, unknown>>, name: string): number {
  const value = readField(record, name);
  const time = value instanceof Date || typeof value === 'string' ? new Date(value).getTime() : value;
  if (typeof time === 'number' && Number.isFinite(time)) return time;
  throw new InputError(`Expected a time as ${name}, received ${String(value).slice(0, 50)}.`);
}
