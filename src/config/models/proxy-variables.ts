import { ownValue } from '../../base/own-value.ts';
import type { Environment } from '../read-settings.ts';

/** Proxies of the environment, by the scheme of the target. They have no prefix, because other programs read them too. */
export interface ProxyConfig {
  readonly http: string | undefined;
  readonly https: string | undefined;
  /** Hosts that are reached without a proxy: names, domains, `host:port`, or `*`. */
  readonly noProxy: readonly string[];
}

interface ProxyReading {
  readonly proxies: ProxyConfig;
  /** One sentence for each variable that has no effect. */
  readonly warnings: readonly string[];
}

/** Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. The lowercase names win, as in most programs. */
export function readProxies(env: Environment): ProxyReading {
  const warnings: string[] = [];
  const read = (name: string) => {
    const variable = [name.toLowerCase(), name].find((candidate) => ownValue(env, candidate)?.trim());
    if (variable === undefined) return undefined;
    const url = toProxyUrl(ownValue(env, variable)?.trim() ?? '');
    if (url === undefined) warnings.push(`${variable} has no effect: it must be the URL of an HTTP or SOCKS5 proxy.`);
    return url;
  };
  const all = read('ALL_PROXY');
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? '';
  return {
    proxies: {
      http: read('HTTP_PROXY') ?? all,
      https: read('HTTPS_PROXY') ?? all,
      noProxy: noProxy.split(/[\s,]+/).filter((entry) => entry !== ''),
    },
    warnings,
  };
}

/** A proxy without a scheme speaks HTTP. */
function toProxyUrl(text: string): string | undefined {
  const url = text.includes('://') ? text : `http://${text}`;
  return URL.canParse(url) && /^(https?|socks5?):$/.test(new URL(url).protocol) ? url : undefined;
}
