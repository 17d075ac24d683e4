import type { ComparedExperiment } from '../../../model/experiment-comparison.ts';
import { RUN_COST_VERSION_COUNT_MAX } from '../../../model/limits/comparisons.ts';

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

  /** Newest version of each experiment. The first one was set the longest time ago. */
  readonly #versions = new Map<number, string>();

  /** Whether an entry of this version was set. Its experiment may have other columns by now. */
  isLikely(experimentRowId: number, version: string): boolean {
    return this.#versions.get(experimentRowId) === version;
  }

  /** @param version Differs after any change of the traces that were read. */
  find(experiment: ComparedExperiment, version: string): ExperimentCosts | undefined {
    const entry = this.#entries.get(experiment);
    return entry?.version === version ? entry.costs : undefined;
  }

  set(experiment: ComparedExperiment, version: string, costs: ExperimentCosts): void {
    this.#entries.set(experiment, { version, costs });
    this.#versions.delete(experiment.rowId);
    this.#versions.set(experiment.rowId, version);
    for (const [oldest] of this.#versions) {
      if (this.#versions.size <= RUN_COST_VERSION_COUNT_MAX) break;
      this.#versions.delete(oldest);
    }
  }
}
