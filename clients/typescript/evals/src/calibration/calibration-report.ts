import type { Estimate } from '../statistics/interval.ts';
import { labelsToHalve } from '../statistics/labels-to-halve.ts';
import { type PeopleAgreement, peopleAgreement } from '../statistics/people-agreement.ts';
import { type CorrectedRate, type CorrectionMethod, correctedRate, type JudgedCounts } from './corrected-rate.ts';
import type { LabelledRow } from './labelled-rows.ts';
import { isDecided, type JudgedRow, type Measures } from './measures.ts';

export interface CalibrationFindings {
  readonly evaluator: string;
  /** Model, judge and version. */
  readonly judge: Readonly<Record<string, unknown>>;
  readonly heldOut: Measures;
  readonly tuning: Measures;
  /** Labelled rows in their order, with the verdicts. */
  readonly rows: readonly JudgedRow[];
}

/** Errors of the judge that a report quotes. */
const ERRORS_MAX = 5;

/**
 * Agreement of a judge with people.
 *
 * `heldOut` alone says how good the judge is. `tuning` is for its improvement, so only disagreements of that part, and of the part
 * for examples, are listed: who reads those of the held-out part and changes the prompt has no held-out part any more.
 */
export class CalibrationReport implements CalibrationFindings {
  readonly evaluator: string;
  readonly judge: Readonly<Record<string, unknown>>;
  readonly heldOut: Measures;
  readonly tuning: Measures;
  readonly rows: readonly JudgedRow[];
  /** How much people agree with each other, on all rows with several labels: the ceiling. Undefined without such rows. */
  readonly people: PeopleAgreement | undefined;
  /** Labelled rows without a verdict of the judge, of which `errors` has the first. */
  readonly errorCount: number;
  readonly errors: readonly string[];
  /** Rows on which two labels of people lead. */
  readonly splitCount: number;
  readonly disagreements: readonly JudgedRow[];

  constructor({ evaluator, judge, heldOut, tuning, rows }: CalibrationFindings) {
    this.evaluator = evaluator;
    this.judge = judge;
    this.heldOut = heldOut;
    this.tuning = tuning;
    this.rows = rows;
    this.people = agreementOf(rows.map(({ labelled }) => labelled));
    const failed = rows.filter(({ label }) => label === undefined);
    this.errorCount = failed.length;
    this.errors = failed.slice(0, ERRORS_MAX).map(({ error }) => String(error));
    this.splitCount = rows.filter(({ labelled }) => labelled.label === undefined).length;
    this.disagreements = rows.filter(
      (row) => isDecided(row) && row.label !== row.labelled.label && row.labelled.split !== 'held_out',
    );
  }

  /** How many more held-out rows people must label until the interval of the agreement is half as wide. */
  get labelsToHalve(): number | undefined {
    const { value } = this.heldOut.agreement;
    return value === undefined ? undefined : labelsToHalve(value, this.heldOut.count);
  }

  /**
   * The rate of the positive label among rows without labels of people, with the errors of the judge taken out.
   *
   * @throws {JudgeNearChanceError} when they cannot be taken out
   */
  correctedRate(judged: JudgedCounts, options: { readonly method?: CorrectionMethod } = {}): CorrectedRate {
    return correctedRate(judged, this.heldOut.errors, options);
  }

  /** The report in plain sentences, the most important one first. */
  sentences(): string[] {
    const { count, agreement, kappa, quality, positive } = this.heldOut;
    if (count === 0) return ['No held-out row has both a label of people and a verdict: label more rows.'];
    const beyondChance =
      kappa.kappa === undefined
        ? ''
        : `; kappa is ${kappa.kappa.toFixed(2)} (${kappa.low?.toFixed(2)} to ${kappa.high?.toFixed(2)})`;
    const found = [
      `On ${count} held-out rows, ${this.evaluator} agrees with people on ${toPercent(agreement)}${beyondChance}.`,
      `Of what people call ${positive}, it finds ${toPercent(quality.sensitivity)}; of the rest, it rejects ${toPercent(quality.specificity)}.`,
    ];
    if (this.people?.share.value !== undefined) {
      found.push(
        `People agree with each other on ${toPercent(this.people.share)}: no judge can be shown to be better than that.`,
      );
    }
    if (this.labelsToHalve !== undefined) {
      found.push(`${this.labelsToHalve} more labelled held-out rows would halve the interval of the agreement.`);
    }
    if (this.errorCount > 0) {
      found.push(`${this.errorCount} rows have no verdict and are in no measure; the first error: ${this.errors[0]}`);
    }
    if (this.splitCount > 0) {
      found.push(`On ${this.splitCount} rows people are split, so they are in no measure.`);
    }
    return found;
  }

  toString(): string {
    return [...this.sentences(), '', ...toTable(this.heldOut)].join('\n');
  }

  /** The report as JSON, without the rows on which both agree. */
  toJSON(): Record<string, unknown> {
    const { evaluator, judge, heldOut, tuning, people, errorCount, errors, splitCount, labelsToHalve } = this;
    const disagreements = this.disagreements.map(({ labelled, label, explanation }) => ({
      ...{ key: labelled.key, split: labelled.split, people: labelled.labels, label: labelled.label },
      ...{ judge: label, explanation, row: labelled.row },
    }));
    return { evaluator, judge, heldOut, tuning, people, errorCount, errors, splitCount, labelsToHalve, disagreements };
  }
}

function agreementOf(rows: readonly LabelledRow[]): PeopleAgreement | undefined {
  const several = rows.map(({ labels }) => labels).filter((labels) => Object.keys(labels).length > 1);
  return several.length === 0 ? undefined : peopleAgreement(several);
}

function toPercent({ value, low, high }: Estimate): string {
  if (value === undefined || low === undefined || high === undefined) return 'an unknown share (no such rows)';
  return `${(value * 100).toFixed(1)}% (${(low * 100).toFixed(1)}% to ${(high * 100).toFixed(1)}%)`;
}

function toTable({ matrix: { labels, matrix } }: Measures): string[] {
  const width = Math.max(14, ...labels.map(({ length }) => length + 2));
  const line = (first: string, cells: readonly (string | number)[]) =>
    first.padEnd(width) + cells.map((cell) => String(cell).padStart(width)).join('');
  return [line('people \\ judge', labels), ...matrix.map((row, index) => line(labels[index] as string, row))];
}
