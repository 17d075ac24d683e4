import { type Interval, mean, meanInterval, rateInterval } from '../experiments/confidence.ts';
import type { EvaluationResult } from '../experiments/experiment-types.ts';

interface Criterion {
  readonly annotationName: string;
  /** Probability with which the bound holds. Default 0.95. */
  readonly confidence?: number;
  /**
   * What is compared with the threshold. `worst` (default): the bound of the confidence interval on the bad side, so that a
   * suite passes when it is shown to be good enough. `best`: the bound on the good side, so that a suite fails when it is
   * shown to be too bad. `none`: the mean itself.
   */
  readonly bound?: 'worst' | 'best' | 'none';
}

/** The mean of the scores of an annotation; a boolean is 1 or 0. */
export interface AverageCriterion extends Criterion {
  readonly type?: 'average';
  readonly threshold: number;
  readonly direction?: 'maximize' | 'minimize';
}

/** The share of runs whose annotation passes. */
export interface PassRateCriterion extends Criterion {
  readonly type?: 'passRate';
  readonly passFn: (annotation: EvaluationResult) => boolean;
  readonly minPassRate: number;
}

/** Conditions may also be written as `{ average: … }` and `{ passRate: … }`. */
export type AcceptanceCriterion =
  | AverageCriterion
  | PassRateCriterion
  | { readonly average: AverageCriterion }
  | { readonly passRate: PassRateCriterion };

/** The last annotation of each name in one run of a test. */
export interface AnnotatedRun {
  /** Runs of one test share it. */
  readonly testName: string;
  readonly annotations: ReadonlyMap<string, EvaluationResult>;
}

export interface AcceptanceResult {
  readonly annotationName: string;
  readonly kind: 'average' | 'passRate';
  readonly threshold: number;
  readonly direction: 'maximize' | 'minimize';
  readonly confidence: number;
  /** Tests with a value; repetitions of a test are averaged. */
  readonly testCount: number;
  readonly mean: number | null;
  /** One-sided bounds: each holds alone with the confidence. */
  readonly interval: Interval | null;
  readonly isPassed: boolean;
  readonly explanation: string;
}

/** Decides on a suite. Without a value of the name it fails. */
export function acceptSuite(
  criteria: AcceptanceCriterion | readonly AcceptanceCriterion[] | undefined,
  runs: readonly AnnotatedRun[],
): AcceptanceResult[] {
  const list = criteria === undefined ? [] : Array.isArray(criteria) ? criteria : [criteria];
  return (list as readonly AcceptanceCriterion[]).map((criterion) => decide(unwrap(criterion), runs));
}

const unwrap = (criterion: AcceptanceCriterion): AverageCriterion | PassRateCriterion => {
  if ('average' in criterion) return criterion.average;
  return 'passRate' in criterion ? criterion.passRate : criterion;
};

function decide(criterion: AverageCriterion | PassRateCriterion, runs: readonly AnnotatedRun[]): AcceptanceResult {
  const isRate = 'passFn' in criterion;
  const { annotationName, confidence = 0.95, bound = 'worst' } = criterion;
  const threshold = isRate ? criterion.minPassRate : criterion.threshold;
  const direction = isRate ? 'maximize' : (criterion.direction ?? 'maximize');
  const toValue = isRate
    ? (annotation: EvaluationResult) => (criterion.passFn(annotation) ? 1 : 0)
    : ({ score }: EvaluationResult) => score ?? undefined;
  const values = averageByTest(runs, annotationName, toValue);
  const kind = isRate ? 'passRate' : 'average';
  const common = { annotationName, kind, threshold, direction, confidence, testCount: values.length } as const;
  if (values.length === 0) {
    const explanation = `no test has ${isRate ? 'an annotation' : 'a score'} "${annotationName}"`;
    return { ...common, mean: null, interval: null, isPassed: false, explanation };
  }
  const center = mean(values);
  const interval = boundsOf(values, confidence);
  const isUp = direction === 'maximize';
  const bad = isUp ? interval?.low : interval?.high;
  const good = isUp ? interval?.high : interval?.low;
  const compared = bound === 'none' ? center : bound === 'worst' ? bad : good;
  // One value has no bound: it shows nothing in either direction.
  const isPassed = compared === undefined ? bound === 'best' : isUp ? compared >= threshold : compared <= threshold;
  const bounds = interval ? `${show(interval.low)} to ${show(interval.high)}` : 'unknown';
  const wanted = `${isUp ? 'at least' : 'at most'} ${show(threshold)}`;
  const isClose = bound === 'worst' && !isPassed && (isUp ? center >= threshold : center <= threshold);
  const explanation = [
    `${kind} of "${annotationName}" is ${show(center)} over ${values.length} tests`,
    `(${confidence * 100} % bounds ${bounds}), expected ${wanted}`,
    isClose ? 'with that confidence. More tests or repetitions make the bounds narrower' : '',
  ];
  return { ...common, mean: center, interval: interval ?? null, isPassed, explanation: explanation.join(' ').trim() };
}

const show = (value: number): string => String(Number(value.toPrecision(4)));

/** Repetitions of a test are not independent of each other, so each test counts once, by its mean. */
function averageByTest(
  runs: readonly AnnotatedRun[],
  name: string,
  toValue: (annotation: EvaluationResult) => number | undefined,
): number[] {
  const byTest = new Map<string, number[]>();
  for (const { testName, annotations } of runs) {
    const annotation = annotations.get(name);
    const value = annotation && toValue(annotation);
    if (value !== undefined) byTest.set(testName, [...(byTest.get(testName) ?? []), value]);
  }
  return [...byTest.values()].map(mean);
}

/** Undefined for a single value that is no share. */
function boundsOf(values: readonly number[], confidence: number): Interval | undefined {
  // One-sided: both sides of a wider interval together have twice the chance of error.
  const both = 2 * confidence - 1;
  const isShare = values.every((value) => value >= 0 && value <= 1);
  const isEqual = values.every((value) => value === values[0]);
  // Equal values have no variance, and would be certain by Student's t.
  if (isShare && (isEqual || values.every((value) => value === 0 || value === 1)))
    return rateInterval(
      values.reduce((sum, value) => sum + value, 0),
      values.length,
      both,
    );
  return values.length < 2 ? undefined : meanInterval(values, both);
}
