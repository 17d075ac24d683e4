/** What the page knows of the run of a variant. */
export interface RunState {
  readonly isRunning: boolean;
  /** Clock time. */
  readonly startedAt: number;
  /** Why the whole run failed. */
  readonly problem: string | undefined;
  /** The experiment of a run over a dataset. */
  readonly experimentId: string | undefined;
  /** Calls and cost so far, of a run with a budget. */
  readonly spending?: RunSpending | undefined;
  /** What happens when the server allows it. */
  readonly waiting?: string | undefined;
  /** Why the server has stopped the run. */
  readonly stopReason?: string | undefined;
}

/** What a run has spent, and its maximums. Null: no limit. Costs are in US dollars. */
export interface RunSpending {
  readonly callCount: number;
  readonly maxCalls: number | null;
  readonly cost: number;
  readonly maxCost: number | null;
  /** Whether each ended call is counted. The server records those of a dataset from time to time. */
  readonly isExact?: boolean;
}
