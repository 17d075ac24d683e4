/** URLs of HTTP proxies by scheme of the target, and hosts that are reached without one. */
export interface ProxySettings {
  readonly http: string | undefined;
  readonly https: string | undefined;
  /** Host names, domains with a dot, `host:port`, or `*`. */
  readonly noProxy: readonly string[];
}

export const NO_PROXIES: ProxySettings = { http: undefined, https: undefined, noProxy: [] };

/** The proxy for a URL. Loopback is always reached directly, because a proxy has a loopback of its own. */
export function proxyFor(url: URL, { http, https, noProxy }: ProxySettings): string | undefined {
  const proxy = url.protocol === 'https:' ? https : http;
  if (proxy === undefined || isLoopback(url.hostname)) return undefined;
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy.some((entry) => matches(entry, url.hostname.toLowerCase(), port)) ? undefined : proxy;
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\.[\d.]+$/.test(hostname);

function matches(entry: string, hostname: string, port: string): boolean {
  if (entry === '*') return true;
  const [, name = '', entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  const domain = name.replace(/^\*?\./, '');
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
