/** A session: traces that share the attribute `session.id`, with sums kept at commit. */
export interface Session {
  readonly rowId: number;
  /** The application's text, trimmed; unique over all projects. */
  readonly sessionId: string;
  readonly projectId: number;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly traceCount: number;
  readonly errorCount: number;
  readonly tokensPrompt: number;
  readonly tokensCompletion: number;
  /**
   * First characters of the earliest input and of the latest output that a root span has, by start time, then row id;
   * null when none has one.
   */
  readonly firstInput: string | null;
  readonly lastOutput: string | null;
}
