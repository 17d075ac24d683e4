import type { Experiment } from '../../../model/experiment.ts';
import type { Measure } from './measures.ts';
import type { PairedDifference } from './statistics/paired-difference.ts';
import type { PreferenceSummary } from './summarize-preferences.ts';

/** Mean of an experiment over the compared examples, and its difference to the baseline. */
export interface ComparisonValue {
  /** Number of examples with a value. */
  readonly count: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Null for the baseline. */
  readonly difference: (PairedDifference & { readonly sentence: string }) | null;
}

export interface ComparisonMeasure extends Pick<Measure, 'key' | 'name' | 'kind' | 'direction' | 'isBinary'> {
  /** One per experiment, in order. */
  readonly values: readonly ComparisonValue[];
}

export interface ComparisonGroup {
  readonly name: string;
  readonly exampleCount: number;
  readonly measures: readonly ComparisonMeasure[];
}

export interface ComparisonSummary {
  readonly experiments: readonly Experiment[];
  /** Examples of the baseline, and those of them that all experiments have. */
  readonly exampleCount: number;
  readonly commonExampleCount: number;
  readonly metadataKeys: readonly string[];
  readonly notices: readonly string[];
  readonly measures: readonly ComparisonMeasure[];
  readonly splits: readonly ComparisonGroup[];
  readonly metadataGroups: readonly ComparisonGroup[];
  readonly preferences: readonly PreferenceSummary[];
}
