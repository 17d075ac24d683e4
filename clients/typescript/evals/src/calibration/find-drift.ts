import { InputError } from '../errors.ts';
import { describeDifference, type PairedDifference } from '../statistics/paired-difference.ts';
import type { CalibrationReport } from './calibration-report.ts';
import { isDecided } from './measures.ts';

/** Change of a judge from one calibration to a later one on the same rows. */
export interface Drift {
  /** Rows with a verdict in both. */
  readonly count: number;
  /** Share of rows with another verdict. */
  readonly changed: number;
  /** Change of the agreement with people, later minus earlier. */
  readonly agreement: PairedDifference;
  /** Change of the rate of the positive label. */
  readonly rate: PairedDifference;
  readonly sentence: string;
}

/**
 * Compares two calibrations of a judge on the same rows, of all parts: the same prompt, after a vendor changed the model.
 *
 * @throws {InputError} if they have no row in common
 */
export function findDrift(
  earlier: CalibrationReport,
  later: CalibrationReport,
  { seed = 'drift' }: { readonly seed?: string | number } = {},
): Drift {
  const before = new Map(earlier.rows.filter(isDecided).map((row) => [row.labelled.key, row]));
  const pairs = later.rows.filter(isDecided).flatMap((row) => {
    const other = before.get(row.labelled.key);
    return other ? [[other, row] as const] : [];
  });
  if (pairs.length === 0) {
    throw new InputError('The calibrations have no row with a verdict in common; run both on the same golden set.');
  }
  const { positive } = earlier.heldOut;
  const agreement = describeDifference(
    pairs.map(([a, b]) => Number(b.label === b.labelled.label) - Number(a.label === a.labelled.label)),
    { isBinary: true, seed },
  );
  const rate = describeDifference(
    pairs.map(([a, b]) => Number(b.label === positive) - Number(a.label === positive)),
    { direction: 'neutral', isBinary: true, seed },
  );
  const changed = pairs.filter(([a, b]) => a.label !== b.label).length / pairs.length;
  const parts = [toPart('its agreement with people', agreement), toPart(`its share of ${positive}`, rate)].filter(
    (part) => part !== undefined,
  );
  const start = `${later.evaluator} gives another verdict on ${(changed * 100).toFixed(1)}% of ${pairs.length} rows`;
  return { count: pairs.length, changed, agreement, rate, sentence: `${[start, ...parts].join('; ')}.` };
}

function toPart(what: string, { mean, low, high, pValue }: PairedDifference): string | undefined {
  if (mean === undefined || low === undefined || high === undefined) return undefined;
  const isClear = (low > 0 || high < 0) && (pValue === undefined || pValue < 0.05);
  const verb = isClear ? `${mean > 0 ? 'rose' : 'fell'} by` : 'did not clearly change:';
  const amount = ((isClear ? Math.abs(mean) : mean) * 100).toFixed(1);
  return `${what} ${verb} ${amount} points (${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)})`;
}
