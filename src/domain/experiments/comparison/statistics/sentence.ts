import type { MeasureKind } from '../measures.ts';
import { PAIR_COUNT_MIN, type PairedDifference } from './paired-difference.ts';

export interface SentenceMeasure {
  readonly name: string;
  readonly kind: MeasureKind;
  readonly direction: 1 | -1 | 0;
  /** All values are from 0 to 1, so that differences are shown in points of 100. */
  readonly isShare: boolean;
}

/**
 * One sentence about a difference, such as “better on correctness by 4.1 points (1.2 to 7.0), n = 200”.
 *
 * @param latency the difference of the latency in milliseconds, added to the sentence about a score when it is clear
 */
export function toSentence(measure: SentenceMeasure, difference: PairedDifference, latency?: PairedDifference): string {
  return about(measure, difference) + (measure.kind === 'SCORE' && latency ? slower(latency) : '');
}

function about(measure: SentenceMeasure, difference: PairedDifference): string {
  const { count, mean, low, high, verdict } = difference;
  const name = measure.kind === 'SCORE' ? measure.name : NOUNS[measure.kind];
  if (count === 0 || mean === null) return `no example has a value of ${name} on both sides`;
  const format = formatOf(measure, mean);
  if (low === null || high === null) {
    return `too few examples to compare ${name}: n = ${toCount(count)}, at least ${PAIR_COUNT_MIN} are needed`;
  }
  if (difference.ties === count) return `no difference on ${name}, n = ${toCount(count)}`;
  const isUp = mean > 0;
  const isClear =
    difference.countNeeded === null && (low > 0 || high < 0) && (verdict !== 'UNCLEAR' || measure.direction === 0);
  if (!isClear) {
    const range = `${mean < 0 ? '−' : ''}${format(Math.abs(mean))} (${signed(format, low)} to ${signed(format, high)}), n = ${toCount(count)}`;
    return `no clear difference on ${name}: ${range}${neededText(difference)}`;
  }
  const [small, large] = isUp ? [low, high] : [-high, -low];
  const amount = format(Math.abs(mean));
  const range = `(${format(small, false)} to ${format(large, false)}), n = ${toCount(count)}`;
  switch (measure.kind) {
    case 'SCORE':
      return `${scoreWord(verdict, isUp)} on ${name} by ${amount} ${range}`;
    case 'LATENCY':
      return `${amount} ${isUp ? 'slower' : 'faster'} ${range}`;
    case 'TOKENS':
      return `${amount} ${isUp ? 'more' : 'fewer'} tokens per run ${range}`;
    case 'COST':
      return `${amount} ${isUp ? 'more' : 'less'} per run ${range}`;
    case 'ERROR_RATE':
      return `${amount} ${isUp ? 'more' : 'fewer'} errors ${range}`;
  }
}

const NOUNS: Readonly<Record<MeasureKind, string>> = {
  SCORE: '',
  LATENCY: 'latency',
  TOKENS: 'tokens',
  COST: 'cost',
  ERROR_RATE: 'errors',
};

function scoreWord(verdict: PairedDifference['verdict'], isUp: boolean): string {
  if (verdict === 'UNCLEAR') return isUp ? 'higher' : 'lower';
  return verdict === 'BETTER' ? 'better' : 'worse';
}

function slower({ mean, verdict }: PairedDifference): string {
  if (verdict === 'UNCLEAR' || mean === null) return '';
  return `; ${toDuration(Math.abs(mean))} ${mean > 0 ? 'slower' : 'faster'}`;
}

function neededText({ countNeeded, count }: PairedDifference): string {
  if (countNeeded === null) return '';
  return countNeeded > 100 * count && countNeeded > 100_000
    ? '; no practical number of examples would tell'
    : `; about ${toCount(roundUp(countNeeded))} examples would tell`;
}

/** To two digits, because the number is an estimate. */
function roundUp(count: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(count)) - 1);
  return Math.ceil(count / unit) * unit;
}

type Format = (value: number, hasUnit?: boolean) => string;

/** The limits of an interval have the unit of the mean. */
function formatOf({ kind, isShare }: SentenceMeasure, mean: number): Format {
  if (kind === 'LATENCY') return durationFormat(mean);
  if (kind === 'COST') return (value) => `$${toDigits(value)}`;
  if (kind === 'ERROR_RATE' || (kind === 'SCORE' && isShare)) {
    return (value, hasUnit = true) => `${toDigits(value * 100, 1)}${hasUnit ? ' points' : ''}`;
  }
  return (value) => toDigits(value);
}

const signed = (format: Format, value: number): string =>
  value < 0 ? `−${format(-value, false)}` : format(value, false);

const durationFormat =
  (size: number): Format =>
  (ms, hasUnit = true) =>
    Math.abs(size) >= 1_000
      ? `${toDigits(ms / 1_000, 1)}${hasUnit ? ' s' : ''}`
      : `${toDigits(ms)}${hasUnit ? ' ms' : ''}`;

const toDuration = (ms: number): string => durationFormat(ms)(ms);

/** At least the given decimals, or two significant digits. */
function toDigits(value: number, decimals?: number): string {
  const size = Math.abs(value);
  if (size === 0) return decimals === undefined ? '0' : (0).toFixed(decimals);
  const wanted = Math.max(decimals ?? 0, 1 - Math.floor(Math.log10(size)));
  return withSeparators(value.toFixed(Math.min(Math.max(size >= 100 ? (decimals ?? 0) : wanted, 0), 12)));
}

const toCount = (count: number): string => withSeparators(String(count));

const withSeparators = (digits: string): string => {
  const [whole = '', fraction] = digits.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
};
