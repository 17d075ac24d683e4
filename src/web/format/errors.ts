import { formatCount } from './numbers.ts';

interface Counted {
  /** Spans with the status ERROR. */
  readonly errorCount: number;
}

/**
 * Whether a trace has an error: one of its spans has the status ERROR, be it the root or any other. The server counts traces
 * by the same rule (`rowCountTimeSeries`, `traceCountByStatusTimeSeries`, `numTracesWithError`).
 */
export const hasError = ({ errorCount }: Counted): boolean => errorCount > 0;

/** `1 error`, `1,234 errors`. */
export const formatErrors = (count: number): string => `${formatCount(count)} ${count === 1 ? 'error' : 'errors'}`;

interface Failed {
  readonly statusMessage: string;
  readonly events: readonly { readonly name: string; readonly message: string }[];
}

/** Why a span with the status ERROR failed: the message of its status, or else of its last exception. */
export function errorReason({ statusMessage, events }: Failed): string {
  const exception = events.findLast(({ name, message }) => name === 'exception' && message.trim() !== '');
  return statusMessage.trim() === ''
    ? (exception?.message ?? 'The span gives no reason for its error.')
    : statusMessage;
}
