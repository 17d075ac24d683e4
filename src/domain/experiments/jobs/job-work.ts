import type {
  ExperimentRun,
  NewExperimentEvaluation,
  NewExperimentRun,
  SnapshotExample,
} from '../../../model/experiment.ts';
import type { ExperimentJob } from '../../../model/experiment-job.ts';
import type { VendorLimit } from '../../../model/models/vendor-limit.ts';
import type { ChatEventBody } from '../../../model/playground/chat-event.ts';
import type { Receipt } from '../../../model/receipt.ts';
import type { SentSecrets } from './job-runner.ts';

/** What a runner needs to know about the work of a job. It loads items, and records the outcomes. */
export interface JobWork {
  /**
   * Reads the task of a job and resolves its keys.
   *
   * @throws {JobUnready} when no call can be made
   */
  openTask(job: ExperimentJob, secrets: SentSecrets): Promise<OpenTask>;
  /** The evaluators that are attached to a job. One that was deleted is absent. */
  openEvaluators(job: ExperimentJob, secrets: SentSecrets): Promise<OpenEvaluator[]>;
  /** Resolves when reads see the write of this receipt. */
  waitFor(receipt: Receipt): Promise<void>;
  /** Row ids of spans by span ID. Spans that are not stored are absent. */
  findSpanRowIds(spanIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** A job cannot run. The message is the reason that people see. */
export class JobUnready extends Error {
  override readonly name = 'JobUnready';
  readonly status: 'STOPPED' | 'ERROR';
  constructor(status: 'STOPPED' | 'ERROR', message: string) {
    super(message);
    this.status = status;
  }
}

export interface AttemptOptions {
  readonly signal: AbortSignal;
  /** Called with the limits that a response of the vendor states. */
  readonly onLimits: (limits: readonly VendorLimit[]) => void;
}

export interface Attempt extends AttemptOptions {
  readonly repetitionNumber: number;
  /** Called with each piece of the response. */
  readonly onPiece: (piece: Extract<ChatEventBody, { type: 'text' | 'toolCall' }>) => void;
}

export interface OpenTask {
  /** Calls with the same key share a rate limit. It may change with `refresh`. */
  readonly rateLimitKey: string;
  /**
   * Resolves address and keys again, which the next calls use.
   *
   * @throws {JobUnready} when the provider or a key has been deleted
   */
  refresh(): Promise<void>;
  /** Never rejects for a failed call. */
  run(example: SnapshotExample, attempt: Attempt): Promise<TaskOutcome>;
}

export interface OpenEvaluator {
  /** Row id of the binding. */
  readonly rowId: number;
  /** Names of its annotations. */
  readonly names: readonly string[];
  /** Null for evaluators that call no model. */
  readonly rateLimitKey: string | null;
  /** Never rejects for a failed evaluation. */
  run(target: EvaluationTarget, options: AttemptOptions): Promise<EvaluationOutcome>;
}

/** A run that is evaluated. */
export interface EvaluationTarget {
  readonly run: Pick<ExperimentRun, 'rowId' | 'exampleRowId' | 'repetitionNumber' | 'output'>;
  readonly example: SnapshotExample;
}

/** Common to both kinds of outcomes. */
interface Outcome {
  /** Set when another attempt may succeed. */
  readonly retry: Retry | null;
  /** Type of the error. Null: success. */
  readonly errorType: string | null;
  /** Calls of models that were made. */
  readonly callCount: number;
  /** In US dollars. */
  readonly cost: number;
  /** Name of a model that was called and has no price. */
  readonly unpricedModel?: string | undefined;
  /** Receipt of its spans. */
  readonly receipt: Receipt | null;
}

export interface Retry {
  /** A limit of the vendor, which slows other calls with the same key down. */
  readonly isRateLimit: boolean;
  /** In words, for errors and logs: `rate limit`, `timeout`, `transient error: …`. */
  readonly reason: string;
  /** Wait that the vendor asks for. */
  readonly afterMs: number | undefined;
}

export interface TaskOutcome extends Outcome {
  readonly run: Omit<NewExperimentRun, 'exampleRowId' | 'repetitionNumber'>;
  /** Null when no call was made. */
  readonly spanId: string | null;
}

export interface EvaluationOutcome extends Outcome {
  readonly evaluations: readonly NewExperimentEvaluation[];
}
