import { type CalibrateOptions, calibrate } from '../calibration/calibrate.ts';
import type { CalibrationReport } from '../calibration/calibration-report.ts';
import { type LabelSource, readLabels } from '../calibration/labelled-rows.ts';
import { type DecidedRow, isDecided } from '../calibration/measures.ts';
import { ArgumentError } from '../errors.ts';
import type { EvaluatorBase } from '../evaluators/evaluator-base.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import type { Estimate } from '../statistics/interval.ts';
import { describeDifference, type PairedDifference } from '../statistics/paired-difference.ts';

export interface VersionResult {
  readonly name: string;
  readonly report: CalibrationReport;
  /** Agreement with people on the tuning part, this version minus the first one. Undefined for the first. */
  readonly difference: PairedDifference | undefined;
  /** Tuning rows that only this version has right. */
  readonly fixed: number;
  /** Tuning rows that only the first version has right. */
  readonly broken: number;
}

/** Versions in the order given. The first one is the baseline. */
export class VersionComparison {
  readonly versions: readonly VersionResult[];
  readonly best: VersionResult;
  /** Whether the best version is clearly better than the first one, corrected for the number of versions. */
  readonly isClear: boolean;

  constructor(versions: readonly VersionResult[]) {
    const agreementOf = ({ report }: VersionResult) => report.tuning.agreement.value ?? 0;
    this.versions = versions;
    this.best = versions.reduce((best, each) => (agreementOf(each) > agreementOf(best) ? each : best));
    const { difference, fixed, broken } = this.best;
    const pValue = difference?.pValue;
    this.isClear = pValue !== undefined && fixed > broken && pValue * (versions.length - 1) < 0.05;
  }

  toString(): string {
    const lines = this.versions.map(({ name, report: { tuning }, difference, fixed, broken }) => {
      const line = `${name}: agrees on ${toText(tuning.agreement)} of ${tuning.count} tuning rows`;
      if (difference?.mean === undefined) return line;
      const sign = difference.mean < 0 ? '' : '+';
      const range = `${toPoints(difference.low)} to ${toPoints(difference.high)}`;
      return `${line}, ${sign}${toPoints(difference.mean)} points (${range}), fixes ${fixed} and breaks ${broken}`;
    });
    const { name, report } = this.best;
    const [first] = this.versions;
    const verdict =
      this.best === first
        ? `No version agrees on more rows than ${name}.`
        : `Best: ${name} (${this.isClear ? '' : 'not '}clearly better than ${first?.name}).`;
    const heldOut = `On the ${report.heldOut.count} held-out rows ${name} agrees on ${toText(report.heldOut.agreement)}.`;
    return [...lines, `${verdict} ${heldOut}`].join('\n');
  }
}

/**
 * Runs versions of a judge over the same labelled rows, and compares their agreement with people on the tuning part.
 *
 * The tuning part chooses the best version; the held-out part of its report then says how good it is. Who looks at the held-out
 * part of all versions and chooses by it makes it a part of the tuning.
 *
 * @param evaluators by the name of the version, the present one first
 */
export async function compareVersions(
  evaluators: Readonly<Record<string, EvaluatorBase<EvalRecord>>>,
  labels: LabelSource,
  { labelField, keyField, shares, ...options }: CalibrateOptions = {},
): Promise<VersionComparison> {
  const names = Object.keys(evaluators);
  if (names.length < 2) throw new ArgumentError(`Expected two or more versions, received ${names.length}.`);
  const rows = await readLabels(labels, {
    ...(labelField !== undefined && { labelField }),
    ...(keyField !== undefined && { keyField }),
    ...(shares && { shares }),
  });
  const results: VersionResult[] = [];
  for (const name of names) {
    const report = await calibrate(evaluators[name] as EvaluatorBase<EvalRecord>, rows, withOwnFiles(options, name));
    const baseline = results[0];
    results.push(baseline ? compareTo(baseline.report, name, report) : { ...NO_CHANGE, name, report });
  }
  return new VersionComparison(results);
}

const NO_CHANGE = { difference: undefined, fixed: 0, broken: 0 };

/** A checkpoint belongs to one evaluator. */
function withOwnFiles(options: CalibrateOptions, name: string): CalibrateOptions {
  const { run } = options;
  if (run?.checkpoint === undefined) return options;
  return { ...options, run: { ...run, checkpoint: `${run.checkpoint}.${encodeURIComponent(name)}` } };
}

function compareTo(baseline: CalibrationReport, name: string, report: CalibrationReport): VersionResult {
  const [first, second] = [tuningRows(baseline), tuningRows(report)];
  const changes = [...first].flatMap(([key, before]) => {
    const after = second.get(key);
    return after ? [Number(isRight(after)) - Number(isRight(before))] : [];
  });
  return {
    ...{ name, report, difference: describeDifference(changes, { isBinary: true }) },
    fixed: changes.filter((change) => change > 0).length,
    broken: changes.filter((change) => change < 0).length,
  };
}

const tuningRows = ({ rows }: CalibrationReport): Map<string, DecidedRow> =>
  new Map(
    rows
      .filter(isDecided)
      .filter(({ labelled }) => labelled.split === 'tuning')
      .map((row) => [row.labelled.key, row]),
  );

const isRight = ({ label, labelled }: DecidedRow): boolean => label === labelled.label;

const toPoints = (share: number | undefined): string => (share === undefined ? '?' : (share * 100).toFixed(1));

const toText = ({ value, low, high }: Estimate): string =>
  value === undefined ? 'unknown' : `${value.toFixed(3)} (${low?.toFixed(3)} to ${high?.toFixed(3)})`;
