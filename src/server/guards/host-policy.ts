import { isIP } from 'node:net';
import { hostname } from 'node:os';

/**
 * Decides at which host names a browser may use the server. If the owner of a page points its domain at this machine
 * (DNS rebinding), the browser treats the page as same-origin with the server. Only the name in `Host` reveals it.
 */
export interface HostPolicy {
  /** Returns the host name to reject, or undefined when the request may pass. */
  rejectedHost(header: (name: string) => string | undefined): string | undefined;
  /**
   * Whether the name in `Host` may be written into a response as one of this server. Scripts may send any name, but a cache or
   * another program could believe it.
   */
  isOwnHost(header: (name: string) => string | undefined): boolean;
}

/** Suffixes that cannot be registered: RFC 6761, RFC 6762 appendix G, RFC 8375, and ICANN's `internal`. */
const PRIVATE_SUFFIXES = new Set(
  ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'].concat('home.arpa'),
);

/** Headers that browsers send and a page cannot remove. Scripts, exporters and probes send none of them. */
const BROWSER_HEADERS = ['origin', 'referer', 'accept-language'] as const;

/** Headers that browsers send only over TLS and to `localhost`, where rebinding is impossible. No page can set them. */
const TRUSTED_CONTEXT_HEADERS = ['sec-fetch-site', 'sec-fetch-mode'] as const;

/**
 * Always allows addresses, names without a dot, names under a private suffix and the machine's own name.
 *
 * @param allowedHosts Further names. `*.example.com` allows all subdomains of `example.com`, and `*` allows any name.
 */
export function createHostPolicy(allowedHosts: readonly string[]): HostPolicy {
  if (allowedHosts.includes('*')) return { rejectedHost: () => undefined, isOwnHost: () => true };
  const exact = new Set([...allowedHosts, hostname().toLowerCase()]);
  const suffixes = allowedHosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
  const isAllowed = (host: string) =>
    exact.has(host) || suffixes.some((suffix) => host.endsWith(suffix)) || isAddress(host) || isPrivateName(host);
  const isTrusted = (header: (name: string) => string | undefined) =>
    TRUSTED_CONTEXT_HEADERS.some((name) => header(name) !== undefined);
  return {
    isOwnHost(header) {
      const host = hostNameOf(`http://${header('host') ?? 'localhost'}`);
      return host !== undefined && (isTrusted(header) || isAllowed(host));
    },
    rejectedHost(header) {
      const text = header('host');
      if (text === undefined || isTrusted(header)) return undefined;
      if (BROWSER_HEADERS.every((name) => header(name) === undefined)) return undefined;
      const host = hostNameOf(`http://${text}`);
      return host !== undefined && isAllowed(host) ? undefined : (host ?? text);
    },
  };
}

/** Host name of a URL in lower case, without port, brackets and final dot. Undefined when it has none. */
export function hostNameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[|\]$|\.$/g, '') || undefined;
}

const isAddress = (host: string): boolean => isIP(host) !== 0;

function isPrivateName(host: string): boolean {
  const labels = host.split('.');
  return (
    labels.length === 1 || PRIVATE_SUFFIXES.has(labels.at(-1) ?? '') || PRIVATE_SUFFIXES.has(labels.slice(-2).join('.'))
  );
}
