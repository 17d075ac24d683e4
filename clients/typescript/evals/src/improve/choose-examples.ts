import { judgeTexts } from '../calibration/calibrate.ts';
import type { CalibrationReport } from '../calibration/calibration-report.ts';
import { type DecidedRow, isDecided } from '../calibration/measures.ts';
import { ArgumentError, InputError } from '../errors.ts';
import type { JudgeEvaluator } from '../metrics/judges/judge-evaluator.ts';
import { EXAMPLES_MAX, type JudgeExample } from '../metrics/judges/judge-file.ts';
import { ownValue } from '../own-value.ts';
import { compareCodePoints } from '../statistics/confusion.ts';

export interface ChooseExamplesOptions {
  /** Number of examples. 4 by default. */
  readonly count?: number;
  /** Field with the reason of people for their label, which teaches more than the label. */
  readonly explanationField?: string;
}

/** Characters of an example: a prompt is paid for with each row. */
const CHARS_MAX = 4_000;
const EXPLANATION_FIELDS = ['humanExplanation', 'human_explanation'];

/**
 * Examples for the prompt of a judge: rows on which it disagreed with people, with the label of people.
 *
 * Only rows of the part for examples are taken, so that the other parts can still measure the judge. The labels take turns; where
 * there are no disagreements left, rows on which both agree fill up. Rows with long texts are left out.
 *
 * @throws {InputError} if the part has no rows that can be used
 */
export function chooseExamples(
  evaluator: JudgeEvaluator,
  report: CalibrationReport,
  { count = 4, explanationField }: ChooseExamplesOptions = {},
): JudgeExample[] {
  if (!Number.isInteger(count) || count < 1 || count > EXAMPLES_MAX) {
    throw new ArgumentError(`Expected 1 to ${EXAMPLES_MAX} examples, received ${count}.`);
  }
  const candidates = report.rows
    .filter(isDecided)
    .filter(({ labelled }) => labelled.split === 'examples')
    .sort((a, b) => compareCodePoints(a.labelled.key, b.labelled.key))
    .flatMap((row) => {
      const example = toExample(evaluator, row, explanationField);
      return example ? [{ example, isAgreed: row.label === row.labelled.label }] : [];
    });
  if (candidates.length === 0) {
    throw new InputError('No row of the part examples has a label and texts that are short enough; label more rows.');
  }
  const labels = evaluator.judge.choices.map(({ label }) => label);
  const of = (isAgreed: boolean) =>
    candidates.filter((each) => each.isAgreed === isAgreed).map(({ example }) => example);
  const chosen = takeTurns(of(false), labels, count);
  return [...chosen, ...takeTurns(of(true), labels, count - chosen.length)];
}

function takeTurns(examples: readonly JudgeExample[], labels: readonly string[], count: number): JudgeExample[] {
  const queues = labels.map((label) => examples.filter((example) => example.label === label));
  const chosen: JudgeExample[] = [];
  for (let turn = 0; chosen.length < count && queues.some((queue) => turn < queue.length); turn++) {
    for (const queue of queues) {
      const example = queue[turn];
      if (example && chosen.length < count) chosen.push(example);
    }
  }
  return chosen;
}

function toExample(evaluator: JudgeEvaluator, row: DecidedRow, field: string | undefined): JudgeExample | undefined {
  const values = judgeTexts(evaluator, row.labelled.row);
  if (!values || Object.values(values).reduce((sum, text) => sum + text.length, 0) > CHARS_MAX) return undefined;
  const { label } = row.labelled;
  const reason = (field === undefined ? EXPLANATION_FIELDS : [field])
    .map((name) => ownValue(row.labelled.row, name))
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return { values, explanation: typeof reason === 'string' ? reason : `People chose ${label}.`, label };
}
