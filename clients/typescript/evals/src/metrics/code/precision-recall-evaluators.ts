import {
  averageSuffix,
  type ClassLabel,
  checkOptions,
  computePrecisionRecallFScore,
  fScoreName,
  type PrecisionRecallOptions,
} from '../classification.ts';
import { type CodeMetric, type CodeMetricOptions, defineMetric, readField } from './code-metric.ts';

export interface PrecisionRecallEvaluatorOptions extends PrecisionRecallOptions, CodeMetricOptions {}

type Measure = 'precision' | 'recall' | 'f';

/** An evaluator of rows whose `output` and `expected` are lists of labels. */
function create(measure: Measure, options: PrecisionRecallEvaluatorOptions): CodeMetric {
  const { beta, average, zeroDivision, positiveLabel } = checkOptions(options);
  const settings: PrecisionRecallOptions = {
    ...{ beta, average, zeroDivision },
    ...(positiveLabel !== undefined && { positiveLabel }),
  };
  const name = `${measure === 'f' ? fScoreName(beta) : measure}${averageSuffix(settings)}`;
  return defineMetric(options, {
    name,
    settings: { measure, ...settings },
    measure(record) {
      const expected = readField(record, 'expected') as readonly ClassLabel[];
      const output = readField(record, 'output') as readonly ClassLabel[];
      const found = computePrecisionRecallFScore({ expected, output }, settings);
      const { labels, positiveLabel } = found;
      return {
        score: found[measure],
        metadata: { beta, average, labels, ...(positiveLabel !== undefined && { positiveLabel }) },
      };
    },
  });
}

/** Precision of the labels `output` against `expected`. */
export const createPrecisionEvaluator = (options: PrecisionRecallEvaluatorOptions = {}): CodeMetric =>
  create('precision', options);

/** Recall of the labels `output` against `expected`. */
export const createRecallEvaluator = (options: PrecisionRecallEvaluatorOptions = {}): CodeMetric =>
  create('recall', options);

/** F-score that weighs precision and recall alike. */
export const createF1Evaluator = (options: Omit<PrecisionRecallEvaluatorOptions, 'beta'> = {}): CodeMetric =>
  create('f', { ...options, beta: 1 });

/** F-score with another weight of recall. */
export const createFBetaEvaluator = (options: PrecisionRecallEvaluatorOptions = {}): CodeMetric => create('f', options);

/** Evaluators of precision, recall and F-score, in this order. A given name is put before their names. */
export function createPrecisionRecallFScoreEvaluators({
  name,
  ...options
}: PrecisionRecallEvaluatorOptions = {}): readonly [CodeMetric, CodeMetric, CodeMetric] {
  const named = (measure: Measure) => {
    if (name === undefined) return create(measure, options);
    return create(measure, { ...options, name: `${name}_${create(measure, options).name}` });
  };
  return [named('precision'), named('recall'), named('f')];
}
