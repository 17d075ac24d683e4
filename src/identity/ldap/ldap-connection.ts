import { readFileSync } from 'node:fs';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { Client, type Entry, ResultCodeError } from 'ldapts';
import { limitTime } from '../../base/limit-time.ts';
import type { LdapConfig } from '../../config/identity/ldap-config.ts';

/** One connection to one server, with its encryption established. */
export interface LdapConnection {
  /** @throws {ResultCodeError} when the directory rejects it */
  bind(dn: string, password: string): Promise<void>;
  /** Entries in the subtree. References to other servers are not followed. */
  search(baseDn: string, options: LdapSearch): Promise<Entry[]>;
  close(): void;
}

export interface LdapSearch {
  readonly filter: string;
  readonly attributes: readonly string[];
  /** Attributes that are returned as bytes. */
  readonly binaryAttributes?: readonly string[];
  readonly entryCountMax: number;
}

/** Milliseconds. `connectMsMax` includes the TLS handshake. */
export interface LdapTimeLimits {
  readonly connectMsMax: number;
  readonly operationMsMax: number;
  readonly totalMsMax: number;
}

/** `signal` ends the whole sign-in. */
export interface LdapDeadline {
  readonly signal: AbortSignal;
  readonly limits: LdapTimeLimits;
}

/** A server could not be reached, broke off or timed out. Another server may be available. */
export class LdapConnectionError extends Error {}

/** @throws {LdapConnectionError} */
export async function connectToLdap(
  config: LdapConfig,
  host: string,
  { signal, limits }: LdapDeadline,
): Promise<LdapConnection> {
  const name = host.replace(/^\[|\]$/g, '');
  const tls = config.tlsMode === 'none' ? undefined : tlsOptions(config, name);
  const sockets: Socket[] = [];
  // The library opens a connection that ended again, without its bind and without StartTLS.
  const once = <S extends Socket>(open: () => S): S => {
    if (sockets.length > 0) throw new LdapConnectionError('The connection to the directory ended');
    const socket = open();
    sockets.push(socket);
    return socket;
  };
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  const client = new Client({
    url: `${config.tlsMode === 'ldaps' ? 'ldaps' : 'ldap'}://${isIP(name) === 6 ? `[${name}]` : name}:${config.port}`,
    connectTimeout: limits.connectMsMax,
    timeout: limits.operationMsMax,
    createConnection: (() => once(() => connectTcp(config.port, name))) as typeof connectTcp,
    createSecureConnection: ((options: ConnectionOptions) =>
      // StartTLS passes the socket that is open.
      options?.socket
        ? connectTls(options)
        : once(() => connectTls({ ...tls, host: name, port: config.port }))) as typeof connectTls,
  });
  const run = <T>(msMax: number, work: () => Promise<T>) => guard(work, { msMax, signal, close });
  try {
    if (config.tlsMode === 'starttls') await run(limits.connectMsMax, () => client.startTLS({ ...tls }));
  } catch (error) {
    close();
    // A server that rejects StartTLS is as useless as one that is down, and its words must not count as a bad password.
    throw new LdapConnectionError(`StartTLS failed: ${messageOf(error)}`);
  }
  return {
    bind: (dn, password) => run(limits.operationMsMax, () => client.bind(dn, password)),
    search: (baseDn, { filter, attributes, binaryAttributes = [], entryCountMax }) =>
      run(limits.operationMsMax, async () => {
        const { searchEntries } = await client.search(baseDn, {
          scope: 'sub',
          filter,
          attributes: [...attributes],
          explicitBufferAttributes: [...binaryAttributes],
          sizeLimit: entryCountMax,
          timeLimit: limits.operationMsMax / 1000,
        });
        return searchEntries;
      }),
    close,
  };
}

interface Limits {
  readonly msMax: number;
  readonly signal: AbortSignal;
  readonly close: () => void;
}

/** The time limits of the library do not include TLS handshakes, so each operation has one of its own. */
async function guard<T>(work: () => Promise<T>, { msMax, signal, close }: Limits): Promise<T> {
  return limitTime(msMax, signal, async (limited) => {
    const stopped = new Promise<never>((_resolve, reject) => {
      const stop = () => {
        close();
        reject(new LdapConnectionError('The directory did not respond in time'));
      };
      limited.addEventListener('abort', stop, { once: true });
      if (limited.aborted) stop();
    });
    try {
      return await Promise.race([work(), stopped]);
    } catch (error) {
      if (error instanceof ResultCodeError && !isServerDown(error)) throw error;
      throw error instanceof LdapConnectionError ? error : new LdapConnectionError(messageOf(error));
    }
  });
}

const BUSY = 51;
const UNAVAILABLE = 52;

const isServerDown = ({ code }: ResultCodeError): boolean => code === BUSY || code === UNAVAILABLE;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Files are read for each connection, so that renewed certificates count without a restart. */
function tlsOptions(config: LdapConfig, host: string): ConnectionOptions {
  const read = (path: string | undefined) => (path === undefined ? undefined : readFileSync(path));
  return {
    rejectUnauthorized: config.verifiesServer,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 && { servername: host }),
    // The name to verify; after StartTLS there is no other source of it.
    host,
    ...(config.caFile !== undefined && { ca: read(config.caFile) }),
    ...(config.clientCertFile !== undefined && { cert: read(config.clientCertFile) }),
    ...(config.clientKeyFile !== undefined && { key: read(config.clientKeyFile) }),
  };
}
