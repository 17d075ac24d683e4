/** What of the address belongs to the trace and not to the table beside it. */
export const TRACE_PARAMS = ['selectedSpanNodeId', 'spanView', 'traceView', 'aside'] as const;
