import type { Authored } from '../access/author.ts';
import type { EvaluatorRef, InputMapping } from './evaluator.ts';

export const ONLINE_TARGETS = ['SPAN', 'TRACE', 'SESSION'] as const;
export type OnlineTarget = (typeof ONLINE_TARGETS)[number];

/** An evaluator that annotates spans, traces or sessions of a project as they arrive. */
export interface OnlineEvaluator extends Authored {
  readonly rowId: number;
  readonly projectId: number;
  readonly evaluator: EvaluatorRef;
  /** An identifier, unique in the project. */
  readonly name: string;
  readonly description: string | null;
  readonly target: OnlineTarget;
  /** A filter of spans. A trace or session is a target if one of its spans matches. Blank: every span. */
  readonly filter: string;
  readonly inputMapping: InputMapping;
  /** Share of the traces, or of the sessions, that are annotated: greater than 0, at most 1. */
  readonly samplingRate: number;
  /** Time without new spans after which a trace or session is complete. */
  readonly quietMs: number;
  /** Model calls, or runs of code, per day (UTC). Null: unlimited. */
  readonly dailyCallCountMax: number | null;
  /** Dollars per day (UTC). Null: unlimited. */
  readonly dailyCostMax: number | null;
  readonly isEnabled: boolean;
  /** Increases with each change of what is annotated or how. */
  readonly revision: number;
  /** Hidden project with the traces of its evaluations. */
  readonly traceProjectId: number;
  /** Spans with higher row ids have not been looked at. */
  readonly lastSpanRowId: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Editable fields. An undefined field keeps its value. */
export type OnlineEvaluatorChanges = {
  readonly [Name in keyof OnlineEvaluatorFields]?: OnlineEvaluatorFields[Name] | undefined;
};

export type OnlineEvaluatorFields = Pick<
  OnlineEvaluator,
  | 'name'
  | 'description'
  | 'filter'
  | 'inputMapping'
  | 'samplingRate'
  | 'quietMs'
  | 'dailyCallCountMax'
  | 'dailyCostMax'
  | 'isEnabled'
>;

export interface NewOnlineEvaluator extends OnlineEvaluatorFields, Authored {
  readonly projectId: number;
  readonly evaluatorRowId: number;
  readonly target: OnlineTarget;
  readonly lastSpanRowId: number;
  /** Name of the project of its traces, which is created with it. */
  readonly traceProjectName: string;
}

/** `GONE`: the target was deleted before its evaluation. */
export const ONLINE_ITEM_STATES = ['WAITING', 'DONE', 'OVER_BUDGET', 'FAILED', 'GONE'] as const;
export type OnlineItemState = (typeof ONLINE_ITEM_STATES)[number];

/** A target that an online evaluator has selected. */
export interface OnlineItem {
  readonly onlineEvaluatorRowId: number;
  /** Version of the evaluator: its revision and the version of its prompt or code. A version annotates a target once. */
  readonly version: string;
  /** Row id of the span, trace or session. */
  readonly targetRowId: number;
  readonly traceId: string;
  readonly state: OnlineItemState;
  /** When it is evaluated at the earliest. */
  readonly dueAt: Date;
  /** Spans of the trace, or traces of the session, when it was last looked at. Null before, and for spans. */
  readonly spanCount: number | null;
  readonly attemptCount: number;
  readonly error: string | null;
  readonly changedAt: Date;
}

export type OnlineItemKey = Pick<OnlineItem, 'onlineEvaluatorRowId' | 'version' | 'targetRowId'>;

/** Counts of one day (UTC), or of several. */
export interface OnlineCounts {
  readonly doneCount: number;
  readonly sampledOutCount: number;
  readonly overBudgetCount: number;
  readonly failedCount: number;
  readonly callCount: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export type OnlineDay = OnlineCounts & { readonly day: string };

/** `RUNNING` until each of its targets has an outcome. */
export type BackfillState = 'RUNNING' | 'DONE' | 'STOPPED';

/** A run over spans that have arrived before. */
export interface OnlineBackfill extends Authored {
  readonly rowId: number;
  readonly onlineEvaluatorRowId: number;
  /** Start of the spans, or null without a bound; the end is exclusive. */
  readonly startTime: Date | null;
  readonly endTime: Date | null;
  readonly state: BackfillState;
  readonly lastSpanRowId: number;
  /** Spans that arrive later are not part of it. */
  readonly lastSpanRowIdMax: number;
  /** Matching spans so far, and targets by what became of them. A target that was annotated before is not queued. */
  readonly matchedCount: number;
  readonly queuedCount: number;
  readonly sampledOutCount: number;
  /** Targets by the estimate when it began. Null for those of earlier versions of the program. */
  readonly expectedCount: number | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** Queued targets of a backfill by state. Outcomes are stored for `ONLINE_ITEM_AGE_MS_MAX`. */
export interface BackfillProgress {
  readonly waitingCount: number;
  readonly doneCount: number;
  readonly failedCount: number;
  readonly overBudgetCount: number;
  readonly deletedCount: number;
  /** Outcomes of the last minute, and its seconds: fewer than 60 after the start. */
  readonly recentCount: number;
  readonly recentSeconds: number;
}
