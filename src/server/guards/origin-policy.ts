import type { Log } from '../../base/log.ts';
import { LOGGED_SOURCE_COUNT_MAX, SHOWN_SOURCE_LENGTH_MAX } from '../../model/limits/requests.ts';
import { type HttpResponse, textResponse } from '../route.ts';
import { createHostPolicy, type HostPolicy, hostNameOf } from './host-policy.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

export interface OriginOptions {
  /** Origins as browsers send them; `*` allows any. Empty: CORS is off. */
  readonly allowedOrigins: readonly string[];
  /** Allowed origins; `*` allows any. If not empty, all requests with another origin are rejected, including reads. */
  readonly csrfTrustedOrigins: readonly string[];
  /** Host names for browsers in addition to those that `createHostPolicy` always allows. */
  readonly allowedHosts: readonly string[];
  /** Public URL of the server, if set. */
  readonly rootUrl: string | undefined;
  readonly trustedProxies: TrustedProxies;
  /** True when this listener speaks TLS: its certificate already proves the host name. */
  readonly isTls: boolean;
  readonly log: Log;
}

type HeaderOf = (name: string) => string | undefined;

export interface OriginRequest {
  readonly method: string;
  /** Without the root path. */
  readonly path: string;
  readonly header: HeaderOf;
  readonly remoteAddress: string;
}

/** Decides by host name and origin which pages may send requests, and which may read responses (CORS). */
export interface OriginPolicy {
  /** Rejects a request from a page of another site. Returns undefined when the request may pass. */
  reject(request: OriginRequest): HttpResponse | undefined;
  /** Response to a preflight request. Undefined for any other request, or when CORS is off. */
  preflight(request: Pick<OriginRequest, 'method' | 'path' | 'header'>): HttpResponse | undefined;
  /**
   * Headers that allow the page at `Origin` to read the response. Empty when CORS is off or the origin is not listed.
   */
  corsHeaders(request: Pick<OriginRequest, 'path' | 'header'>): Record<string, string>;
}

const PREFLIGHT_MAX_AGE_SECONDS = 600;
/** Methods without side effects. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
/**
 * Paths of the authorization server that applications in browsers call from any origin (RFC 8414, 7591, 7009). They
 * read no cookie, so another page gains nothing from them.
 */
const PUBLIC_PATH = /^\/(oauth2\/(register|token|revoke)|\.well-known\/[^/].*)$/;

/** The route has a stricter rule of its own, for which public clients know another text. */
const CONSENT_PATH = '/oauth2/authorize/decision';

export function createOriginPolicy(options: OriginOptions): OriginPolicy {
  const { allowedOrigins, csrfTrustedOrigins, rootUrl, trustedProxies } = options;
  const allowsAnyOrigin = allowedOrigins.includes('*');
  const isAllowed = (origin: string) => allowsAnyOrigin || allowedOrigins.includes(origin);
  // The port is not compared, because a trusted site may change it.
  const trustedHosts = new Set(csrfTrustedOrigins.map((origin) => hostNameOf(origin) ?? origin));
  const isTrusted = (source: string) => trustedHosts.has('*') || trustedHosts.has(hostNameOf(source) ?? '');
  const hosts = hostPolicyOf(options);
  const report = createReporter(options.log);

  /** Whether the page at this URL belongs to this server, according to the host that the browser or a proxy reports. */
  function isOwn(source: string, { header, remoteAddress }: OriginRequest): boolean {
    if (!URL.canParse(source)) return false;
    const { protocol, host, origin } = new URL(source);
    if (rootUrl !== undefined && originOf(rootUrl) === origin) return true;
    const names = [header('host'), trustedProxies.forwardedHost(remoteAddress, header)];
    return names.some((name) => name !== undefined && hostOf(`${protocol}//${name}`) === host);
  }

  /** Check for when `CSRF_TRUSTED_ORIGINS` is set. Public clients know these texts. */
  function rejectUntrusted(request: OriginRequest): HttpResponse | undefined {
    const { header } = request;
    if (header('sec-fetch-site') === 'same-origin') return undefined;
    for (const name of ['origin', 'referer'] as const) {
      const source = header(name);
      if (source === undefined || isTrusted(source) || isOwn(source, request)) continue;
      report(source);
      return { status: 401, body: `untrusted ${name}` };
    }
    return undefined;
  }

  /** Any page can make a browser send a form or a plain-text body to any server without a preflight request. */
  function rejectCrossSite(request: OriginRequest): HttpResponse | undefined {
    const { header } = request;
    const site = header('sec-fetch-site');
    if (site === 'same-origin' || site === 'none') return undefined;
    const source = header('origin') ?? header('referer');
    // Scripts and exporters send no origin.
    if (source === undefined && site === undefined) return undefined;
    if (source !== undefined && (isAllowed(originOf(source)) || (site !== 'cross-site' && isOwn(source, request)))) {
      return undefined;
    }
    const shown = show(source === undefined ? 'another site' : originOf(source));
    report(shown);
    return textResponse(
      403,
      `This request changes data and comes from a page of ${shown}, which is not a page of this server. To allow it, add that origin to SERVICE_ALLOWED_ORIGINS or SERVICE_CSRF_TRUSTED_ORIGINS.`,
    );
  }

  function rejectHost(header: HeaderOf): HttpResponse | undefined {
    const host = options.isTls ? undefined : hosts.rejectedHost(header);
    if (host === undefined) return undefined;
    report(host);
    return textResponse(
      403,
      `Browsers may not use this server by the host name ${show(host)}. To allow it, add the name to SERVICE_ALLOWED_HOSTS, or set SERVICE_ROOT_URL to the URL at which users reach the server.`,
    );
  }

  return {
    reject(request) {
      const { method, path, header } = request;
      const rejectedHost = rejectHost(header);
      if (rejectedHost !== undefined) return rejectedHost;
      if (PUBLIC_PATH.test(path)) return undefined;
      if (csrfTrustedOrigins.length > 0) return rejectUntrusted(request);
      return SAFE_METHODS.has(method) || path === CONSENT_PATH ? undefined : rejectCrossSite(request);
    },
    preflight({ method, path, header }) {
      const isPublic = PUBLIC_PATH.test(path);
      if (method !== 'OPTIONS' || (allowedOrigins.length === 0 && !isPublic)) return undefined;
      const origin = header('origin');
      if (origin === undefined || header('access-control-request-method') === undefined) return undefined;
      if (!isPublic && !isAllowed(origin)) return textResponse(400, 'Disallowed CORS origin', { vary: 'Origin' });
      const requested = header('access-control-request-headers');
      return textResponse(200, 'OK', {
        'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
        'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
        ...(requested === undefined ? {} : { 'access-control-allow-headers': requested }),
      });
    },
    corsHeaders({ path, header }): Record<string, string> {
      const origin = header('origin');
      if (origin === undefined) return {};
      if (PUBLIC_PATH.test(path)) {
        return { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'WWW-Authenticate' };
      }
      if (!isAllowed(origin)) return {};
      // Any page may read, but never with the cookies of the user.
      if (allowsAnyOrigin) return { 'access-control-allow-origin': '*' };
      return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
    },
  };
}

/** Host names that the settings allow. */
export function hostPolicyOf({
  allowedOrigins,
  csrfTrustedOrigins,
  rootUrl,
  allowedHosts,
}: Pick<OriginOptions, 'allowedOrigins' | 'csrfTrustedOrigins' | 'rootUrl' | 'allowedHosts'>): HostPolicy {
  const known = [...allowedOrigins, ...csrfTrustedOrigins, ...(rootUrl === undefined ? [] : [rootUrl])];
  return createHostPolicy([...allowedHosts, ...known.map(hostNameOf).filter((host) => host !== undefined)]);
}

/** Logs each origin or host name once, so that an operator sees which setting is missing. */
function createReporter(log: Log): (source: string) => void {
  const reported = new Set<string>();
  return (source) => {
    if (reported.has(source) || reported.size >= LOGGED_SOURCE_COUNT_MAX) return;
    reported.add(source);
    log.warn({ source: show(source) }, 'Rejected a browser request because of its origin or host name');
  };
}

const show = (text: string): string => text.slice(0, SHOWN_SOURCE_LENGTH_MAX);

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

/** Keeps `null`, which is the origin of an opaque page. */
const originOf = (source: string): string => (URL.canParse(source) ? new URL(source).origin : source);
