import { STREAMED_SPAN_COUNT } from '../../model/limits/reads.ts';
import type { SpanInTrace } from '../../model/spans/span.ts';
import type { Trace } from '../../model/traces/trace.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { SpanStoreReader } from '../../span-store/contract/span-store.ts';

/** All spans of a trace, or a chunk of them. */
export interface SpansOfTrace {
  readonly trace: Trace;
  /** Spans by start time. The spans of the next chunk follow them. */
  readonly spans: readonly SpanInTrace[];
  /** The next chunk belongs to the next trace. */
  readonly isLast: boolean;
}

/**
 * All spans of traces, trace after trace, about `STREAMED_SPAN_COUNT` at a time, because a trace may have a million. The next
 * chunk is read when it is requested.
 */
export async function* readSpansOfTraces(
  reader: Pick<SpanStoreReader, 'get' | 'listSpansOfTrace'>,
  traces: readonly Trace[],
  options: ReadOptions,
): AsyncGenerator<SpansOfTrace[]> {
  for (const group of groupBySpanCount(traces)) {
    const [first] = group;
    if (first && first.spanCount > STREAMED_SPAN_COUNT) {
      yield* readOneTrace(reader, first, options);
      continue;
    }
    const rowIds = group.map(({ rowId }) => rowId);
    const found = await reader.get({ of: 'traces', column: 'spans', rowIds }, options);
    yield group.map((trace) => ({ trace, spans: found.get(trace.rowId) ?? [], isLast: true }));
  }
}

async function* readOneTrace(
  reader: Pick<SpanStoreReader, 'listSpansOfTrace'>,
  trace: Trace,
  options: ReadOptions,
): AsyncGenerator<SpansOfTrace[]> {
  let after: SpanInTrace | undefined;
  for (;;) {
    const query = { traceRowId: trace.rowId, limit: STREAMED_SPAN_COUNT, after };
    const spans: SpanInTrace[] = await reader.listSpansOfTrace(query, options);
    after = spans.at(-1);
    const isLast = spans.length < STREAMED_SPAN_COUNT;
    yield [{ trace, spans, isLast }];
    if (isLast) return;
  }
}

/** Groups consecutive traces whose spans fit into one chunk. A larger trace has a group of its own. */
function* groupBySpanCount(traces: readonly Trace[]): Generator<Trace[]> {
  let group: Trace[] = [];
  let spanCount = 0;
  for (const trace of traces) {
    if (group.length > 0 && spanCount + trace.spanCount > STREAMED_SPAN_COUNT) {
      yield group;
      group = [];
      spanCount = 0;
    }
    group.push(trace);
    spanCount += trace.spanCount;
  }
  if (group.length > 0) yield group;
}
