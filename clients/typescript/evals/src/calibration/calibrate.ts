import { describeType, InputError } from '../errors.ts';
import { toChoices } from '../evaluators/choices.ts';
import { ClassificationEvaluator } from '../evaluators/classification-evaluator.ts';
import type { EvaluatorBase } from '../evaluators/evaluator-base.ts';
import { type EvalRecord, mapInput } from '../evaluators/input-mapping.ts';
import { JudgeEvaluator, toCamelCase } from '../metrics/judges/judge-evaluator.ts';
import { shownText } from '../metrics/judges/judge-file.ts';
import { ownValue } from '../own-value.ts';
import { type EvaluateRunOptions, evaluate } from '../runner/evaluation-run.ts';
import { compareCodePoints } from '../statistics/confusion.ts';
import { toText } from '../templates/format-template.ts';
import { CalibrationReport } from './calibration-report.ts';
import { type LabelledRow, type LabelSource, type ReadLabelsOptions, readLabels } from './labelled-rows.ts';
import { type JudgedRow, measure } from './measures.ts';

/** Options of the run, such as `concurrency`, `cache`, `checkpoint` and `maxCost`. */
export type RunOptions = Omit<EvaluateRunOptions<EvalRecord>, 'data' | 'evaluators' | 'repetition'>;

export interface CalibrateOptions extends ReadLabelsOptions {
  /** The label whose rate matters. By default the one with the highest score. */
  readonly positive?: string;
  /** The labels from low to high, for a weighted kappa. By default by their scores, if there are more than two. */
  readonly order?: readonly string[];
  readonly run?: RunOptions;
}

/**
 * Runs an evaluator over rows that people have labelled, and compares.
 *
 * @throws {InputError} if a label of people is none of the evaluator's, or a row that measures is an example in its prompt
 */
export async function calibrate(
  evaluator: EvaluatorBase<EvalRecord>,
  labels: LabelSource,
  { positive, order, run = {}, ...reading }: CalibrateOptions = {},
): Promise<CalibrationReport> {
  const rows = await readLabels(labels, reading);
  const known = checkLabels(evaluator, rows, { positive, order });
  const { rows: evaluated } = await evaluate({ ...run, data: rows.map(({ row }) => row), evaluators: [evaluator] });
  let judge: Readonly<Record<string, unknown>> = {};
  const judged = rows.map((labelled, index): JudgedRow => {
    const found = evaluated[index];
    const score = found?.scores[evaluator.name] ?? undefined;
    if (score?.metadata && Object.keys(judge).length === 0) judge = pickIdentity(score.metadata);
    const { label, score: value, explanation } = score ?? {};
    const details = found?.details[evaluator.name];
    const missing = score && `The evaluator ${evaluator.name} gave no label; a calibration compares labels.`;
    const error =
      label !== undefined ? undefined : (missing ?? details?.exceptions.at(-1) ?? 'The evaluator did not run.');
    return { labelled, label, score: value, explanation, error };
  });
  const wanted = positiveLabel(evaluator, known, positive);
  const ordered = order ?? (known.length > 2 ? orderByScores(evaluator) : undefined);
  const part = (split: LabelledRow['split']) =>
    measure(
      judged.filter(({ labelled }) => labelled.split === split),
      wanted,
      known,
      ordered,
    );
  return new CalibrationReport({
    evaluator: evaluator.name,
    judge,
    heldOut: part('held_out'),
    tuning: part('tuning'),
    rows: judged,
  });
}

const pickIdentity = ({ model, judge, version }: Readonly<Record<string, unknown>>) => ({
  ...(model !== undefined && { model }),
  ...(judge !== undefined && { judge }),
  ...(version !== undefined && { version }),
});

/** Labels of the evaluator; those of people if it does not say which it has. */
function checkLabels(
  evaluator: EvaluatorBase<EvalRecord>,
  rows: readonly LabelledRow[],
  { positive, order = [] }: { readonly positive: string | undefined; readonly order: readonly string[] | undefined },
): string[] {
  const given = new Set(rows.flatMap(({ labels }) => Object.values(labels)));
  const own = labelsOf(evaluator);
  const known = own.length > 0 ? own : [...given].sort(compareCodePoints);
  for (const [name, labels] of [
    ['People gave', [...given]],
    ['positive is', positive === undefined ? [] : [positive]],
    ['order has', order],
  ] as const) {
    const unknown = labels.find((label) => !known.includes(label));
    if (unknown === undefined) continue;
    const shown = JSON.stringify(unknown.slice(0, 100));
    throw new InputError(`${name} the label ${shown}; the evaluator ${evaluator.name} has only ${known.join(', ')}.`);
  }
  checkExamples(evaluator, rows);
  return known;
}

/** A judge that has seen the answer of a row must not be measured by it. */
function checkExamples(evaluator: EvaluatorBase<EvalRecord>, rows: readonly LabelledRow[]): void {
  if (!(evaluator instanceof JudgeEvaluator) || evaluator.judge.examples.length === 0) return;
  const { judge } = evaluator;
  const textsOf = (values: Readonly<Record<string, string>>) =>
    JSON.stringify(judge.variables.map((name) => values[name]));
  const shown = new Set(judge.examples.map(({ values }) => textsOf(values)));
  for (const { row, key, split } of rows) {
    const values = split === 'examples' ? undefined : judgeTexts(evaluator, row);
    if (!values) continue;
    const texts = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, shownText(judge, text)]));
    if (!shown.has(textsOf(texts))) continue;
    throw new InputError(
      `The row ${JSON.stringify(key.slice(0, 100))} of the part ${split} is an example in the prompt of ${evaluator.name}; take examples from the part examples only.`,
    );
  }
}

/** Texts of a row by variable of a judge, as its prompt has them. Undefined when one is missing. */
export function judgeTexts(evaluator: JudgeEvaluator, row: EvalRecord): Record<string, string> | undefined {
  let input: EvalRecord;
  try {
    input = mapInput(row, evaluator.inputMapping);
  } catch (error) {
    // The run says so.
    if (error instanceof InputError) return undefined;
    throw error;
  }
  const texts = evaluator.judge.variables.map((name) => {
    const value = ownValue(input, toCamelCase(name)) ?? ownValue(input, name);
    return value === undefined ? undefined : ([name, toText(value)] as const);
  });
  return texts.every((text) => text !== undefined) ? Object.fromEntries(texts) : undefined;
}

/** Labels of an evaluator in its order. Empty when it does not say which it has. */
export const labelsOf = (evaluator: EvaluatorBase<EvalRecord>): string[] =>
  evaluator instanceof ClassificationEvaluator ? toChoices(evaluator.choices).map(({ label }) => label) : [];

/** The label with the highest score, or the first one. */
export function positiveLabel(
  evaluator: EvaluatorBase<EvalRecord>,
  known: readonly string[],
  given: string | undefined,
): string {
  if (given !== undefined) return given;
  const best = scoresOf(evaluator).reduce<{ label: string; score: number } | undefined>(
    (found, each) => (found && found.score >= each.score ? found : each),
    undefined,
  );
  const label = best?.label ?? known[0];
  if (label === undefined) throw new InputError(`Expected labels, received ${describeType(known[0])}.`);
  return label;
}

function scoresOf(evaluator: EvaluatorBase<EvalRecord>): { label: string; score: number }[] {
  if (!(evaluator instanceof ClassificationEvaluator)) return [];
  return toChoices(evaluator.choices).flatMap(({ label, score }) => (score === undefined ? [] : [{ label, score }]));
}

function orderByScores(evaluator: EvaluatorBase<EvalRecord>): string[] | undefined {
  const scores = scoresOf(evaluator);
  if (scores.length < labelsOf(evaluator).length || new Set(scores.map(({ score }) => score)).size < scores.length) {
    return undefined;
  }
  return scores.length === 0 ? undefined : scores.sort((a, b) => a.score - b.score).map(({ label }) => label);
}
