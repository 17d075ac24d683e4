import { type HttpResponse, textResponse } from './route.ts';

/** Which web origins may call: CORS (who may read answers) and the CSRF guard (who may send at all). */
export interface OriginPolicy {
  /** Origins as browsers send them, `*` for any; empty: CORS is off. */
  readonly allowedOrigins: readonly string[];
  /** Origins or hosts; empty: the guard is off. */
  readonly csrfTrustedOrigins: readonly string[];
}

type HeaderOf = (name: string) => string | undefined;

const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** A refusal when the request says that it comes from a site that is not trusted. */
export function untrustedOrigin(policy: OriginPolicy, header: HeaderOf): HttpResponse | undefined {
  if (policy.csrfTrustedOrigins.length === 0) return undefined;
  const trusted = new Set(policy.csrfTrustedOrigins.map((origin) => hostOf(origin) ?? origin));
  for (const name of ['origin', 'referer'] as const) {
    const value = header(name);
    if (value === undefined) continue;
    const host = hostOf(value);
    if (host === undefined || !trusted.has(host)) return { status: 401, body: `untrusted ${name}` };
  }
  return undefined;
}

/** Headers that let the page at `Origin` read the answer; none when CORS is off or the origin is not listed. */
export function corsHeaders(policy: OriginPolicy, header: HeaderOf): Record<string, string> {
  const origin = header('origin');
  if (origin === undefined || !isAllowed(policy, origin)) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'Origin' };
}

/** The answer to a preflight request; undefined when it is none, or CORS is off. */
export function preflightResponse(policy: OriginPolicy, method: string, header: HeaderOf): HttpResponse | undefined {
  if (method !== 'OPTIONS' || policy.allowedOrigins.length === 0) return undefined;
  const origin = header('origin');
  if (origin === undefined || header('access-control-request-method') === undefined) return undefined;
  if (!isAllowed(policy, origin)) return textResponse(400, 'Disallowed CORS origin', { vary: 'Origin' });
  const wanted = header('access-control-request-headers');
  return textResponse(200, 'OK', {
    'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
    ...(wanted === undefined ? {} : { 'access-control-allow-headers': wanted }),
  });
}

function isAllowed({ allowedOrigins }: OriginPolicy, origin: string): boolean {
  return allowedOrigins.includes('*') || allowedOrigins.includes(origin);
}

/** The port is not compared: a trusted site may move to another one. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname || undefined : undefined;
}
