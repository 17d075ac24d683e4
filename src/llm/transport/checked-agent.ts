import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import { MODEL_CONNECT_MS_MAX } from '../../model/limits/model-calls.ts';
import { AddressForbidden } from './address-forbidden.ts';
import { isForbiddenAddress } from './forbidden-addresses.ts';
import { type ProxySettings, proxyFor } from './proxy-settings.ts';

export interface AgentOptions {
  readonly proxies: ProxySettings;
  /** Whether models may be called at loopback and private addresses. */
  readonly allowsPrivate: boolean;
  /** Replaced by tests. */
  readonly resolve?: typeof resolve;
}

/** Connections to vendors, all of which are checked when they are made. */
export interface CheckedAgent {
  /** @throws {AddressForbidden} for an IP address in the URL, which is not looked up */
  dispatch(options: Dispatcher.DispatchOptions & { readonly origin: URL }, handler: Dispatcher.DispatchHandler): void;
  close(): Promise<void>;
}

/**
 * Opens agents that connect to the addresses that they have checked, so that a name cannot change its address in
 * between. A proxy finds addresses itself; then names are checked as far as this machine knows them.
 */
export function openCheckedAgent({ proxies, allowsPrivate, resolve: find = resolve }: AgentOptions): CheckedAgent {
  const isForbidden = (address: string) => isForbiddenAddress(address, { allowsPrivate });
  const lookup: LookupFunction = (hostname, options, callback) => {
    find(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      // One forbidden address is enough: names of vendors never have one.
      if (addresses.some(({ address }) => isForbidden(address))) return callback(forbidden(hostname), '', 0);
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return first ? callback(null, first.address, first.family) : callback(notFound(hostname), '', 0);
    });
  };
  // The pool is the one of undici: no pipelining, no limit of connections, and idle ones are closed after 4 seconds, before any
  // common server closes them.
  const agentOptions = { headersTimeout: 0, bodyTimeout: 0, maxResponseSize: -1, allowH2: false };
  const direct = new Agent({ ...agentOptions, connect: { ...{ lookup }, timeout: MODEL_CONNECT_MS_MAX } });
  const proxyAgents = new Map<string, Promise<Dispatcher>>();
  const throughProxy = (uri: string, ...call: Parameters<Dispatcher['dispatch']>) => {
    const agent =
      proxyAgents.get(uri) ?? import('undici').then(({ ProxyAgent }) => new ProxyAgent({ ...agentOptions, uri }));
    proxyAgents.set(uri, agent);
    agent.then((proxy) => proxy.dispatch(...call)).catch((error) => fail(call[1], error));
  };
  return {
    dispatch(options, handler) {
      const hostname = options.origin.hostname.replace(/^\[|\]$/g, '');
      if (isIP(hostname) !== 0 && isForbidden(hostname)) throw forbidden(hostname);
      const proxy = proxyFor(options.origin, proxies);
      if (proxy === undefined) {
        direct.dispatch(options, handler);
      } else if (isIP(hostname) !== 0) {
        throughProxy(proxy, options, handler);
      } else {
        find(hostname, { all: true }, (error, addresses) => {
          if (!error && addresses.some(({ address }) => isForbidden(address))) fail(handler, forbidden(hostname));
          else throughProxy(proxy, options, handler);
        });
      }
    },
    async close() {
      await Promise.all([direct, ...proxyAgents.values()].map(async (agent) => (await agent).destroy()));
    },
  };
}

const forbidden = (host: string): Error =>
  new AddressForbidden(`Models cannot be called at ${host}: its address is link-local, reserved or not allowed.`);

const notFound = (host: string): Error => Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });

/** Handlers of this server use no controller in this method. */
function fail(handler: Dispatcher.DispatchHandler, error: Error): void {
  handler.onResponseError?.(undefined as unknown as Dispatcher.DispatchController, error);
}
