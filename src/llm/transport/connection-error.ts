import { ModelError } from '../contract/model-error.ts';
import { AddressForbidden } from './address-forbidden.ts';

/** Words for the codes of Node and undici. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', 'its name is not known'],
  ['EAI_AGAIN', 'its name could not be looked up'],
  ['ECONNREFUSED', 'it does not accept connections'],
  ['ECONNRESET', 'it closed the connection'],
  ['EPIPE', 'it closed the connection'],
  ['UND_ERR_SOCKET', 'it closed the connection'],
  ['EHOSTUNREACH', 'there is no route to it'],
  ['ENETUNREACH', 'there is no route to it'],
]);

/** Converts a failure of the connection to `host` to an error without details of the machine. */
export function toConnectionError(error: unknown, host: string): ModelError {
  const cause = firstError(error);
  if (cause instanceof AddressForbidden) return new ModelError('blocked', cause.message);
  if (isParserError(cause)) return new ModelError('unreadable', `The model endpoint ${host} does not speak HTTP.`);
  const code = codeOf(cause);
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new ModelError('timedOut', `The connection to ${host} timed out.`);
  }
  const reason = REASONS.get(code) ?? (isTls(code) ? 'its certificate is not accepted' : undefined);
  return new ModelError('unreachable', `The model endpoint ${host} cannot be reached${reason ? `: ${reason}` : ''}.`, {
    cause,
  });
}

/** Attempts to several addresses fail with one error that contains theirs. */
function firstError(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}

const isParserError = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'HTTPParserError' || codeOf(error) === 'UND_ERR_HEADERS_OVERFLOW');

const isTls = (code: string): boolean => /CERT|ERR_TLS|ERR_SSL|EPROTO|UNABLE_TO_VERIFY/.test(code);
