import { useCallback, useMemo, useState } from 'react';
import { quote } from '../../../components/filter/write-condition.ts';
import { tell, tellFailure } from '../../../components/toasts.tsx';
import { send, toFailure } from '../../../data/request.ts';
import { formatCount } from '../../../format/numbers.ts';
import { projectSpans } from '../generated/project.ts';
import type { SpanRow, TraceRow } from './span-row.ts';

export interface Unfolded {
  /** Traces with the spans of those that are unfolded below them. */
  readonly rows: readonly TraceRow[];
  readonly isUnfolded: (row: SpanRow) => boolean;
  readonly isAllUnfolded: boolean;
  readonly toggle: (row: SpanRow) => void;
  readonly toggleAll: () => void;
}

/** Spans of all traces together that unfold at once. */
const SPAN_COUNT_MAX = 1_000;

/** Lets the rows of traces unfold into their spans, one or all of them. */
export function useUnfolded(projectId: string, traces: readonly SpanRow[], isDetailed: boolean): Unfolded {
  const [spans, setSpans] = useState<ReadonlyMap<string, readonly TraceRow[]>>(new Map());
  const unfold = useCallback(
    async (rows: readonly SpanRow[]) => {
      const roots = new Set(rows.map(({ id }) => id));
      const found = new Map<string, TraceRow[]>(rows.map(({ trace }) => [trace.id, []]));
      try {
        const { node } = await send(projectSpans, {
          id: projectId,
          first: SPAN_COUNT_MAX,
          sort: { col: 'startTime', dir: 'asc' },
          rootSpansOnly: false,
          grain: 'spans',
          isOfTraces: false,
          isOfRoots: false,
          isDetailed,
          filterCondition: `trace_id in [${rows.map(({ context }) => quote(context.traceId)).join(', ')}]`,
        });
        if (node.__typename !== 'Project') return;
        for (const { node: span } of node.spans.edges) {
          if (!roots.has(span.id)) found.get(span.trace.id)?.push({ ...span, isChild: true });
        }
        setSpans((before) => new Map([...before, ...found]));
        if (node.spans.pageInfo.hasNextPage) {
          tell(`The first ${formatCount(SPAN_COUNT_MAX)} spans are shown. Open a trace to see all of it.`);
        }
      } catch (error) {
        tellFailure(toFailure(error).message);
      }
    },
    [projectId, isDetailed],
  );
  const isUnfolded = useCallback(({ trace }: SpanRow) => spans.has(trace.id), [spans]);
  const toggle = useCallback(
    (row: SpanRow) => {
      if (!isUnfolded(row)) return void unfold([row]);
      setSpans((before) => new Map([...before].filter(([id]) => id !== row.trace.id)));
    },
    [isUnfolded, unfold],
  );
  const isAllUnfolded = traces.length > 0 && traces.every(isUnfolded);
  return {
    rows: useMemo(() => traces.flatMap((row) => [row, ...(spans.get(row.trace.id) ?? [])]), [traces, spans]),
    isUnfolded,
    isAllUnfolded,
    toggle,
    toggleAll() {
      if (isAllUnfolded) return setSpans(new Map());
      void unfold(traces.filter((row) => !isUnfolded(row)));
    },
  };
}
