import type { ChatTask } from './playground/chat-task.ts';

export type JobType = 'PROMPT' | 'EVAL_ONLY';

/** `COMPLETED`: everything was attempted. `STOPPED`: by a user, a budget or missing keys. `ERROR`: too many failures. */
export type JobStatus = 'RUNNING' | 'COMPLETED' | 'STOPPED' | 'ERROR';

/** The run of an experiment by the server: of its prompt, or only of evaluators on runs that exist. */
export interface ExperimentJob {
  /** Row id of the experiment. */
  readonly rowId: number;
  readonly type: JobType;
  readonly status: JobStatus;
  /** Why the job is STOPPED or ERROR. Null when a user stopped it. */
  readonly stopReason: string | null;
  /** False while the job only evaluates runs. */
  readonly runsTasks: boolean;
  /** Concurrent calls. */
  readonly maxConcurrency: number;
  /** Its first request sent keys or headers. They are not stored, so no other process can go on without new ones. */
  readonly needsSentSecrets: boolean;
  /** Responses of earlier runs over the dataset may replace calls of the task. */
  readonly usesCache: boolean;
  readonly budget: JobBudget;
  readonly spent: JobSpending;
  readonly createdAt: Date;
}

/** Maximums of a job, over all of its starts. A call in flight may exceed the cost. */
export interface JobBudget {
  readonly callCountMax: number | null;
  /** In US dollars. */
  readonly costMax: number | null;
}

export const NO_BUDGET: JobBudget = { callCountMax: null, costMax: null };

export interface JobSpending {
  /** Calls of models by the task and its evaluators, with repeated ones. */
  readonly callCount: number;
  /** In US dollars. Calls of models without a price cost nothing. */
  readonly cost: number;
}

export const NO_SPENDING: JobSpending = { callCount: 0, cost: 0 };

/** The task of a job of type PROMPT, as it was when the job was created. Headers are not stored. */
export interface JobTask {
  readonly task: Omit<ChatTask, 'headers'>;
  /** The custom provider of the task is deleted. */
  readonly isProviderDeleted: boolean;
  readonly paths: TaskPaths;
}

/** Where a task finds its values in an example. */
export interface TaskPaths {
  /** Names separated by dots, into `{input, reference, metadata}`. Empty: all of it. */
  readonly templateVariables: string;
  /** Names separated by dots, into the input: a list of messages that follow those of the template. */
  readonly appendedMessages: string | null;
}

export type JobLogCategory = 'TASK' | 'EVAL' | 'EXPERIMENT';
export type JobLogLevel = 'ERROR' | 'WARN' | 'INFO';

/** A failed item of a job, or an event of the whole job. */
export interface NewJobLog {
  readonly experimentRowId: number;
  readonly category: JobLogCategory;
  readonly level: JobLogLevel;
  /** Type of the error, or a text about the job. */
  readonly message: string;
  readonly detail: JobLogDetail | null;
  readonly item: JobItemRef | null;
}

export interface JobLog extends NewJobLog {
  readonly rowId: number;
  readonly occurredAt: Date;
}

export type JobLogDetail =
  | { readonly type: 'failure'; readonly error_type: string }
  | { readonly type: 'retries_exhausted'; readonly retry_count: number; readonly reason: string };

export type JobItemRef =
  | { readonly exampleRowId: number; readonly repetitionNumber: number }
  | { readonly runRowId: number; readonly datasetEvaluatorRowId: number };

/** Progress of a job as the database knows it. */
export interface JobCounts {
  /** Runs that the job is to make: examples × repetitions. 0 for jobs that only evaluate. */
  readonly taskCount: number;
  readonly doneTaskCount: number;
  readonly failedTaskCount: number;
  readonly doneEvaluationCount: number;
  readonly failedEvaluationCount: number;
}

/** Work of a job in the process that runs it. */
export interface JobActivity {
  readonly readyTaskCount: number;
  readonly runningTaskCount: number;
  readonly readyEvaluationCount: number;
  readonly runningEvaluationCount: number;
  /** Tasks and evaluations per second since the job was started. 0 until the first one ended. */
  readonly itemsPerSecond: number;
}
