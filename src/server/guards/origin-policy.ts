import type { Log } from '../../base/log.ts';
import { LOGGED_SOURCE_COUNT_MAX, SHOWN_SOURCE_LENGTH_MAX } from '../../model/limits.ts';
import { type HttpResponse, textResponse } from '../route.ts';
import { createHostPolicy, hostNameOf } from './host-policy.ts';

export interface OriginOptions {
  /** Origins as browsers send them; `*` allows any. Empty: CORS is off. */
  readonly allowedOrigins: readonly string[];
  /** Allowed origins; `*` allows any. If not empty, all requests with another origin are rejected, including reads. */
  readonly csrfTrustedOrigins: readonly string[];
  /** Host names for browsers in addition to those that `createHostPolicy` always allows. */
  readonly allowedHosts: readonly string[];
  /** Public URL of the server, if set. */
  readonly rootUrl: string | undefined;
  /** True when this listener speaks TLS: its certificate already proves the host name. */
  readonly isTls: boolean;
  readonly log: Log;
}

type HeaderOf = (name: string) => string | undefined;

/** Decides by host name and origin which pages may send requests, and which may read responses (CORS). */
export interface OriginPolicy {
  /** Rejects a request from a page of another site. Returns undefined when the request may pass. */
  reject(method: string, header: HeaderOf): HttpResponse | undefined;
  /** Response to a preflight request. Undefined for any other request, or when CORS is off. */
  preflight(method: string, header: HeaderOf): HttpResponse | undefined;
  /**
   * Headers that allow the page at `Origin` to read the response. Empty when CORS is off or the origin is not listed.
   */
  corsHeaders(header: HeaderOf): Record<string, string>;
}

const PREFLIGHT_MAX_AGE_SECONDS = 600;
/** Methods without side effects. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

export function createOriginPolicy(options: OriginOptions): OriginPolicy {
  const { allowedOrigins, csrfTrustedOrigins, rootUrl } = options;
  const allowsAnyOrigin = allowedOrigins.includes('*');
  const isAllowed = (origin: string) => allowsAnyOrigin || allowedOrigins.includes(origin);
  // The port is not compared, because a trusted site may change it.
  const trustedHosts = new Set(csrfTrustedOrigins.map((origin) => hostNameOf(origin) ?? origin));
  const isTrusted = (source: string) => trustedHosts.has('*') || trustedHosts.has(hostNameOf(source) ?? '');
  const known = [...allowedOrigins, ...csrfTrustedOrigins, ...(rootUrl === undefined ? [] : [rootUrl])];
  const knownHosts = known.map(hostNameOf).filter((host) => host !== undefined);
  const hosts = createHostPolicy([...options.allowedHosts, ...knownHosts]);
  const report = createReporter(options.log);

  /** Whether the page at this URL belongs to this server, according to the host that the browser or a proxy reports. */
  function isOwn(source: string, header: HeaderOf): boolean {
    if (!URL.canParse(source)) return false;
    const { protocol, host, origin } = new URL(source);
    if (rootUrl !== undefined && originOf(rootUrl) === origin) return true;
    // A page cannot set X-Forwarded-Host without a preflight request, which fails.
    const asked = [header('host'), header('x-forwarded-host')?.split(',')[0]?.trim()];
    return asked.some((name) => name !== undefined && hostOf(`${protocol}//${name}`) === host);
  }

  /** Check for when `CSRF_TRUSTED_ORIGINS` is set. Public clients know these texts. */
  function rejectUntrusted(header: HeaderOf): HttpResponse | undefined {
    if (header('sec-fetch-site') === 'same-origin') return undefined;
    for (const name of ['origin', 'referer'] as const) {
      const source = header(name);
      if (source === undefined || isTrusted(source) || isOwn(source, header)) continue;
      report(source);
      return { status: 401, body: `untrusted ${name}` };
    }
    return undefined;
  }

  /** Any page can make a browser send a form or a plain-text body to any server without a preflight request. */
  function rejectCrossSite(header: HeaderOf): HttpResponse | undefined {
    const site = header('sec-fetch-site');
    if (site === 'same-origin' || site === 'none') return undefined;
    const source = header('origin') ?? header('referer');
    // Scripts and exporters send no origin.
    if (source === undefined && site === undefined) return undefined;
    if (source !== undefined && (isAllowed(originOf(source)) || (site !== 'cross-site' && isOwn(source, header)))) {
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
    reject(method, header) {
      const rejectedHost = rejectHost(header);
      if (rejectedHost !== undefined) return rejectedHost;
      if (csrfTrustedOrigins.length > 0) return rejectUntrusted(header);
      return SAFE_METHODS.has(method) ? undefined : rejectCrossSite(header);
    },
    preflight(method, header) {
      if (method !== 'OPTIONS' || allowedOrigins.length === 0) return undefined;
      const origin = header('origin');
      if (origin === undefined || header('access-control-request-method') === undefined) return undefined;
      if (!isAllowed(origin)) return textResponse(400, 'Disallowed CORS origin', { vary: 'Origin' });
      const requested = header('access-control-request-headers');
      return textResponse(200, 'OK', {
        'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
        'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
        ...(requested === undefined ? {} : { 'access-control-allow-headers': requested }),
      });
    },
    corsHeaders(header): Record<string, string> {
      const origin = header('origin');
      if (origin === undefined || !isAllowed(origin)) return {};
      // Any page may read, but never with the cookies of the user.
      if (allowsAnyOrigin) return { 'access-control-allow-origin': '*' };
      return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
    },
  };
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
