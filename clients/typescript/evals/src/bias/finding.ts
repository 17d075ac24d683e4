import { type Interval, pairedShareInterval } from '../statistics/interval.ts';
import { holmCorrection, midPSignTest } from '../statistics/paired-difference.ts';

export type FindingStatus = 'found' | 'not found' | 'skipped';

/** Result of one check. The effect and its 95 % interval are shares from −1 to 1; undefined without rows. */
export interface BiasFinding {
  readonly check: string;
  readonly status: FindingStatus;
  readonly count: number;
  readonly effect: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly pValue: number | undefined;
  /** Two-sided, corrected for the number of checks (Holm). */
  readonly adjustedPValue: number | undefined;
  /** What was found, in words. */
  readonly sentence: string;
}

/** A report raises a false alarm in at most this share of cases, over all of its checks. */
export const FALSE_ALARM_MAX = 0.05;

/** What an effect means, as sentences without their ends. */
export interface EffectWords {
  readonly up: string;
  readonly down: string;
  readonly none: string;
}

const NOTHING = { effect: undefined, low: undefined, high: undefined, pValue: undefined, adjustedPValue: undefined };

export const skipped = (check: string, reason: string): BiasFinding => ({
  ...{ check, status: 'skipped', count: 0, ...NOTHING },
  sentence: `Not checked: ${reason}.`,
});

/** Numbers of yes/no verdicts that changed from one variant of a row to another. */
export interface VerdictChanges {
  /** Became positive. */
  readonly ups: number;
  /** Became negative. */
  readonly downs: number;
  readonly count: number;
}

export function pairedFinding(check: string, { ups, downs, count }: VerdictChanges, words: EffectWords): BiasFinding {
  const interval = pairedShareInterval(ups, downs, count);
  if (!interval) return skipped(check, 'no row has a verdict in both variants');
  return effectFinding(
    check,
    { effect: (ups - downs) / count, interval, pValue: midPSignTest(ups, downs), count },
    words,
  );
}

export interface Effect {
  readonly effect: number;
  readonly interval: Interval;
  readonly pValue: number;
  readonly count: number;
}

export function effectFinding(
  check: string,
  { effect, interval: { low, high }, pValue, count }: Effect,
  { up, down, none }: EffectWords,
): BiasFinding {
  const sign = effect < 0 ? '' : '+';
  const size = `${sign}${points(effect)} points (${points(low)} to ${points(high)}), n = ${count.toLocaleString('en')}`;
  // `correctFindings` decides again with the other checks in view.
  const isFound = pValue < FALSE_ALARM_MAX;
  const sentence = `${isFound ? (effect > 0 ? up : down) : none}: ${size}.`;
  const status = isFound ? 'found' : 'not found';
  return { check, status, count, effect, low, high, pValue, adjustedPValue: undefined, sentence };
}

export const points = (share: number): string => (share * 100).toFixed(1);

/** The findings with p-values corrected for their number (Holm 1979), and without those that are not clear any more. */
export function correctFindings(findings: readonly BiasFinding[]): BiasFinding[] {
  const tested = findings.filter(({ pValue }) => pValue !== undefined);
  const adjusted = holmCorrection(tested.map(({ pValue }) => pValue as number));
  return findings.map((finding) => {
    const adjustedPValue = adjusted[tested.indexOf(finding)];
    if (adjustedPValue === undefined) return finding;
    if (finding.status !== 'found' || adjustedPValue < FALSE_ALARM_MAX) return { ...finding, adjustedPValue };
    const note = ` Among ${tested.length} checks, one such effect may be chance.`;
    return { ...finding, adjustedPValue, status: 'not found', sentence: finding.sentence + note };
  });
}
