import type { SnapshotExample } from '../../model/experiment.ts';
import type { EvaluationTarget } from '../../domain/experiments/jobs/job-work.ts';
import { type EvaluationItem, evaluationKey, type TaskItem, type WorkItem } from './work-items.ts';

/** An example with its repetitions that wait. They become items when they are taken, because there may be many. */
interface WaitingExample {
  readonly example: SnapshotExample;
  readonly repetitionNumbers: readonly number[];
  takenCount: number;
}

interface Retry {
  readonly item: WorkItem;
  /** Time by `Date.now()`. */
  readonly dueAt: number;
}

/** Items of one job that are loaded and wait: evaluations before retries that are due, before tasks. */
export class WorkQueue {
  readonly #evaluations = new Map<number, EvaluationTarget[]>();
  #retries: Retry[] = [];
  readonly #examples: WaitingExample[] = [];
  #readyTaskCount = 0;
  #readyEvaluationCount = 0;
  /** Evaluations that wait, or wait for a retry. */
  readonly #pending = new Set<string>();

  get readyTaskCount(): number {
    return this.#readyTaskCount;
  }

  get readyEvaluationCount(): number {
    return this.#readyEvaluationCount;
  }

  get retryCount(): number {
    return this.#retries.length;
  }

  get size(): number {
    return this.#readyTaskCount + this.#readyEvaluationCount + this.#retries.length;
  }

  /** When the next retry becomes due. Infinity without one. */
  nextDueAfter(now: number): number {
    return this.#retries.find(({ dueAt }) => dueAt > now)?.dueAt ?? Number.POSITIVE_INFINITY;
  }

  addTasks(example: SnapshotExample, repetitionNumbers: readonly number[]): void {
    if (repetitionNumbers.length === 0) return;
    this.#examples.push({ example, repetitionNumbers, takenCount: 0 });
    this.#readyTaskCount += repetitionNumbers.length;
  }

  addEvaluation(evaluatorRowId: number, target: EvaluationTarget): void {
    const list = this.#evaluations.get(evaluatorRowId);
    if (list) list.push(target);
    else this.#evaluations.set(evaluatorRowId, [target]);
    this.#pending.add(evaluationKey(target.run.rowId, evaluatorRowId));
    this.#readyEvaluationCount++;
  }

  addRetry(item: WorkItem, dueAt: number): void {
    const index = this.#retries.findIndex((retry) => retry.dueAt > dueAt);
    this.#retries.splice(index < 0 ? this.#retries.length : index, 0, { item, dueAt });
    if (item.kind === 'evaluation') this.#pending.add(evaluationKey(item.target.run.rowId, item.evaluatorRowId));
  }

  hasEvaluation(key: string): boolean {
    return this.#pending.has(key);
  }

  /** Removes the evaluations of an evaluator. */
  removeEvaluator(evaluatorRowId: number): void {
    for (const { run } of this.#evaluations.get(evaluatorRowId) ?? []) {
      this.#pending.delete(evaluationKey(run.rowId, evaluatorRowId));
      this.#readyEvaluationCount--;
    }
    this.#evaluations.delete(evaluatorRowId);
    this.#retries = this.#retries.filter(
      ({ item }) => item.kind === 'task' || item.evaluatorRowId !== evaluatorRowId || !this.#unmark(item),
    );
  }

  /**
   * Takes the first item that may start.
   *
   * @param mayStart called once per evaluator, once for tasks, and once per retry that is due. True only if the item starts.
   */
  take(now: number, mayStart: (kind: TaskItem['kind'] | { readonly evaluatorRowId: number }) => boolean) {
    return this.#takeEvaluation(mayStart) ?? this.#takeRetry(now, mayStart) ?? this.#takeTask(mayStart);
  }

  #takeEvaluation(mayStart: (kind: { readonly evaluatorRowId: number }) => boolean): EvaluationItem | undefined {
    for (const [evaluatorRowId, targets] of this.#evaluations) {
      if (!mayStart({ evaluatorRowId })) continue;
      const target = targets.shift();
      this.#evaluations.delete(evaluatorRowId);
      if (!target) continue;
      // The evaluator with the least recent start is first.
      if (targets.length > 0) this.#evaluations.set(evaluatorRowId, targets);
      this.#readyEvaluationCount--;
      const item: EvaluationItem = { kind: 'evaluation', evaluatorRowId, target, failureCount: 0 };
      this.#unmark(item);
      return item;
    }
    return undefined;
  }

  #takeRetry(now: number, mayStart: Parameters<WorkQueue['take']>[1]): WorkItem | undefined {
    for (const [index, { item, dueAt }] of this.#retries.entries()) {
      if (dueAt > now) return undefined;
      if (!mayStart(item.kind === 'task' ? 'task' : { evaluatorRowId: item.evaluatorRowId })) continue;
      this.#retries.splice(index, 1);
      if (item.kind === 'evaluation') this.#unmark(item);
      return item;
    }
    return undefined;
  }

  #takeTask(mayStart: (kind: 'task') => boolean): TaskItem | undefined {
    const [first] = this.#examples;
    if (!first || !mayStart('task')) return undefined;
    const repetitionNumber = first.repetitionNumbers[first.takenCount++] as number;
    if (first.takenCount === first.repetitionNumbers.length) this.#examples.shift();
    this.#readyTaskCount--;
    return { kind: 'task', example: first.example, repetitionNumber, failureCount: 0, hasSentPieces: false };
  }

  #unmark({ target, evaluatorRowId }: EvaluationItem): true {
    this.#pending.delete(evaluationKey(target.run.rowId, evaluatorRowId));
    return true;
  }
}
