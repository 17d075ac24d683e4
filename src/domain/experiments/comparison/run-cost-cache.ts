import type { ComparedExperiment } from '../../../model/experiment-comparison.ts';

/** A run whose trace is in no project of the compared experiments, or not stored. */
export interface ForeignRun {
  readonly run: number;
  readonly traceId: string;
}

/** Tokens and dollars of the trace of each run of an experiment. NaN: no trace, or no price. */
export interface ExperimentCosts {
  readonly tokens: Float64Array;
  readonly dollars: Float64Array;
  /** Runs whose costs are not among them. */
  readonly foreign: readonly ForeignRun[];
}

/**
 * Keeps the costs of compared runs, because every summary and every sort by cost needs them all. An entry lives as long as the
 * columns of its experiment, whose cache counts its bytes.
 */
export class RunCostCache {
  readonly #entries = new WeakMap<ComparedExperiment, { readonly version: string; readonly costs: ExperimentCosts }>();

  /** @param version Differs after any change of the traces that were read. */
  find(experiment: ComparedExperiment, version: string): ExperimentCosts | undefined {
    const entry = this.#entries.get(experiment);
    return entry?.version === version ? entry.costs : undefined;
  }

  set(experiment: ComparedExperiment, version: string, costs: ExperimentCosts): void {
    this.#entries.set(experiment, { version, costs });
  }
}
