import { OAUTH2_REDIRECT_LENGTH_MAX } from '../../model/limits/access.ts';

/** `loopback`: a port of the user's machine. `scheme`: an application there. `https`: a site. */
export type RedirectKind = 'loopback' | 'scheme' | 'https';

/** Schemes that run a script, read a file or leave the requesting application. */
const FORBIDDEN_SCHEMES = new Set([
  ...['http', 'https', 'javascript', 'vbscript', 'data', 'file', 'blob', 'filesystem', 'about', 'view-source', 'jar'],
  ...['ws', 'wss', 'ftp', 'ftps', 'sftp', 'ssh', 'mailto', 'tel', 'sms', 'intent', 'resource', 'chrome', 'edge'],
  ...['chrome-extension', 'moz-extension', 'shell', 'ms-msdt', 'search-ms', 'ldap', 'ldaps', 'smb', 'nfs'],
]);

/** Host, an optional port, and the rest. User names, which could hide the host, do not match. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?([/?].*)?$/;
const HTTPS = /^https:\/\/([a-z\d](?:[a-z\d.-]*[a-z\d])?)(?::\d{1,5})?([/?].*)?$/i;

/** Kind of a URI to which codes may be sent. Undefined for any other text. */
export function classifyRedirectUri(uri: string): RedirectKind | undefined {
  // A fragment would hide the code from the application. Browsers read a backslash as a slash.
  if (uri.length > OAUTH2_REDIRECT_LENGTH_MAX || !/^[\x21-\x7e]+$/.test(uri) || /[#\\"<>^`{|}]/.test(uri))
    return undefined;
  if (!URL.canParse(uri)) return undefined;
  if (LOOPBACK.test(uri)) return 'loopback';
  if (HTTPS.test(uri)) return 'https';
  const scheme = /^([a-z][a-z\d+.-]+):[^:]/i.exec(uri)?.[1]?.toLowerCase();
  return scheme === undefined || FORBIDDEN_SCHEMES.has(scheme) ? undefined : 'scheme';
}

/** Whether the host of an https URI is one of these. `*.example.com` stands for all subdomains, `*` for any host. */
export function isAllowedHost(uri: string, hosts: readonly string[]): boolean {
  const { hostname } = new URL(uri);
  return hosts.some(
    (host) => host === '*' || host === hostname || (host.startsWith('*.') && hostname.endsWith(host.slice(1))),
  );
}

/**
 * Whether a request may name this URI: exactly one of the registered ones, where only the port of a loopback URI is free,
 * because an application listens on a port that is free at the moment.
 */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (classifyRedirectUri(uri) === undefined) return false;
  return registered.some((known) => known === uri || isSameLoopback(known, uri));
}

function isSameLoopback(left: string, right: string): boolean {
  const [, leftHost, , leftRest = ''] = LOOPBACK.exec(left) ?? [];
  const [, rightHost, , rightRest = ''] = LOOPBACK.exec(right) ?? [];
  return leftHost !== undefined && leftHost === rightHost && leftRest === rightRest;
}

/** The URI with parameters of a response. It is not parsed, so that it stays as it was registered. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string>>): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(parameters)}`;
}
