export { BiasReport } from './bias-report.ts';
export type { BiasOptions } from './bias-run.ts';
export { BIAS_CHECKS, type BiasCheck, checkBiases } from './check-biases.ts';
export type { BiasFinding, FindingStatus } from './finding.ts';
export { familyOf } from './model-family.ts';
