import {
  createClassificationEvaluator,
  createCriteriaEvaluator,
  createJudgeEvaluator,
  type EvaluatorBase,
  JUDGE_NAMES,
  type Model,
  readJudge,
} from '@spandrel/evals';
import * as code from '@spandrel/evals/code';
import { createJsonSchemaEvaluator } from '@spandrel/evals/json-schema';
import { UsageError } from '../../command-line/command.ts';
import type { EvaluationFile, EvaluatorEntry } from './evaluation-file.ts';

type Evaluator = EvaluatorBase;
type Options = Readonly<Record<string, unknown>>;

/** Name in the file → the metric. Options are checked by the metrics. */
const METRICS: Readonly<Record<string, (options: never) => unknown>> = {
  bleu: code.createBleuEvaluator,
  chrf: code.createChrfEvaluator,
  contains: code.createContainsEvaluator,
  cost_usd: code.createCostEvaluator,
  exact_match: code.createExactMatchEvaluator,
  json_distance: code.createJsonDistanceEvaluator,
  json_schema: createJsonSchemaEvaluator,
  json_valid: code.createValidJsonEvaluator,
  latency_ms: code.createLatencyEvaluator,
  levenshtein_distance: code.createLevenshteinEvaluator,
  list_overlap: code.createListOverlapEvaluator,
  matches_regex: code.createRegexEvaluator,
  numeric_difference: code.createNumericDifferenceEvaluator,
  rouge_l: code.createRougeLEvaluator,
  trajectory_match: code.createTrajectoryMatchEvaluator,
};

export const needsModel = ({ evaluators }: EvaluationFile): boolean =>
  evaluators.some((entry) => kindOf(entry) !== 'metric');

function kindOf({ judge, metric, prompt, options: { use } }: EvaluatorEntry): 'judge' | 'metric' | 'prompt' {
  if (judge !== undefined) return 'judge';
  if (metric !== undefined) return 'metric';
  if (prompt !== undefined) return 'prompt';
  return Object.hasOwn(METRICS, String(use)) ? 'metric' : 'judge';
}

/** @param model Undefined when the file has none. @throws {UsageError} for unknown names and wrong options */
export function buildEvaluators(
  file: EvaluationFile,
  model: Model | undefined,
  telemetry: object | undefined,
): Evaluator[] {
  return file.evaluators.map((entry, index) => {
    try {
      return buildEvaluator(entry, model, {
        ...(telemetry && { telemetry }),
        ...(file.model && { parameters: file.model.parameters }),
      });
    } catch (error) {
      throw new UsageError(`evaluators[${index}]: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

function buildEvaluator(entry: EvaluatorEntry, model: Model | undefined, common: Options): Evaluator {
  const { use, ...options } = entry.options;
  const kind = kindOf(entry);
  const own = {
    ...(entry.name !== undefined && { name: entry.name }),
    ...(entry.inputs && { inputMapping: entry.inputs }),
    ...(entry.direction !== undefined && { optimizationDirection: entry.direction.toUpperCase() as 'MAXIMIZE' }),
  };
  if (kind === 'metric') {
    const name = entry.metric ?? String(use);
    const create = Object.hasOwn(METRICS, name) ? METRICS[name] : undefined;
    if (!create) throw new UsageError(`There is no metric "${name}". Use one of ${Object.keys(METRICS).join(', ')}.`);
    return create({ ...options, ...own } as never) as Evaluator;
  }
  if (!model) throw new UsageError('A judge needs a model: add model with provider and name to the file.');
  const llm = { ...common, ...own, model, ...(entry.choices && { choices: entry.choices }) };
  if (kind === 'prompt') {
    if (!entry.choices || entry.name === undefined)
      throw new UsageError('A prompt needs a name, and choices such as { good: 1, bad: 0 }.');
    return createClassificationEvaluator({
      ...llm,
      name: entry.name,
      choices: entry.choices,
      promptTemplate: entry.prompt ?? '',
    }) as unknown as Evaluator;
  }
  const name = entry.judge ?? String(use);
  if (name === 'criteria')
    return createCriteriaEvaluator({ ...llm, criteria: String(options.criteria ?? '') }) as unknown as Evaluator;
  if (!JUDGE_NAMES.includes(name)) {
    throw new UsageError(
      `There is no judge or metric "${name}". Judges are ${JUDGE_NAMES.join(', ')}; metrics are ${Object.keys(METRICS).join(', ')}.`,
    );
  }
  return createJudgeEvaluator(readJudge(name), llm) as unknown as Evaluator;
}
