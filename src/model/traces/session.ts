/** A session: traces with the same attribute `session.id`, with rollups. */
export interface Session {
  readonly rowId: number;
  /** The application's ID, trimmed. Unique across projects. */
  readonly sessionId: string;
  readonly projectId: number;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly traceCount: number;
  readonly errorCount: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  /**
   * First characters of the earliest input and the latest output of a root span, by start time, then row id. Null if
   * there is none.
   */
  readonly firstInput: string | null;
  readonly lastOutput: string | null;
}
