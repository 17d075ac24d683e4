import type { SpanSummary } from '../../../model/spans/span.ts';

/** The spans of one trace with their children. */
export class TraceTree {
  /** Spans by start time, then row id. */
  readonly spans: readonly SpanSummary[];
  readonly #byRowId: ReadonlyMap<number, SpanSummary>;
  #children: Map<string, SpanSummary[]> | undefined;

  constructor(spans: readonly SpanSummary[]) {
    this.spans = spans;
    this.#byRowId = new Map(spans.map((span) => [span.rowId, span]));
  }

  find(rowId: number): SpanSummary | undefined {
    return this.#byRowId.get(rowId);
  }

  /** Spans by start time, then row id. */
  childrenOf({ spanId }: SpanSummary): readonly SpanSummary[] {
    this.#children ??= groupByParent(this.spans);
    return this.#children.get(spanId) ?? [];
  }

  /** Breadth first, within a depth by start time, then row id. `depthMax` 0 means no limit. */
  descendantsOf(span: SpanSummary, depthMax: number): SpanSummary[] {
    const seen = new Set([span.rowId]);
    const found: SpanSummary[] = [];
    let level: readonly SpanSummary[] = [span];
    for (let depth = 1; level.length > 0 && (depthMax === 0 || depth <= depthMax); depth++) {
      // Spans may name each other as parents.
      const next = level.flatMap((parent) => this.childrenOf(parent)).filter(({ rowId }) => !seen.has(rowId));
      for (const { rowId } of next) seen.add(rowId);
      level = next.sort((a, b) => compare(a.startTimeUnixNano, b.startTimeUnixNano) || a.rowId - b.rowId);
      found.push(...level);
    }
    return found;
  }
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function groupByParent(spans: readonly SpanSummary[]): Map<string, SpanSummary[]> {
  const children = new Map<string, SpanSummary[]>();
  for (const span of spans) {
    if (span.parentSpanId === null) continue;
    const siblings = children.get(span.parentSpanId);
    if (siblings) siblings.push(span);
    else children.set(span.parentSpanId, [span]);
  }
  return children;
}
