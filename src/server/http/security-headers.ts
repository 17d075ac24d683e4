import type { HttpResponse } from '../route.ts';

/** Headers that limit what a browser does with a response. Created once per listener. */
export interface SecurityHeaders {
  /** Headers of every response. No response replaces them. */
  readonly always: Readonly<Record<string, string>>;
  /** Defaults for a response. It may have its own values, for example the content policy of a page. */
  defaultsFor(response: HttpResponse): Readonly<Record<string, string>>;
}

/** For responses that are no page of ours: a browser that displays one runs, loads, frames and submits nothing. */
const CONTENT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Abilities that no page uses. */
const DENIED_ABILITIES = [
  ...['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'magnetometer', 'microphone'],
  ...['midi', 'payment', 'usb'],
];

const DEFAULTS = {
  'content-security-policy': CONTENT_POLICY,
  // For browsers that do not know `frame-ancestors`.
  'x-frame-options': 'DENY',
  // Addresses contain names, filters and, in links of mails, tokens.
  'referrer-policy': 'no-referrer',
  'permissions-policy': DENIED_ABILITIES.map((ability) => `${ability}=()`).join(', '),
  'cross-origin-opener-policy': 'same-origin',
};
const NONE = {};

/** No browser displays protobuf, and exporters receive it at a high rate. */
const INGEST_TYPE = 'application/x-protobuf';

const HSTS_SECONDS = 365 * 24 * 60 * 60;

/**
 * @param isTls true when the listener speaks TLS
 * @param rootUrl URL at which users reach the server. With https, a proxy speaks TLS for this listener.
 */
export function createSecurityHeaders(isTls: boolean, rootUrl: string | undefined): SecurityHeaders {
  const isSecure = isTls || rootUrl?.toLowerCase().startsWith('https:') === true;
  return {
    always: {
      // Browsers must not interpret a response as another type than the declared one.
      'x-content-type-options': 'nosniff',
      // Without `includeSubDomains`: the server knows nothing about other hosts of the domain.
      ...(isSecure ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}` } : {}),
    },
    defaultsFor: ({ headers }) => (headers?.['content-type'] === INGEST_TYPE ? NONE : DEFAULTS),
  };
}
