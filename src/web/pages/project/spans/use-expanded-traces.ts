import { useCallback, useMemo, useState } from 'react';
import { quote } from '../../../components/filter/write-condition.ts';
import { toast, toastFailure } from '../../../components/toasts.tsx';
import { send, toFailure } from '../../../data/request.ts';
import { formatCount } from '../../../format/numbers.ts';
import { projectSpans } from '../generated/project.ts';
import type { SpanRow, TraceRow } from './span-row.ts';

export interface ExpandedTraces {
  /** Traces, each expanded one followed by its spans. */
  readonly rows: readonly TraceRow[];
  readonly isExpanded: (row: SpanRow) => boolean;
  readonly isAllExpanded: boolean;
  readonly toggle: (row: SpanRow) => void;
  readonly toggleAll: () => void;
}

/** Maximum number of spans that are expanded at once, over all traces. */
const SPAN_COUNT_MAX = 1_000;

/** Expands traces of a table into their spans, one or all of them. */
export function useExpandedTraces(projectId: string, traces: readonly SpanRow[], isDetailed: boolean): ExpandedTraces {
  const [spans, setSpans] = useState<ReadonlyMap<string, readonly TraceRow[]>>(new Map());
  const expand = useCallback(
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
          toast(`Only the first ${formatCount(SPAN_COUNT_MAX)} spans are shown. Open a trace to see all of its spans.`);
        }
      } catch (error) {
        toastFailure(toFailure(error).message);
      }
    },
    [projectId, isDetailed],
  );
  const isExpanded = useCallback(({ trace }: SpanRow) => spans.has(trace.id), [spans]);
  const toggle = useCallback(
    (row: SpanRow) => {
      if (!isExpanded(row)) return void expand([row]);
      setSpans((before) => new Map([...before].filter(([id]) => id !== row.trace.id)));
    },
    [isExpanded, expand],
  );
  const isAllExpanded = traces.length > 0 && traces.every(isExpanded);
  return {
    rows: useMemo(() => traces.flatMap((row) => [row, ...(spans.get(row.trace.id) ?? [])]), [traces, spans]),
    isExpanded,
    isAllExpanded,
    toggle,
    toggleAll() {
      if (isAllExpanded) return setSpans(new Map());
      void expand(traces.filter((row) => !isExpanded(row)));
    },
  };
}
