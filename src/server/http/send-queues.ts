import { readFile } from 'node:fs/promises';
import { toAddress } from '../guards/trusted-proxies.ts';

/** Bytes of one connection that the kernel holds because its peer has not acknowledged them. */
export interface SendQueue {
  /** Address in its usual form, as `toAddress`. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly bytes: number;
}

const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** State of a socket that only listens. */
const LISTENING = '0A';

/**
 * The connections of a local port that have bytes that were not acknowledged. Node.js has no interface for this number, so
 * it is read from the tables of the Linux kernel. Undefined on other systems.
 */
export async function readSendQueues(localPort: number): Promise<readonly SendQueue[] | undefined> {
  const tables = await Promise.all(TABLES.map((path) => readFile(path, 'latin1').catch(() => undefined)));
  if (tables.every((table) => table === undefined)) return undefined;
  return tables.flatMap((table) => (table === undefined ? [] : parseSendQueues(table, localPort)));
}

/** @param table Text of `/proc/net/tcp` or `/proc/net/tcp6`: a line of titles, then a line for each socket. */
export function parseSendQueues(table: string, localPort: number): SendQueue[] {
  const isLocal = `:${localPort.toString(16).toUpperCase().padStart(4, '0')} `;
  const queues: SendQueue[] = [];
  for (let start = table.indexOf('\n') + 1; start > 0 && start < table.length; ) {
    const found = table.indexOf('\n', start);
    const end = found === -1 ? table.length : found;
    const line = table.slice(start, end);
    start = end + 1;
    // The first port in a line is the local one.
    const colon = line.indexOf(':', line.indexOf(':') + 1);
    if (!line.startsWith(isLocal, colon)) continue;
    const [, , remote = '', state, queue = ''] = line.trim().split(/\s+/, 5);
    const bytes = Number.parseInt(queue, 16);
    if (state === LISTENING || !(bytes > 0)) continue;
    const [address = '', port = ''] = remote.split(':');
    queues.push({ remoteAddress: toText(address), remotePort: Number.parseInt(port, 16), bytes });
  }
  return queues;
}

/** The kernel prints an address as words of 32 bits in the order of the processor, which is little-endian here. */
function toText(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => (word.match(/../g) ?? []).reverse());
  if (bytes.length === 4) return bytes.map((byte) => Number.parseInt(byte, 16)).join('.');
  const groups = bytes.join('').match(/.{4}/g) ?? [];
  return toAddress(groups.join(':')) ?? '';
}
