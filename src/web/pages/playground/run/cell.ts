/** An output of the grid: a variant, a case and a repetition. Outputs that were not run have no cell. */
export interface Cell {
  readonly status: CellStatus;
  readonly text: string;
  readonly toolCalls: readonly CellToolCall[];
  readonly error: string | undefined;
  readonly scores: readonly CellScore[];
  /** Annotations of the user. */
  readonly annotations: readonly CellAnnotation[];
  /**
   * Milliseconds from the request to the first text: as the page sees it while the text arrives, then of the call itself, which
   * is the latency of its span without the time in which the text arrived.
   */
  readonly firstMs: number | undefined;
  /** Times of the first and the last piece. */
  readonly pieces: { readonly firstAt: number; readonly lastAt: number } | undefined;
  /** Facts of the recorded span. Undefined until the result arrives. */
  readonly facts: CellFacts | undefined;
  readonly startedAt: number | undefined;
  /** State of the variant when it ran. Another one means that the output is of an earlier text. */
  readonly fingerprint: string;
}

/** An output with its case. */
export type ListedCell = readonly [caseId: string, cell: Cell, repetition: number];

export type CellStatus = 'queued' | 'running' | 'done' | 'error' | 'stopped';

export interface CellToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface CellScore {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
  readonly error: string | null;
  readonly traceId: string | null;
}

export interface CellAnnotation {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
}

export interface CellFacts {
  /** Global ID. Null for runs of experiments that were read later, and for those without a call. */
  readonly spanNodeId: string | null;
  readonly traceId: string | null;
  readonly projectId: string | null;
  readonly latencyMs: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cost: number | null;
  readonly runId: string | null;
  /** Whether the response is that of an earlier run with the same request. */
  readonly isCached: boolean;
}

/** What happens to a cell. Times are milliseconds of the page's clock. */
export type CellEvent =
  | { readonly type: 'start'; readonly at: number }
  | { readonly type: 'text'; readonly text: string; readonly at: number }
  | {
      readonly type: 'toolCall';
      readonly id: string;
      readonly name: string;
      readonly arguments: string;
      readonly at: number;
    }
  | { readonly type: 'restart' }
  | { readonly type: 'result'; readonly facts: CellFacts | undefined; readonly output?: CellOutput }
  | { readonly type: 'error'; readonly message: string; readonly facts: CellFacts | undefined }
  | { readonly type: 'score'; readonly score: CellScore }
  | { readonly type: 'annotate'; readonly annotations: readonly CellAnnotation[] }
  | { readonly type: 'stop' };

/** The whole output, for results that were not followed while they arrived. */
export interface CellOutput {
  readonly text: string;
  readonly toolCalls: readonly CellToolCall[];
}

export const queuedCell = (fingerprint: string): Cell => ({
  status: 'queued',
  text: '',
  toolCalls: [],
  error: undefined,
  scores: [],
  annotations: [],
  firstMs: undefined,
  pieces: undefined,
  facts: undefined,
  startedAt: undefined,
  fingerprint,
});

/** An output that was read from a stored run or span. */
export const finishedCell = (fingerprint: string, finished: Partial<Cell>): Cell => ({
  ...queuedCell(fingerprint),
  status: 'done',
  ...finished,
});

export const isEnded = ({ status }: Cell): boolean => status !== 'queued' && status !== 'running';

/** Longer outputs end here in the page. Their trace has the rest. */
export const TEXT_CHARS_MAX = 2_000_000;

export function applyEvent(cell: Cell, event: CellEvent): Cell {
  switch (event.type) {
    case 'start':
      return isEnded(cell) ? cell : { ...cell, status: 'running', startedAt: event.at };
    case 'text':
      if (cell.status === 'stopped' || cell.text.length >= TEXT_CHARS_MAX) return cell;
      return { ...begun(cell, event.at), text: cell.text + event.text };
    case 'toolCall':
      if (cell.status === 'stopped') return cell;
      return { ...begun(cell, event.at), toolCalls: addToolCall(cell.toolCalls, event) };
    case 'restart':
      return { ...cell, text: '', toolCalls: [], firstMs: undefined, pieces: undefined };
    case 'result':
      return {
        ...cell,
        ...event.output,
        // A result also follows an error.
        status: cell.status === 'error' || cell.status === 'stopped' ? cell.status : 'done',
        facts: event.facts ?? cell.facts,
        firstMs: firstOfCall(cell, event.facts),
      };
    case 'error':
      if (cell.status === 'stopped') return cell;
      return { ...cell, status: 'error', error: event.message, facts: event.facts ?? cell.facts };
    case 'score':
      return { ...cell, scores: [...cell.scores.filter(({ name }) => name !== event.score.name), event.score] };
    case 'annotate':
      return { ...cell, annotations: event.annotations };
    case 'stop':
      return isEnded(cell) ? cell : { ...cell, status: 'stopped' };
  }
}

/** The first piece also starts a cell. Its time is known only if the start of the call is. */
function begun(cell: Cell, at: number): Cell {
  const { startedAt } = cell;
  return {
    ...cell,
    status: 'running',
    pieces: { firstAt: cell.pieces?.firstAt ?? at, lastAt: at },
    firstMs: cell.firstMs ?? (startedAt === undefined ? undefined : at - startedAt),
  };
}

function firstOfCall({ pieces, firstMs }: Cell, facts: CellFacts | undefined): number | undefined {
  if (facts?.isCached) return undefined;
  if (facts?.latencyMs == null || !pieces) return firstMs;
  return Math.max(0, facts.latencyMs - (pieces.lastAt - pieces.firstAt));
}

function addToolCall(calls: readonly CellToolCall[], { id, name, arguments: more }: CellToolCall) {
  const index = calls.findIndex((call) => call.id === id);
  if (index < 0) return [...calls, { id, name, arguments: more }];
  const before = calls[index]!;
  return calls.with(index, { id, name: before.name || name, arguments: before.arguments + more });
}
