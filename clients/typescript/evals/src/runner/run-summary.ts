import type { EvaluatorBase } from '../evaluators/evaluator-base.ts';
import type { CallRepeat } from './calls/call-repeats.ts';
import type { CallTotals, RunCaller } from './calls/run-caller.ts';
import type { RowEvaluation } from './evaluated-row.ts';

/** What one evaluator said over all rows. */
export interface EvaluatorSummary {
  /** Rows with a result. */
  readonly count: number;
  readonly errorCount: number;
  /** Errors because the label was not among the choices. */
  readonly labelErrorCount: number;
  /** What the first error says; absent without errors. */
  readonly firstError?: string;
  /** Rows that were not evaluated because the run stopped. */
  readonly notRunCount: number;
  /** Mean score; undefined without scores. */
  readonly meanScore?: number;
  /** Label → rows. */
  readonly labels: Readonly<Record<string, number>>;
}

export type StopReason = 'abort' | 'cost' | 'key' | 'error';

/** A whole run. */
export interface RunSummary {
  readonly rowCount: number;
  readonly evaluators: Readonly<Record<string, EvaluatorSummary>>;
  /** Results that were read from the checkpoint. */
  readonly resumedCount: number;
  readonly calls: Readonly<CallTotals>;
  readonly seconds: number;
  /** Absent when all rows were evaluated. */
  readonly stopReason?: StopReason;
  /** Why it stopped. */
  readonly error?: string;
}

/** A moment of a run. */
export interface RunProgress {
  /** Rows that are finished. */
  readonly rowCount: number;
  /** Evaluations (row × evaluator) that are finished. */
  readonly doneCount: number;
  /** Undefined when the number of rows is not known. */
  readonly totalCount: number | undefined;
  readonly errorCount: number;
  readonly perSecond: number;
  /** Calls of models that were sent and have no response yet. */
  readonly activeCallCount: number;
  /** Dollars. */
  readonly cost: number;
  readonly secondsLeft: number | undefined;
  /** The call of a model that is repeated next; absent while calls succeed. */
  readonly repeat?: CallRepeat;
}

/** Labels that are counted apart. Free texts may differ in each row. */
const LABEL_COUNT_MAX = 1_000;
/** Time between two reports of progress. */
export const PROGRESS_MS = 500;

interface Counts {
  count: number;
  errorCount: number;
  labelErrorCount: number;
  firstError?: string;
  notRunCount: number;
  scoreCount: number;
  scoreSum: number;
  readonly labels: Map<string, number>;
}

/** What the counter of a run reads. */
export interface RunCounterSources {
  readonly caller: Pick<RunCaller, 'totals' | 'repeats' | 'activeCallCount'>;
  /** Evaluations of the whole run; undefined when their number is not known. */
  readonly totalCount: number | undefined;
}

/** Counts what a run does. */
export class RunCounter {
  rowCount = 0;
  resumedCount = 0;
  readonly #counts: ReadonlyMap<string, Counts>;
  readonly #sources: RunCounterSources;
  readonly #startedAt = performance.now();
  #doneCount = 0;

  constructor(evaluators: readonly EvaluatorBase<never>[], sources: RunCounterSources) {
    this.#counts = new Map(
      evaluators.map(({ name }) => [
        name,
        { count: 0, errorCount: 0, labelErrorCount: 0, notRunCount: 0, scoreCount: 0, scoreSum: 0, labels: new Map() },
      ]),
    );
    this.#sources = sources;
  }

  /** Evaluations that succeeded. */
  get successCount(): number {
    return [...this.#counts.values()].reduce((sum, { count }) => sum + count, 0);
  }

  add(name: string, { status, score, errorKind, exceptions }: RowEvaluation): void {
    const counts = this.#counts.get(name);
    if (!counts) return;
    this.#doneCount++;
    if (status === 'DID NOT RUN') counts.notRunCount++;
    else if (status === 'FAILED') {
      counts.errorCount++;
      if (errorKind === 'label') counts.labelErrorCount++;
      const error = exceptions.at(-1);
      if (error !== undefined) counts.firstError ??= error;
    } else {
      counts.count++;
      if (score?.score !== undefined) {
        counts.scoreCount++;
        counts.scoreSum += score.score;
      }
      const { label } = score ?? {};
      if (label !== undefined && (counts.labels.has(label) || counts.labels.size < LABEL_COUNT_MAX)) {
        counts.labels.set(label, (counts.labels.get(label) ?? 0) + 1);
      }
    }
  }

  /** How far the run is now. */
  progress(): RunProgress {
    const { caller, totalCount } = this.#sources;
    const perSecond = this.#doneCount / Math.max((performance.now() - this.#startedAt) / 1_000, 1e-3);
    const repeat = caller.repeats.next();
    return {
      rowCount: this.rowCount,
      doneCount: this.#doneCount,
      totalCount,
      errorCount: [...this.#counts.values()].reduce((sum, { errorCount }) => sum + errorCount, 0),
      perSecond,
      activeCallCount: caller.activeCallCount,
      cost: caller.totals.cost,
      // Nothing is known of the time before the first result.
      secondsLeft:
        totalCount === undefined || this.#doneCount === 0 ? undefined : (totalCount - this.#doneCount) / perSecond,
      ...(repeat && { repeat }),
    };
  }

  toSummary(stopReason: StopReason | undefined, error: string | undefined): RunSummary {
    return {
      rowCount: this.rowCount,
      evaluators: Object.fromEntries([...this.#counts].map(([name, counts]) => [name, toEvaluatorSummary(counts)])),
      resumedCount: this.resumedCount,
      calls: { ...this.#sources.caller.totals },
      seconds: (performance.now() - this.#startedAt) / 1_000,
      ...(stopReason && { stopReason }),
      ...(error !== undefined && { error }),
    };
  }
}

const toEvaluatorSummary = ({ scoreCount, scoreSum, labels, ...counts }: Counts): EvaluatorSummary => ({
  ...counts,
  ...(scoreCount > 0 && { meanScore: scoreSum / scoreCount }),
  labels: Object.fromEntries([...labels].sort(([, first], [, second]) => second - first)),
});
