/**
 * Reason why a request failed, by what the interface can do: the server did not respond, it is starting or recovering,
 * the query took too long, the object does not exist, an ID is invalid, a link
 * names what its page cannot show, the server accepts the request some seconds later, or it
 * rejected the request.
 */
export type FailureKind =
  | 'unreachable'
  | 'unavailable'
  | 'timedOut'
  | 'notFound'
  | 'malformed'
  | 'unopenable'
  | 'tooEarly'
  | 'rejected';

/** Error codes of the server with their own failure kind. A test compares them with the server's table. */
export const KIND_BY_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ['QUERY_TIMED_OUT', 'timedOut'],
  ['NODE_ID_INVALID', 'malformed'],
  ['EXPERIMENT_JOB_COOLDOWN', 'tooEarly'],
  ['STORE_UNAVAILABLE', 'unavailable'],
  ['SHUTTING_DOWN', 'unavailable'],
  // The page ignores responses to requests that it has cancelled, so this one belongs to a request that it still needs.
  ['CANCELLED', 'unavailable'],
]);

/** Code of an error that the server did not expect. One of its databases may be unavailable. */
export const INTERNAL_ERROR_CODE = 'INTERNAL_ERROR';

/** Code of an integer that its GraphQL type cannot represent, such as a very large sum of tokens. */
export const INT_OUT_OF_RANGE_CODE = 'INT_OUT_OF_RANGE';

/** The codes of objects that do not exist end alike. A code that is unknown here is a rejected request. */
export const kindOfCode = (code: string): FailureKind =>
  KIND_BY_CODE.get(code) ?? (code.endsWith('_NOT_FOUND') ? 'notFound' : 'rejected');

/** Header of REST responses with the error code. */
export const ERROR_CODE_HEADER = 'x-spandrel-error-code';
