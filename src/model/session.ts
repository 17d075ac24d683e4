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
  /** First characters of the first root span's input and of the last root span's output; null when there is none. */
  readonly firstInput: string | null;
  readonly lastOutput: string | null;
}
