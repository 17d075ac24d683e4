import { isIP } from 'node:net';
import { hostname } from 'node:os';

/**
 * Decides at which host names a browser may use the server. A page whose owner points its own domain at this machine
 * (DNS rebinding) is, to the browser, of the same origin as the server; only the name in `Host` gives it away.
 */
export interface HostPolicy {
  /** The host name to reject; undefined when the request may pass. */
  rejectedHost(header: (name: string) => string | undefined): string | undefined;
}

/** Top-level names that no registry sells: RFC 6761, RFC 6762 appendix G, RFC 8375, and ICANN's `internal`. */
const PRIVATE_SUFFIXES = new Set(
  ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'private', 'corp', 'home', 'lan'].concat('home.arpa'),
);

/** What browsers put on requests and a page cannot remove. Scripts, exporters and probes send none of them. */
const BROWSER_HEADERS = ['origin', 'referer', 'accept-language'] as const;

/** Browsers send these over TLS and to `localhost` alone, where a name cannot be rebound; no page can set them. */
const TRUSTED_CONTEXT_HEADERS = ['sec-fetch-site', 'sec-fetch-mode'] as const;

/**
 * Addresses, names without a dot, names under a private suffix and the machine's own name always pass.
 *
 * @param allowedHosts further names; `*.example.com` stands for all below `example.com`, `*` for any name.
 */
export function createHostPolicy(allowedHosts: readonly string[]): HostPolicy {
  if (allowedHosts.includes('*')) return { rejectedHost: () => undefined };
  const exact = new Set([...allowedHosts, hostname().toLowerCase()]);
  const suffixes = allowedHosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
  const isAllowed = (host: string) =>
    exact.has(host) || suffixes.some((suffix) => host.endsWith(suffix)) || isAddress(host) || isPrivateName(host);
  return {
    rejectedHost(header) {
      const text = header('host');
      if (text === undefined || TRUSTED_CONTEXT_HEADERS.some((name) => header(name) !== undefined)) return undefined;
      if (BROWSER_HEADERS.every((name) => header(name) === undefined)) return undefined;
      const host = hostNameOf(`http://${text}`);
      return host !== undefined && isAllowed(host) ? undefined : (host ?? text);
    },
  };
}

/** The host name of a URL in lower case, without port, brackets and final dot; undefined when it has none. */
export function hostNameOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return new URL(url).hostname.replace(/^\[|\]$|\.$/g, '') || undefined;
}

const isAddress = (host: string): boolean => isIP(host) !== 0;

function isPrivateName(host: string): boolean {
  const labels = host.split('.');
  return (
    labels.length === 1 || PRIVATE_SUFFIXES.has(labels.at(-1)!) || PRIVATE_SUFFIXES.has(labels.slice(-2).join('.'))
  );
}
