import { JOB_ERROR_CHARS_MAX } from '../../model/limits/jobs.ts';
import type { EvaluationOutcome, Retry, TaskOutcome } from '../../domain/experiments/jobs/job-work.ts';
import type { JobStream } from './job-stream.ts';
import { retryWrite } from './retry-write.ts';
import type { RunnerParts } from './runner-parts.ts';
import type { EvaluationItem, TaskItem, WorkItem } from './work-items.ts';

/** What is known of an attempt besides its outcome. */
export interface AttemptEnd {
  /** The retry that the outcome would allow. Null when another attempt would not help. */
  readonly retry: Retry | null;
  readonly isTimedOut: boolean;
}

/** Stores the outcomes of a job and announces them to its stream. */
export class OutcomeRecords {
  readonly #parts: RunnerParts;
  readonly #experimentRowId: number;
  readonly #stream: JobStream | undefined;

  constructor(parts: RunnerParts, experimentRowId: number, stream: JobStream | undefined) {
    this.#parts = parts;
    this.#experimentRowId = experimentRowId;
    this.#stream = stream;
  }

  /** Stores a run. Undefined when the experiment or the example is gone. `isNew`: no other server had stored it. */
  async addRun(
    item: TaskItem,
    outcome: TaskOutcome,
    { retry, isTimedOut }: AttemptEnd,
  ): Promise<{ readonly rowId: number; readonly isNew: boolean } | undefined> {
    const cell = { exampleRowId: item.example.rowId, repetitionNumber: item.repetitionNumber };
    const isExhausted = retry !== null && item.failureCount > 0;
    // A run without a call at its end has no trace: the attempts have.
    const run = isExhausted
      ? { ...outcome.run, error: exhaustedText(retry, item.failureCount), traceId: null }
      : isTimedOut && outcome.errorType !== null
        ? { ...outcome.run, error: 'timeout' }
        : outcome.run;
    const write = await this.#retried(() =>
      this.#parts.runs.writeRun(this.#experimentRowId, { ...run, error: limitText(run.error), ...cell }),
    );
    if (write.state === 'absent') return undefined;
    const { rowId } = write;
    this.#stream?.announce({
      cell,
      spanId: isExhausted ? null : outcome.spanId,
      receipt: outcome.receipt,
      toEvent: (spanRowId) => ({
        ...cell,
        ...(run.error === null ? { type: 'result' as const } : { type: 'error' as const, message: run.error }),
        spanRowId,
        runRowId: rowId,
      }),
    });
    return { rowId, isNew: write.state === 'written' };
  }

  async addEvaluations(item: EvaluationItem, outcome: EvaluationOutcome, retry: Retry | null): Promise<void> {
    const { run } = item.target;
    const cell = { exampleRowId: run.exampleRowId, repetitionNumber: run.repetitionNumber };
    const error = retry === null || item.failureCount === 0 ? undefined : exhaustedText(retry, item.failureCount);
    for (const given of outcome.evaluations) {
      const evaluation =
        error !== undefined && given.error !== null ? { ...given, error } : { ...given, error: limitText(given.error) };
      const rowId = await this.#retried(() => this.#parts.runs.addEvaluation(run.rowId, evaluation));
      this.#stream?.announce({
        cell,
        spanId: null,
        receipt: outcome.receipt,
        toEvent: () => ({
          ...cell,
          type: 'evaluation',
          evaluatorName: evaluation.name,
          annotationRowId: evaluation.error === null ? (rowId ?? null) : null,
          traceId: evaluation.traceId,
          error: evaluation.error,
        }),
      });
    }
  }

  /** Logs a failure for people. `isTripped`: it was one too many, and the job ends. */
  async logFailure(
    item: WorkItem,
    errorType: string,
    { retry, isTripped }: { readonly retry: Retry | null; readonly isTripped: boolean },
  ): Promise<void> {
    const isTask = item.kind === 'task';
    const shared = { experimentRowId: this.#experimentRowId, level: 'ERROR' } as const;
    const detail =
      retry && item.failureCount > 0
        ? ({ type: 'retries_exhausted', retry_count: item.failureCount, reason: retry.reason } as const)
        : ({ type: 'failure', error_type: errorType } as const);
    const failure = {
      ...shared,
      category: isTask ? ('TASK' as const) : ('EVAL' as const),
      message: errorType,
      detail,
      item: isTask
        ? { exampleRowId: item.example.rowId, repetitionNumber: item.repetitionNumber }
        : { runRowId: item.target.run.rowId, datasetEvaluatorRowId: item.evaluatorRowId },
    };
    const trip = {
      ...shared,
      category: 'EXPERIMENT' as const,
      message: `Circuit breaker tripped (${isTask ? 'task' : 'eval'}): ${errorType}`,
      detail: { type: 'failure', error_type: errorType } as const,
      item: null,
    };
    await this.#retried(() => this.#parts.jobs.addLogs(isTripped ? [failure, trip] : [failure]));
  }

  #retried<Result>(write: () => Promise<Result>): Promise<Result> {
    return retryWrite(this.#parts.timing.retryMs, write);
  }
}

const exhaustedText = ({ reason }: Retry, count: number): string => `${reason} after ${count} retries`;

const limitText = (text: string | null): string | null => text?.slice(0, JOB_ERROR_CHARS_MAX) ?? null;
