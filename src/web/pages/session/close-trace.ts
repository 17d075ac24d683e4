import { setSearch } from '../../router/location.ts';

/** Leaves the trace that is beside the session. */
export const closeTrace = (): void =>
  setSearch({ selectedTraceId: null, selectedSpanNodeId: null, spanView: null, traceView: null, aside: null });
