import { setSearch } from '../../router/location.ts';

/** Closes the trace that is open beside the session. */
export const closeTrace = (): void =>
  setSearch({ selectedTraceId: null, selectedSpanNodeId: null, spanView: null, traceView: null, aside: null });
