import { formatCount } from './numbers.ts';

interface Counted {
  /** Number of spans with the status ERROR. */
  readonly errorCount: number;
}

/**
 * Whether a trace has an error, that is, any of its spans has the status ERROR. The server counts traces by the same
 * rule (`rowCountTimeSeries`, `traceCountByStatusTimeSeries`, `numTracesWithError`, and the filter `error_in_trace`). The
 * error of a span, also of a root span, is its own status.
 */
export const hasError = ({ errorCount }: Counted): boolean => errorCount > 0;

/** For example `1 error` or `1,234 errors`. */
export const formatErrors = (count: number): string => `${formatCount(count)} ${count === 1 ? 'error' : 'errors'}`;

interface Failed {
  readonly statusMessage: string;
  readonly events: readonly { readonly name: string; readonly message: string }[];
}

/** Error message of a span with the status ERROR, from its status or else from its last exception. */
export function errorReason({ statusMessage, events }: Failed): string {
  const exception = events.findLast(({ name, message }) => name === 'exception' && message.trim() !== '');
  return statusMessage.trim() === '' ? (exception?.message ?? 'The span has no error message.') : statusMessage;
}
