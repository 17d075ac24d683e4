import type { SnapshotExample } from '../../model/experiment.ts';
import type { ExperimentJob } from '../../model/experiment-job.ts';
import { LOADED_CHARS_MAX, LOADED_ITEM_COUNT_MAX, LOADED_ITEM_COUNT_MIN } from '../../model/limits/jobs.ts';
import type { OpenEvaluator } from '../../domain/experiments/jobs/job-work.ts';
import type { Ports } from '../../domain/ports.ts';
import { evaluationKey } from './work-items.ts';
import type { WorkQueue } from './work-queue.ts';

export type LoaderStore = Pick<Ports['experiments'], 'listIncompleteRuns' | 'listIncompleteEvaluations'>;

/** A pass over the runs of an experiment that finds missing evaluations of some evaluators. */
interface EvaluationPass {
  readonly evaluators: readonly OpenEvaluator[];
  fromRowId: number;
}

/**
 * Loads the items of a job page by page: first the evaluations that successful runs lack, then the runs that are missing or
 * have failed. A pass reads each row once, so what fails again is not repeated.
 */
export class ItemLoader {
  readonly #store: LoaderStore;
  readonly #job: ExperimentJob;
  readonly #queue: WorkQueue;
  readonly #pageCount: number;
  /** The queue above which nothing is loaded until half of it is done. */
  readonly #pauseCount: number;
  #passes: EvaluationPass[];
  /** Undefined when all runs have been read. */
  #taskFromRowId: number | undefined;
  #charsPerRow: number | undefined;
  #isPaused = false;
  #isLoading = false;
  /** Evaluations that ended while a page was read, which may still have them. */
  readonly #endedWhileLoading = new Set<string>();

  constructor(
    store: LoaderStore,
    { job, queue, evaluators }: { job: ExperimentJob; queue: WorkQueue; evaluators: readonly OpenEvaluator[] },
  ) {
    this.#store = store;
    this.#job = job;
    this.#queue = queue;
    this.#pageCount = Math.min(LOADED_ITEM_COUNT_MAX, Math.max(LOADED_ITEM_COUNT_MIN, 2 * job.maxConcurrency));
    this.#pauseCount = Math.max(100, 4 * this.#pageCount);
    this.#passes = evaluators.length > 0 ? [{ evaluators, fromRowId: 0 }] : [];
    this.#taskFromRowId = job.runsTasks ? 0 : undefined;
  }

  /** Everything is loaded. */
  get isDone(): boolean {
    return this.#passes.length === 0 && this.#taskFromRowId === undefined && !this.#isLoading;
  }

  get isLoading(): boolean {
    return this.#isLoading;
  }

  needsMore(): boolean {
    if (this.#isLoading || this.isDone) return false;
    if (this.#queue.size >= this.#pauseCount) this.#isPaused = true;
    if (this.#queue.size <= this.#pauseCount / 2) this.#isPaused = false;
    return !this.#isPaused && this.#queue.readyTaskCount + this.#queue.readyEvaluationCount < this.#pageCount;
  }

  /** Also looks for the evaluations of these evaluators. */
  addPass(evaluators: readonly OpenEvaluator[]): void {
    this.#passes.push({ evaluators, fromRowId: 0 });
  }

  removeEvaluator(rowId: number): void {
    this.#passes = this.#passes.flatMap(({ evaluators, fromRowId }) => {
      const left = evaluators.filter((evaluator) => evaluator.rowId !== rowId);
      return left.length === 0 ? [] : [{ evaluators: left, fromRowId }];
    });
  }

  /** An evaluation has ended, or its run was recorded and it waits. */
  markEvaluation(key: string): void {
    if (this.#isLoading) this.#endedWhileLoading.add(key);
  }

  /** Loads a page. `isRunning` reports whether an evaluation is in flight. */
  async load(isRunning: (key: string) => boolean): Promise<void> {
    this.#isLoading = true;
    try {
      const [pass] = this.#passes;
      if (pass) await this.#loadEvaluations(pass, isRunning);
      else await this.#loadTasks();
    } finally {
      this.#isLoading = false;
      this.#endedWhileLoading.clear();
    }
  }

  async #loadEvaluations(pass: EvaluationPass, isRunning: (key: string) => boolean): Promise<void> {
    const names = [...new Set(pass.evaluators.flatMap((evaluator) => evaluator.names))];
    const { items, nextRowId } = await this.#store.listIncompleteEvaluations({
      experimentRowId: this.#job.rowId,
      names,
      limit: this.#limit(Math.ceil(this.#pageCount / pass.evaluators.length)),
      fromRowId: pass.fromRowId,
    });
    let chars = 0;
    for (const { run, example, evaluationNames } of items) {
      chars += run.output.length + charsOf(example);
      for (const { rowId, names: own } of pass.evaluators) {
        const key = evaluationKey(run.rowId, rowId);
        const isWaiting = this.#queue.hasEvaluation(key) || isRunning(key) || this.#endedWhileLoading.has(key);
        if (!isWaiting && own.some((name) => evaluationNames.includes(name))) {
          this.#queue.addEvaluation(rowId, { run, example });
        }
      }
    }
    this.#measure(chars, items.length);
    if (nextRowId === undefined) this.#passes = this.#passes.filter((one) => one !== pass);
    else pass.fromRowId = nextRowId;
  }

  async #loadTasks(): Promise<void> {
    const { items, nextRowId } = await this.#store.listIncompleteRuns({
      experimentRowId: this.#job.rowId,
      limit: this.#limit(this.#pageCount),
      ...(this.#taskFromRowId !== undefined && { fromRowId: this.#taskFromRowId }),
    });
    let chars = 0;
    for (const { example, repetitionNumbers } of items) {
      chars += charsOf(example);
      this.#queue.addTasks(example, repetitionNumbers);
    }
    this.#measure(chars, items.length);
    this.#taskFromRowId = nextRowId;
  }

  /** The first page is short, because its rows may be long. */
  #limit(requested: number): number {
    if (this.#charsPerRow === undefined) return Math.min(requested, LOADED_ITEM_COUNT_MIN);
    return Math.max(1, Math.min(requested, Math.floor(LOADED_CHARS_MAX / Math.max(1, this.#charsPerRow))));
  }

  #measure(chars: number, count: number): void {
    if (count > 0) this.#charsPerRow = chars / count;
  }
}

const charsOf = ({ input, output, metadata }: SnapshotExample): number =>
  input.length + output.length + metadata.length;
