import type { Authored } from './access/author.ts';

/** Runs of an experiment in columns, by example and repetition. */
export interface RunColumns {
  readonly count: number;
  readonly rowIds: Float64Array;
  readonly exampleRowIds: Float64Array;
  readonly repetitions: Int32Array;
  readonly latencyMs: Float64Array;
  /** 1: the run has failed. */
  readonly hasError: Uint8Array;
  /** Trace IDs of the runs, separated by line breaks. Empty for a run without a trace. */
  readonly traceIds: string;
}

/** Scores of one name, one per run of the experiment. */
export interface ScoreColumn {
  /** NaN for a run without a usable score. */
  readonly values: Float64Array;
  /** Number of stored scores that are NaN or infinite. */
  readonly nonFiniteCount: number;
}

/** The numbers of an experiment that comparisons need, without texts. */
export interface ComparedExperiment {
  readonly rowId: number;
  /** Row ids of its examples in ascending order, and the revision of each. */
  readonly exampleRowIds: Float64Array;
  readonly revisionRowIds: Float64Array;
  readonly runs: RunColumns;
  /** Evaluations by name. */
  readonly scores: ReadonlyMap<string, ScoreColumn>;
  /** Annotations of people by name: the mean where several people annotated a run. */
  readonly personScores: ReadonlyMap<string, ScoreColumn>;
  /** Names of scores, each with a 1 for each run on which its annotators disagree. */
  readonly disagreements: ReadonlyMap<string, Uint8Array>;
}

/** Beginnings of texts of an example, and its revision. */
export interface ComparedExample {
  readonly exampleRowId: number;
  readonly externalId: string | null;
  /** JSON texts, which may be cut off. */
  readonly input: string;
  readonly output: string;
}

/** A run of a compared example. */
export interface ComparedRun {
  readonly rowId: number;
  readonly experimentRowId: number;
  readonly exampleRowId: number;
  readonly repetitionNumber: number;
  /** JSON text, which may be cut off. */
  readonly output: string;
  readonly error: string | null;
  readonly latencyMs: number;
  readonly traceId: string | null;
}

/** An annotation of a person on a run. */
export interface PersonAnnotation extends Authored {
  readonly runRowId: number;
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  /** Written without sign-in, when all people are one. */
  readonly isAnonymous: boolean;
  /** Name of the author, if there is one. */
  readonly authorName: string | null;
}

/** Which of two runs of an example a person prefers. */
export interface RunPreference extends Authored {
  readonly exampleRowId: number;
  /** The lower row id is first. */
  readonly runRowIds: readonly [number, number];
  /** Null: neither is better. */
  readonly preferredRunRowId: number | null;
  readonly explanation: string | null;
  readonly isAnonymous: boolean;
  readonly authorName: string | null;
}

/** Preferences between the runs of two experiments. */
export interface PreferenceCounts {
  readonly experimentRowIds: readonly [number, number];
  /** Preferences for runs of the first experiment, and of the second one. */
  readonly wins: number;
  readonly losses: number;
  readonly ties: number;
}
