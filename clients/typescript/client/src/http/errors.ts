/** Header in which servers state the version of the interface. */
export const SERVER_VERSION_HEADER = 'x-phoenix-server-version';
const ERROR_CODE_HEADER = 'x-spandrel-error-code';
/** What servers say of a path that they do not have, in place of the name of what is missing. */
const UNKNOWN_PATH = 'Not Found';

/** Every error of this package. `code` is for programs, the message for people. */
export class SpandrelError extends Error {
  override readonly name: string = 'SpandrelError';
  /** `ARGUMENT`, `HTTP`, `CONNECTION`, `ANSWER`, `ABORTED` or a code of a noun. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** An argument or a setting that cannot be sent. No request was made. */
export class ArgumentError extends SpandrelError {
  override readonly name = 'ArgumentError';
  constructor(message: string, options?: ErrorOptions) {
    super('ARGUMENT', message, options);
  }
}

/** The server could not be reached, or the connection ended before the response did. */
export class ConnectionError extends SpandrelError {
  override readonly name = 'ConnectionError';
  readonly url: string;
  constructor(message: string, url: string, options?: ErrorOptions) {
    super('CONNECTION', message, options);
    this.url = url;
  }
}

/** The response is not one of a Spandrel server: a page of a proxy, or half a document. */
export class AnswerError extends SpandrelError {
  override readonly name = 'AnswerError';
  readonly url: string;
  constructor(message: string, url: string, options?: ErrorOptions) {
    super('ANSWER', message, options);
    this.url = url;
  }
}

export interface HttpErrorFields {
  readonly method: string;
  readonly url: string;
  readonly response: Response;
  /** What the server says about the error; empty when it says nothing. */
  readonly detail: string;
  /** Number of requests that were made. */
  readonly attemptCount: number;
  /** Whether the request carried a credential. Default true. */
  readonly hasCredential?: boolean;
}

/** A response with a status outside of 200 to 299. */
export class HttpError extends SpandrelError {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  declare readonly response: Response;
  readonly detail: string;
  /** Identifies the request in the log of the server. */
  readonly requestId: string | undefined;
  /** Code of the server's error, such as `PROJECT_NOT_FOUND`. */
  readonly errorCode: string | undefined;
  readonly attemptCount: number;

  constructor({ method, url, response, detail, attemptCount, hasCredential = true }: HttpErrorFields) {
    const requestId = response.headers.get('x-request-id') ?? undefined;
    const attempts = attemptCount > 1 ? ` after ${attemptCount} attempts` : '';
    const said = detail ? `: ${detail}` : '';
    const id = requestId ? ` (request ${requestId})` : '';
    const parts = [
      `${method} ${url} answered ${statusLine(response)}${attempts}${said}${id}`.replace(/[^.!?]$/, '$&.'),
      adviceFor(response, detail, hasCredential),
    ];
    super('HTTP', parts.filter(Boolean).join(' '));
    this.status = response.status;
    this.statusText = response.statusText;
    this.url = url;
    // Node prints the enumerable fields of an error that nobody catches, and a response has fifty lines.
    Object.defineProperty(this, 'response', { value: response });
    this.detail = detail;
    this.requestId = requestId;
    this.errorCode = response.headers.get(ERROR_CODE_HEADER) ?? undefined;
    this.attemptCount = attemptCount;
  }
}

const statusLine = ({ status, statusText }: Response): string =>
  statusText ? `${status} ${statusText}` : String(status);

/** What to do about a status. */
function adviceFor({ status, headers }: Response, detail: string, hasCredential: boolean): string {
  if (status === 401) {
    if (!hasCredential) return 'No key was sent: set SPANDREL_API_KEY to a key of this server.';
    if (headers.get(ERROR_CODE_HEADER) === 'CREDENTIAL_EXPIRED')
      return 'The key has expired: create another one and set SPANDREL_API_KEY to it.';
    return 'Set SPANDREL_API_KEY to a valid key of this server.';
  }
  if (status === 403) return 'The key has not the right for this call; use one whose role allows it.';
  // A call that the server knows has a code, whatever its text.
  if (status === 405 || (status === 404 && detail === UNKNOWN_PATH && !headers.has(ERROR_CODE_HEADER))) {
    const version = headers.get(SERVER_VERSION_HEADER);
    return `The server${version ? `, of version ${version},` : ''} does not know this call. Check the address, or update the server.`;
  }
  if (status === 404) return 'Check the name or ID, and that the address is the right server.';
  if (status === 413) return 'Send less at once.';
  if (status === 429) return 'The server limits the rate of requests; try later or send fewer at once.';
  if (status === 502 || status === 504) return 'A proxy cannot reach the server; try again.';
  if (status === 503) return 'The server is busy or starting; try again.';
  if (status === 507) return 'The storage of the server is full; delete data or give it more.';
  if (status >= 500) return 'Look up the request in the log of the server.';
  return '';
}

const DETAIL_CHARS_MAX = 2_000;

/** What the body of an error says: `detail` of a JSON object, its list as lines, or the text. Never an HTML page. */
export function readDetail(text: string, contentType: string): string {
  const body = text.trim();
  if (/html/i.test(contentType) || /^<(!doctype|html)/i.test(body))
    return 'an HTML page came, as from a proxy or another server';
  return cut(fromJson(body) ?? body);
}

function fromJson(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value !== 'object' || value === null) return undefined;
    const { detail, error, message } = value as Record<string, unknown>;
    const found = detail ?? error ?? message;
    if (Array.isArray(found)) return found.map(toIssueLine).join('; ');
    if (typeof found === 'string') return found;
    return found === undefined ? undefined : JSON.stringify(found);
  } catch {
    return undefined;
  }
}

function toIssueLine(issue: unknown): string {
  const { loc, msg } = (issue ?? {}) as { readonly loc?: unknown; readonly msg?: unknown };
  return Array.isArray(loc) && typeof msg === 'string' ? `${loc.join('.')}: ${msg}` : JSON.stringify(issue);
}

const cut = (text: string): string => (text.length > DETAIL_CHARS_MAX ? `${text.slice(0, DETAIL_CHARS_MAX)}…` : text);

/** An address without user, password, query and fragment, in which keys may be. */
export function toShownUrl(url: string): string {
  try {
    const { origin, pathname } = new URL(url);
    return origin + pathname;
  } catch {
    return 'the server';
  }
}
