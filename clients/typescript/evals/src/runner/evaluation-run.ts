import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadRow } from '../data/bad-row.ts';
import { openRows, type RowSource } from '../data/open-rows.ts';
import { ArgumentError, describeType, toErrorText } from '../errors.ts';
import { EvaluatorBase } from '../evaluators/evaluator-base.ts';
import { createEvaluator, type EvaluatorFn } from '../evaluators/function-evaluator.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import { BATCH_SIZE, type BatchOptions, BatchQueue } from './batch/batch-queue.ts';
import { ModelGate } from './calls/model-gate.ts';
import { RunCaller } from './calls/run-caller.ts';
import type { EvaluatedRow, RowEvaluation } from './evaluated-row.ts';
import { Checkpoint, hashText } from './files/checkpoint.ts';
import { type CacheOptions, ResponseCache } from './files/response-cache.ts';
import { PROGRESS_MS, RunCounter, type RunProgress, type RunSummary, type StopReason } from './run-summary.ts';
import { runTask } from './run-task.ts';

export interface EvaluateRunOptions<RecordType = EvalRecord> {
  readonly data: RowSource<RecordType>;
  /** Evaluators, or functions, whose names must differ. */
  // biome-ignore lint/suspicious/noExplicitAny: evaluators of one run may want different fields of a row
  readonly evaluators: readonly (EvaluatorBase<any> | EvaluatorFn<any>)[];
  /** Whether a row is evaluated by the evaluator of this name. Default: each row by all evaluators. */
  readonly needsEvaluator?: (row: RecordType, evaluatorName: string) => boolean;
  /** Calls of a model at once. By default it starts with 16 and is raised to 256 while the latency holds. */
  readonly concurrency?: number;
  /** Repeats of a call after limits, time limits, server errors and lost connections; default 10. */
  readonly maxRetries?: number;
  /** Time of a call of a model, and of an evaluator without one; default 60,000 ms. */
  readonly timeoutMs?: number;
  /** File of results, with which a killed run goes on. */
  readonly checkpoint?: string;
  /** File of responses of models. */
  readonly cache?: string | CacheOptions;
  /** Whether requests go through the batch interfaces of OpenAI and Anthropic: half the price, up to a day. */
  readonly batch?: boolean | BatchOptions;
  /** Dollars. The run stops before it spends more; calls that are under way may pass it. */
  readonly maxCost?: number;
  /** Number of this run among repetitions of the same rows; part of the key of the cache. */
  readonly repetition?: number;
  /** Whether the first error stops the run. Default: the others go on. */
  readonly exitOnError?: boolean;
  readonly signal?: AbortSignal;
  /** Called twice a second, also before the first result, and at the end. */
  readonly onProgress?: (progress: RunProgress) => void;
}

/** All rows in the order of the data, and the summary. */
export interface EvaluationResults<RecordType> {
  readonly rows: readonly EvaluatedRow<RecordType>[];
  readonly summary: RunSummary;
}

const CONCURRENCY_START = 16;
const CONCURRENCY_MAX = 256;
const MAX_RETRIES = 10;
const TIMEOUT_MS = 60_000;
/** Rows that are read ahead, as a multiple of the calls at once: enough that no call waits for a row. */
const ROWS_AHEAD = 2;
/** Functions that do not wait must leave time for timers and signals. */
const TURN_MS = 10;
/** Evaluators of one run. */
const EVALUATOR_COUNT_MAX = 200;

/** One run: awaited, it gives all rows; in a loop, each row when it is finished. It starts with either. */
export class EvaluationRun<RecordType>
  implements PromiseLike<EvaluationResults<RecordType>>, AsyncIterable<EvaluatedRow<RecordType>>
{
  readonly #options: EvaluateRunOptions<RecordType>;
  readonly #evaluators: readonly EvaluatorBase<never>[];
  #summary: RunSummary | undefined;
  #results: Promise<EvaluationResults<RecordType>> | undefined;
  #isStarted = false;

  /** @throws {ArgumentError} for wrong options; nothing has been sent then */
  constructor(options: EvaluateRunOptions<RecordType>) {
    this.#options = options;
    this.#evaluators = checkEvaluators(options.evaluators);
    checkOptions(options);
  }

  /** Undefined before the end, or before a loop is left. */
  get summary(): RunSummary | undefined {
    return this.#summary;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaited, a run gives all its rows, as lists of the client do
  then<Fulfilled = EvaluationResults<RecordType>, Rejected = never>(
    onFulfilled?: ((results: EvaluationResults<RecordType>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    this.#results ??= this.#collect();
    return this.#results.then(onFulfilled, onRejected);
  }

  async #collect(): Promise<EvaluationResults<RecordType>> {
    const rows: EvaluatedRow<RecordType>[] = [];
    for await (const row of this) rows.push(row);
    rows.sort((first, second) => first.index - second.index);
    return { rows, summary: this.#summary as RunSummary };
  }

  /** Rows when they are finished, which need not be their order. */
  async *[Symbol.asyncIterator](): AsyncGenerator<EvaluatedRow<RecordType>> {
    if (this.#isStarted) throw new ArgumentError('This run has been started; call evaluate again for another one.');
    this.#isStarted = true;
    const work = await RunWork.open(this.#options, this.#evaluators);
    try {
      yield* work.run();
    } finally {
      // Also when the caller leaves its loop early.
      this.#summary = work.summary();
      await work.close();
    }
    work.throwIfFailed();
  }
}

/** Evaluates rows. @see EvaluateRunOptions */
export const evaluate = <RecordType = EvalRecord>(options: EvaluateRunOptions<RecordType>): EvaluationRun<RecordType> =>
  new EvaluationRun(options);

/** Files of a run, as far as they are open. */
interface RunFiles {
  checkpoint?: Checkpoint;
  cache?: ResponseCache;
  batches?: BatchQueue;
}

const closeFiles = ({ checkpoint, cache, batches }: RunFiles) =>
  Promise.allSettled([checkpoint?.close(), cache?.close(), batches?.close()]);

class RunWork<RecordType> {
  readonly #options: EvaluateRunOptions<RecordType>;
  readonly #evaluators: readonly EvaluatorBase<never>[];
  readonly #rows: AsyncIterable<RecordType | BadRow> | Iterable<RecordType | BadRow>;
  readonly #files: RunFiles;
  readonly #caller: RunCaller;
  readonly #functionGate: ModelGate;
  readonly #counter: RunCounter;
  readonly #stopping = new AbortController();
  readonly #finished: EvaluatedRow<RecordType>[] = [];
  #inFlightCount = 0;
  #isSourceDone = false;
  #wakeConsumer: (() => void) | undefined;
  #wakeProducer: (() => void) | undefined;
  #stopReason: StopReason | undefined;
  #stopError: Error | undefined;
  /** Ends the run with a rejection: the checkpoint or the source fails. */
  #failure: { readonly error: unknown } | undefined;

  private constructor(
    options: EvaluateRunOptions<RecordType>,
    evaluators: readonly EvaluatorBase<never>[],
    files: RunFiles,
  ) {
    const { concurrency, maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS, maxCost } = options;
    const gate = { concurrency: concurrency ?? CONCURRENCY_START, concurrencyMax: concurrency ?? CONCURRENCY_MAX };
    const { rows, count } = openRows(options.data);
    this.#options = options;
    this.#evaluators = evaluators;
    this.#rows = rows;
    this.#files = files;
    this.#functionGate = new ModelGate(gate);
    const { batches } = files;
    // Evaluations that wait, and functions, listen.
    setMaxListeners(0, this.#stopping.signal);
    this.#caller = new RunCaller({
      ...gate,
      maxRetries,
      timeoutMs,
      maxCost,
      cache: files.cache,
      ...(batches && { sendInBatch: (model, request) => batches.send(model, request) }),
      stop: (reason, error) => this.#stop(reason, error),
    });
    // How many evaluations a row needs is known when it is read.
    const isTotalKnown = count !== undefined && !options.needsEvaluator;
    const totalCount = isTotalKnown ? count * evaluators.length : undefined;
    this.#counter = new RunCounter(evaluators, { caller: this.#caller, totalCount });
  }

  static async open<RecordType>(
    options: EvaluateRunOptions<RecordType>,
    evaluators: readonly EvaluatorBase<never>[],
  ): Promise<RunWork<RecordType>> {
    const { checkpoint: path, cache, batch, repetition } = options;
    const files: RunFiles = {};
    try {
      if (path !== undefined) files.checkpoint = await Checkpoint.open(path, evaluators, repetition);
      if (cache !== undefined)
        files.cache = await ResponseCache.open(typeof cache === 'string' ? { path: cache } : cache);
      if (batch) {
        const started = path === undefined ? undefined : `${path}.batches`;
        files.batches = await BatchQueue.open(batch === true ? {} : batch, started);
      }
      return new RunWork(options, evaluators, files);
    } catch (error) {
      await closeFiles(files);
      throw error;
    }
  }

  async *run(): AsyncGenerator<EvaluatedRow<RecordType>> {
    const { signal, onProgress } = this.#options;
    const report = () => this.#attempt(() => onProgress?.(this.#counter.progress()));
    // A vendor that does not answer is when people look at the progress, so it waits for no result.
    const reporting = onProgress && setInterval(report, PROGRESS_MS);
    const abort = () => this.#stop('abort', toError(signal?.reason));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const producing = this.#produce();
    try {
      for (;;) {
        const row = this.#finished.shift();
        if (row) {
          this.#wakeProducer?.();
          yield row;
        } else if ((this.#isSourceDone || this.#isStopped()) && this.#inFlightCount === 0) break;
        else {
          await new Promise<void>((resolve) => {
            this.#wakeConsumer = resolve;
          });
        }
      }
    } finally {
      // Also when the caller leaves its loop early.
      clearInterval(reporting);
      signal?.removeEventListener('abort', abort);
      if (!this.#isSourceDone || this.#inFlightCount > 0)
        this.#stop('abort', new Error('The rows were not read to the end.'));
      this.#wakeProducer?.();
      // A source that waits for its next row, such as a stream without an end, does not keep a run that was stopped.
      if (this.#isSourceDone || !this.#isStopped()) await producing;
    }
    report();
  }

  summary(): RunSummary {
    return this.#counter.toSummary(this.#stopReason, this.#stopError && toErrorText(this.#stopError));
  }

  /** A run that cannot begin at all rejects; one that stopped later gives what it has. */
  throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error;
    const isUseless =
      this.#stopReason === 'key' || (this.#stopReason === 'cost' && this.#stopError instanceof ArgumentError);
    if (isUseless && this.#counter.successCount === 0) throw this.#stopError;
  }

  async close(): Promise<void> {
    await closeFiles(this.#files);
  }

  #stop(reason: StopReason, error: Error): void {
    if (this.#stopReason !== undefined) {
      // What is paid for goes on when the budget is used up, but not when the caller has had enough.
      if (this.#stopReason === 'cost' && reason === 'abort') {
        this.#caller.stop(error, false);
        this.#files.batches?.stop(error, false);
      }
      return;
    }
    this.#stopReason = reason;
    this.#stopError = error;
    this.#stopping.abort(error);
    this.#caller.stop(error, reason === 'cost');
    this.#functionGate.stop(error);
    this.#files.batches?.stop(error, reason === 'cost');
    this.#wakeProducer?.();
    this.#wakeConsumer?.();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#stop('error', toError(error));
  }

  /** Code of the caller, such as `onProgress`, ends the run with its error. */
  #attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#fail(error);
    }
  }

  async #produce(): Promise<void> {
    let index = 0;
    let turnStartedAt = performance.now();
    try {
      for await (const row of this.#rows) {
        while (!this.#isStopped() && this.#inFlightCount + this.#finished.length >= this.#rowsMax()) {
          await new Promise<void>((resolve) => {
            this.#wakeProducer = resolve;
          });
        }
        if (this.#isStopped()) break;
        this.#inFlightCount++;
        void this.#evaluateRow(index++, row);
        if (performance.now() - turnStartedAt > TURN_MS) {
          await nextTurn();
          turnStartedAt = performance.now();
        }
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#isSourceDone = true;
    this.#wakeConsumer?.();
  }

  #isStopped(): boolean {
    return this.#stopReason !== undefined;
  }

  #rowsMax(): number {
    if (this.#files.batches) return BATCH_SIZE;
    const calls = Math.max(this.#caller.limit, this.#functionGate.limit);
    return Math.ceil((calls * ROWS_AHEAD) / this.#evaluators.length) + 1;
  }

  async #evaluateRow(index: number, row: RecordType | BadRow): Promise<void> {
    const hash = this.#files.checkpoint && !(row instanceof BadRow) ? hashText(toJson(row)) : '';
    const evaluators = this.#evaluatorsOf(row);
    const evaluations = await Promise.all(
      evaluators.map((evaluator) => this.#evaluateWith(evaluator, index, row, hash)),
    );
    const named = evaluators.map(({ name }, at) => [name, evaluations[at] as RowEvaluation] as const);
    this.#counter.rowCount++;
    for (const [name, evaluation] of named) this.#counter.add(name, evaluation);
    this.#finished.push({
      index,
      row: row instanceof BadRow ? undefined : row,
      scores: Object.fromEntries(named.map(([name, { score }]) => [name, score])),
      details: Object.fromEntries(named.map(([name, { score: _, ...details }]) => [name, details])),
    });
    this.#inFlightCount--;
    this.#wakeConsumer?.();
    this.#wakeProducer?.();
  }

  /** The evaluators that a row needs. A row that could not be read is an error of all. */
  #evaluatorsOf(row: RecordType | BadRow): readonly EvaluatorBase<never>[] {
    const { needsEvaluator } = this.#options;
    if (!needsEvaluator || row instanceof BadRow) return this.#evaluators;
    try {
      return this.#evaluators.filter(({ name }) => needsEvaluator(row, name));
    } catch (error) {
      this.#fail(error);
      return [];
    }
  }

  /** Never rejects. */
  async #evaluateWith(
    evaluator: EvaluatorBase<never>,
    index: number,
    row: RecordType | BadRow,
    hash: string,
  ): Promise<RowEvaluation> {
    if (row instanceof BadRow) return badRowEvaluation(row);
    try {
      const earlier = this.#files.checkpoint?.find(index, evaluator.name, hash);
      if (earlier) {
        this.#counter.resumedCount++;
        return earlier;
      }
      const { maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS, repetition, exitOnError } = this.#options;
      const context = {
        caller: this.#caller,
        functionGate: this.#functionGate,
        maxRetries,
        timeoutMs,
        repetition,
        signal: this.#stopping.signal,
      };
      const evaluation = await runTask(context, evaluator, row as EvalRecord, (result) =>
        this.#files.checkpoint?.add(index, evaluator.name, hash, result),
      );
      if (exitOnError && evaluation.status === 'FAILED') {
        this.#stop('error', new Error(`Row ${index}, ${evaluator.name}: ${evaluation.exceptions.at(-1) ?? ''}`));
      }
      return evaluation;
    } catch (error) {
      this.#fail(error);
      return { score: null, status: 'DID NOT RUN', exceptions: [toErrorText(error)], executionSeconds: 0 };
    }
  }
}

const badRowEvaluation = ({ error }: BadRow): RowEvaluation => ({
  score: null,
  status: 'FAILED',
  exceptions: [toErrorText(error)],
  executionSeconds: 0,
  errorKind: 'input',
});

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

function toJson(row: unknown): string {
  try {
    return JSON.stringify(row) ?? '';
  } catch {
    // A row with cycles or functions cannot be compared with that of an earlier run; its place must do.
    return '';
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as in the options
function checkEvaluators(evaluators: readonly (EvaluatorBase<any> | EvaluatorFn<any>)[]): EvaluatorBase<never>[] {
  if (!Array.isArray(evaluators)) throw new ArgumentError(`evaluators is a list, and not ${describeType(evaluators)}.`);
  if (evaluators.length === 0) throw new ArgumentError('A run needs at least one evaluator.');
  if (evaluators.length > EVALUATOR_COUNT_MAX)
    throw new ArgumentError(`A run has at most ${EVALUATOR_COUNT_MAX} evaluators, and not ${evaluators.length}.`);
  const list = evaluators.map((evaluator) => {
    if (typeof evaluator === 'function') return createEvaluator(evaluator);
    if (evaluator instanceof EvaluatorBase) return evaluator;
    throw new ArgumentError(
      `An evaluator is made by createEvaluator, createClassificationEvaluator or another function of this package, or is a function, and not ${describeType(evaluator)}.`,
    );
  });
  const names = list.map(({ name }) => name);
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined)
    throw new ArgumentError(`Two evaluators have the name ${JSON.stringify(double)}; give one another name.`);
  return list;
}

function checkOptions<RecordType>({
  data,
  concurrency,
  maxRetries,
  timeoutMs,
  maxCost,
}: EvaluateRunOptions<RecordType>): void {
  if (data === undefined)
    throw new ArgumentError('evaluate needs data: a list of rows, an iterable, or the path of a .csv or .jsonl file.');
  const check = (name: string, value: number | undefined, least: number, isInteger: boolean) => {
    if (value === undefined || ((isInteger ? Number.isInteger(value) : Number.isFinite(value)) && value >= least))
      return;
    throw new ArgumentError(
      `${name} is ${isInteger ? 'an integer' : 'a number'} from ${least}, and not ${String(value)}.`,
    );
  };
  check('concurrency', concurrency, 1, true);
  check('maxRetries', maxRetries, 0, true);
  check('timeoutMs', timeoutMs, 1, false);
  check('maxCost', maxCost, 0, false);
}
