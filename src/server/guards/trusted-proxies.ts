import { BlockList, isIP } from 'node:net';
import { FORWARDED_ADDRESS_COUNT_MAX } from '../../model/limits/requests.ts';
import type { RequestHead } from '../route.ts';

type HeaderOf = (name: string) => string | undefined;

/** The party that sent a request, seen through the proxies that the operator trusts. */
export interface RequestClient {
  /** Address in its usual form: IPv4 also for a mapped one, IPv6 compressed. Empty if the connection is gone. */
  readonly address: string;
  /** True if any proxy, trusted or not, reports that it forwarded the request. */
  readonly isForwarded: boolean;
  /** True if the client uses TLS, to this listener or to a trusted proxy. */
  readonly isSecure: boolean;
}

/** Reads forwarding headers. They count only if the connection comes from a listed address. */
export interface TrustedProxies {
  clientOf(peer: string, header: HeaderOf): RequestClient;
  /** Host and port by which the client addressed the proxy. Undefined without a trusted proxy that states it. */
  forwardedHost(peer: string, header: HeaderOf): string | undefined;
}

/** Headers by which proxies report that they forwarded a request. */
const FORWARDING_HEADERS = [
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-by'],
  ...['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'via'],
];

/**
 * @param networks Addresses, and networks as `address/length`.
 * @param isTls Whether the listener speaks TLS.
 */
export function createTrustedProxies(networks: readonly string[], isTls: boolean): TrustedProxies {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(length), family);
  }
  const trusts = (address: string): boolean =>
    networks.length > 0 && address !== '' && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  /** The last address of the chain that is no trusted proxy; the addresses before it may be invented. */
  function lastUntrusted(peer: string, chain: readonly (string | undefined)[]): string {
    let client = peer;
    for (const text of chain.slice(-FORWARDED_ADDRESS_COUNT_MAX).reverse()) {
      const address = text === undefined ? undefined : toAddress(text);
      if (address === undefined) return client;
      client = address;
      if (!trusts(address)) return client;
    }
    return client;
  }

  function addressOf(peer: string, header: HeaderOf): string {
    const listed = header('x-forwarded-for');
    const forwarded = header('forwarded');
    const byList = listed === undefined ? undefined : lastUntrusted(peer, listed.split(','));
    const byForwarded = forwarded === undefined ? undefined : lastUntrusted(peer, parametersOf(forwarded, 'for'));
    // A proxy that writes one of the headers and passes on the other one, which the client has invented.
    if (byList !== undefined && byForwarded !== undefined && byList !== byForwarded) return peer;
    return byList ?? byForwarded ?? peer;
  }

  return {
    clientOf(peerText, header) {
      const peer = toAddress(peerText) ?? '';
      const isForwarded = FORWARDING_HEADERS.some((name) => header(name) !== undefined);
      if (!isForwarded || !trusts(peer)) return { address: peer, isForwarded, isSecure: isTls };
      const protocol =
        header('x-forwarded-proto')?.split(',').at(-1) ?? parametersOf(header('forwarded') ?? '', 'proto').at(-1);
      return { address: addressOf(peer, header), isForwarded, isSecure: protocol?.trim().toLowerCase() === 'https' };
    },
    forwardedHost(peerText, header) {
      const listed = header('x-forwarded-host');
      const forwarded = header('forwarded');
      if ((listed === undefined && forwarded === undefined) || !trusts(toAddress(peerText) ?? '')) return undefined;
      return listed?.split(',')[0]?.trim() ?? parametersOf(forwarded ?? '', 'host')[0];
    },
  };
}

/** Whether a program on this machine sent the request, and not a proxy for someone else. */
export const isFromThisMachine = (request: Pick<RequestHead, 'clientAddress' | 'isForwarded'>): boolean =>
  !request.isForwarded && (request.clientAddress === '::1' || request.clientAddress.startsWith('127.'));

/**
 * Values of a parameter in each element of a `Forwarded` header (RFC 7239). Commas inside quotes also separate, so that a
 * quote that a client leaves open does not hide the elements that proxies add.
 */
const parametersOf = (forwarded: string, name: string): (string | undefined)[] =>
  forwarded.split(',').map((element) => {
    const found = element.split(';').find((pair) => pair.trim().toLowerCase().startsWith(`${name}=`));
    return found
      ?.trim()
      .slice(name.length + 1)
      .replace(/^"|"$/g, '');
  });

/** The usual form of an address with or without brackets, port and zone. Undefined for any other text. */
export function toAddress(given: string): string | undefined {
  const text = given.trim();
  // An IPv6 address with brackets, zone and port is shorter.
  if (text.length > 100) return undefined;
  const bare = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  const address = bare.replace(/%.*$/, '');
  const family = isIP(address);
  if (family !== 6) return family === 4 ? address : undefined;
  const compressed = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(compressed);
  if (mapped === null) return compressed;
  const [high, low] = [Number.parseInt(mapped[1] ?? '', 16), Number.parseInt(mapped[2] ?? '', 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
