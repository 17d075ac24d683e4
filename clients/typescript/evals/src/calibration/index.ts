export { type CalibrateOptions, calibrate, type RunOptions } from './calibrate.ts';
export { CalibrationReport } from './calibration-report.ts';
export {
  type CompareOptions,
  type CorrectedDifference,
  compareSystems,
  type SystemComparison,
  type SystemPair,
} from './compare-systems.ts';
export { type CorrectedRate, type CorrectionMethod, correctedRate, type JudgedCounts } from './corrected-rate.ts';
export { type Drift, findDrift } from './find-drift.ts';
export { type JudgeErrors, JudgeNearChanceError } from './judge-errors.ts';
export { type LabelledRow, type LabelSource, type ReadLabelsOptions, readLabels } from './labelled-rows.ts';
export type { JudgedRow, Measures } from './measures.ts';
export { labelsFromServer, type ServerClient, type ServerLabelsOptions } from './server-labels.ts';
export { type Split, type SplitShares, splitOf } from './split.ts';
