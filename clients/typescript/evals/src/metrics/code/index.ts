export {
  type Average,
  type ClassLabel,
  computePrecisionRecallFScore,
  type PrecisionRecallF,
  type PrecisionRecallOptions,
} from '../classification.ts';
export { jsonDistance } from '../json/json-distance.ts';
export { type ListOverlap, listOverlap } from '../lists.ts';
export { cosineSimilarity, numericDifference } from '../numbers.ts';
export { bleu } from '../text/bleu.ts';
export { chrf } from '../text/chrf.ts';
export { levenshteinDistance, levenshteinSimilarity } from '../text/levenshtein.ts';
export { type OverlapScores, rougeL } from '../text/rouge.ts';
export { matchTrajectory, type ToolCall, type TrajectoryMode } from '../trajectory.ts';
export type { CodeMetric, CodeMetricOptions } from './code-metric.ts';
export * from './json-evaluators.ts';
export * from './precision-recall-evaluators.ts';
export * from './text-evaluators.ts';
export * from './value-evaluators.ts';
