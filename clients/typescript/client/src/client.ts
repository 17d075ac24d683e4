import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from './generated/api.ts';
import { AnswerError, ArgumentError, SERVER_VERSION_HEADER, SpandrelError, toShownUrl } from './http/errors.ts';
import { type RetryOptions, send } from './http/send.ts';
import { type HeaderMap, type HeadersInput, toHeaderMap } from './settings/headers.ts';
import { checkBaseUrl, readSettings } from './settings/read-settings.ts';

/** What a client can be told; everything else comes from the environment. */
export interface ClientOptions {
  /** Address of the server, with the path of a proxy if it has one. */
  readonly baseUrl?: string;
  /** Sent as `Authorization: Bearer …`, in place of any other authorization. */
  readonly apiKey?: string;
  /** Headers of every request. They replace those of the environment. */
  readonly headers?: HeadersInput;
  /** In place of the global `fetch`. */
  readonly fetch?: (request: Request, init?: RequestInit) => Promise<Response>;
  readonly retry?: RetryOptions;
  /** Where warnings go. Default `console.warn`. */
  readonly warn?: (message: string) => void;
}

/** Where requests go. */
export interface ClientConfig {
  readonly baseUrl: string;
  readonly baseUrlSource: 'explicit' | 'environment' | 'default';
  /** The project of the settings `PROJECT` and `PROJECT_NAME`. */
  readonly projectName: string | undefined;
}

/** `GET`, `POST`, `PUT`, `PATCH` and `DELETE` by path, typed by the server's OpenAPI document. Errors are thrown. */
export interface SpandrelClient extends Pick<Client<paths>, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'> {
  readonly config: ClientConfig;
  /** Sends a request to a path of the server, with headers and retries, and throws for error statuses. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The version that the server states, as `major.minor.patch`. */
  getServerVersion(): Promise<string>;
}

const OPTIONS = ['baseUrl', 'apiKey', 'headers', 'fetch', 'retry', 'warn'] as const satisfies (keyof ClientOptions)[];
const LOCAL_HOSTS = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const warned = new Set<string>();

/**
 * A client of a server. Options come before `getEnvironmentOptions`, and this before environment and hand-off file.
 *
 * @throws {ArgumentError} for an invalid address or an unknown option
 */
export function createClient({
  options = {},
  getEnvironmentOptions,
  ...unknown
}: {
  readonly options?: ClientOptions;
  readonly getEnvironmentOptions?: () => ClientOptions;
} = {}): SpandrelClient {
  rejectUnknown(unknown, []);
  const merged = { ...getEnvironmentOptions?.(), ...options };
  rejectUnknown(merged, OPTIONS);
  const warn = merged.warn ?? ((message: string) => console.warn(message));
  const warnOnce = (message: string) => {
    if (!warned.has(message)) warn(message);
    warned.add(message);
  };
  const environment = readSettings(warnOnce);
  const baseUrl = merged.baseUrl === undefined ? environment.baseUrl : checkBaseUrl(merged.baseUrl, 'baseUrl');
  const headers = toHeaders(merged, getEnvironmentOptions ? {} : environment.headers);
  warnOfPlainHttp(baseUrl, headers, warnOnce);
  return connect({
    baseUrl,
    headers,
    warnOnce,
    fetch: merged.fetch ?? ((request, init) => globalThis.fetch(request, init)),
    retry: merged.retry ?? {},
    baseUrlSource: merged.baseUrl === undefined ? environment.baseUrlSource : 'explicit',
    projectName: environment.projectName,
  });
}

/** JavaScript has no check of types, and a request to another server than the named one is worse than an error. */
function rejectUnknown(given: object, known: readonly string[]): void {
  const name = Object.keys(given).find((each) => !known.includes(each));
  if (name === undefined) return;
  throw new ArgumentError(
    `createClient has no option "${name}". Expected createClient({ options: { ${OPTIONS.join(', ')} } }).`,
  );
}

function toHeaders({ headers, apiKey }: ClientOptions, environment: HeaderMap): HeaderMap {
  const own = headers === undefined ? environment : toHeaderMap(headers);
  return apiKey ? { ...own, authorization: `Bearer ${apiKey}` } : own;
}

function warnOfPlainHttp(baseUrl: string, headers: HeaderMap, warn: (message: string) => void): void {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const hasKey = 'authorization' in headers || 'api_key' in headers;
  if (hasKey && protocol === 'http:' && !LOCAL_HOSTS.test(hostname)) {
    warn(`The key is sent to ${origin} without encryption. Use https:// for servers on other machines.`);
  }
}

/** Time by which a clock may be wrong. Networks and queues take seconds, so minutes are an error of a person. */
const CLOCK_SKEW_MS_MAX = 5 * 60_000;

function warnOfClock({ headers }: Response, baseUrl: string, warn: (message: string) => void): void {
  // A response from a cache has the time of its first request.
  const skewMs = headers.has('age') ? Number.NaN : Date.now() - Date.parse(headers.get('date') ?? '');
  if (!(Math.abs(skewMs) > CLOCK_SKEW_MS_MAX)) return;
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const amount = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
  warn(
    `The clock of this machine is ${amount} ${skewMs > 0 ? 'ahead of' : 'behind'} that of ${new URL(baseUrl).origin}, so times of spans and results are wrong. Turn on time synchronization on the machine that is wrong.`,
  );
}

interface Connection extends ClientConfig {
  readonly headers: HeaderMap;
  readonly warnOnce: (message: string) => void;
  readonly fetch: (request: Request, init?: RequestInit) => Promise<Response>;
  readonly retry: RetryOptions;
}

function connect({ headers, fetch, retry, warnOnce, ...config }: Connection): SpandrelClient {
  let version: string | undefined;
  let isClockChecked = false;
  const sendOptions = {
    ...retry,
    fetch,
    secrets: Object.values(headers).flatMap((value) => [value, value.replace(/^Bearer /, '')]),
    onResponse: (response: Response) => {
      if (!isClockChecked) warnOfClock(response, config.baseUrl, warnOnce);
      isClockChecked = true;
      version = response.headers.get(SERVER_VERSION_HEADER) ?? version;
    },
  };
  const fetchPath = (path: string, init: RequestInit = {}): Promise<Response> => {
    const all = { ...headers, ...toHeaderMap(init.headers as HeadersInput | undefined) };
    return send(new Request(config.baseUrl + path, { ...init, headers: all }), sendOptions);
  };
  const raw = createFetchClient<paths>({
    baseUrl: config.baseUrl,
    headers: { accept: 'application/json', ...headers },
    fetch: (request) => send(request, sendOptions),
  });
  const guard = <Method extends (...args: never[]) => Promise<unknown>>(method: Method): Method =>
    (async (...args: never[]) => {
      try {
        return await method(...args);
      } catch (error) {
        throw toTypedError(error, `${config.baseUrl}${String(args[0])}`);
      }
    }) as unknown as Method;
  return {
    GET: guard(raw.GET),
    POST: guard(raw.POST),
    PUT: guard(raw.PUT),
    PATCH: guard(raw.PATCH),
    DELETE: guard(raw.DELETE),
    config,
    fetch: fetchPath,
    async getServerVersion() {
      version ??= (await (await fetchPath('/arize_phoenix_version')).text()).trim();
      if (!/^\d+\.\d+\.\d+/.test(version)) {
        throw new AnswerError(
          `The server states no version. Expected x.y.z, received "${version.slice(0, 80)}".`,
          config.baseUrl,
        );
      }
      return version;
    },
  };
}

/** A response that is no JSON ends in a SyntaxError, which says nothing to a caller. */
function toTypedError(error: unknown, url: string): unknown {
  if (error instanceof SpandrelError || !(error instanceof SyntaxError)) return error;
  const shown = toShownUrl(url);
  return new AnswerError(
    `The response of ${shown} is no complete JSON document, as when a connection ends early.`,
    shown,
  );
}

/** `client` of a call, or one for the environment. */
export const clientOf = (client: SpandrelClient | undefined): SpandrelClient => client ?? createClient();

/**
 * The body of a response.
 *
 * @throws {AnswerError} when it is empty
 */
export async function bodyOf<Body>(
  call: Promise<{ readonly data?: Body; readonly response: Response }>,
): Promise<NonNullable<Body>> {
  const { data, response } = await call;
  if (data === undefined || data === null)
    throw new AnswerError('The response has no body, expected JSON.', toShownUrl(response.url));
  return data;
}

/** What calls of all nouns take. */
export interface CallOptions {
  /** Default: a client for the environment. */
  readonly client?: SpandrelClient | undefined;
  /** Ends the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}
