import { userInfo } from 'node:os';
import type { TokenSource } from './cloud-identity.ts';
import { type TlsAttempt, tlsAttempts } from './database-tls.ts';

/** Content of a database URL. `reachDatabase` finds out which host and which TLS attempt work. */
export interface DatabaseAddress {
  readonly hosts: readonly DatabaseHost[];
  readonly user: string;
  readonly password: string | undefined;
  /** Replaces the password. Then every attempt uses TLS. */
  readonly tokens?: TokenSource;
  readonly database: string;
  /** In the order of the attempts. */
  readonly tlsAttempts: readonly TlsAttempt[];
  /** The URL with its passwords hidden. */
  readonly masked: string;
}

export interface DatabaseHost {
  /** A name, an address, or the directory of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `postgresql://user:password@host:port/database?…` like libpq: several hosts (`a:1,b:2`), the directory of a
 * Unix socket (`postgresql:///database?host=/directory`), `sslmode` and related parameters. `postgres:` and a driver
 * (`postgresql+x:`) are equivalent; parameters of other drivers are ignored.
 *
 * @param tokens replaces the password and demands TLS
 * @throws {Error} when this is not a Postgres URL; the text never contains the password.
 */
export function parseDatabaseUrl(url: string, tokens?: TokenSource): DatabaseAddress {
  const [, scheme, login, hostList, path, query] = URL_PARTS.exec(url.trim()) ?? [];
  if (scheme === undefined || !/^postgres(ql)?(\+\w+)?$/i.test(scheme)) throw new Error(wrongScheme(url));
  const parameters = new URLSearchParams(query);
  const database = decode(path ?? '') || parameters.get('dbname');
  if (!database) throw new Error('Failed to parse database from connection string');
  const [user, password] = (login ?? '').split(/:(.*)/s).map(decode);
  const hosts = parseHosts(hostList ?? '', parameters);
  return {
    hosts,
    user: parameters.get('user') ?? (user || ownUserName()),
    password: parameters.get('password') ?? (password || undefined),
    database,
    ...(tokens && { tokens }),
    tlsAttempts: hosts.every(isSocket) ? [false] : tlsAttempts(tokens ? withTls(parameters) : parameters),
    masked: maskDatabaseUrl(url),
  };
}

/** A token is as good as a password, so it is never sent without encryption. */
function withTls(parameters: URLSearchParams): URLSearchParams {
  if (!/^(verify-ca|verify-full)$/.test(parameters.get('sslmode') ?? '')) parameters.set('sslmode', 'require');
  return parameters;
}

/** Name of the system user, the default of libpq. The user of a container may have no name. */
function ownUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'postgres';
  }
}

export const isSocket = ({ host }: DatabaseHost): boolean => host.startsWith('/');

/** The URL with its passwords hidden. */
export const maskDatabaseUrl = (url: string): string =>
  url
    .trim()
    .replace(/^([^:/?#]+:\/\/[^:@/?#]*):[^/?#]*@/, '$1:***@')
    .replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***');

// `new URL` rejects the host lists of libpq.
const URL_PARTS = /^([^:/?#]+):\/\/(?:([^/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?/s;

function parseHosts(hostList: string, parameters: URLSearchParams): DatabaseHost[] {
  const hosts = (parameters.get('host') ?? '').split(',').filter(Boolean);
  const ports = (parameters.get('port') ?? '').split(',');
  const listed = hosts.length > 0 ? hosts : hostList.split(',').map(decode);
  return listed.map((text, index) => {
    // An IPv6 address is in brackets, so that its colons are not read as a port; a directory has no port.
    const [, bracketed, name, port] = /^(?:\[([^\]]*)\]|(\/.*?|[^:]*))(?::(\d+))?$/s.exec(text) ?? [];
    if (bracketed === undefined && name === undefined) throw new Error(`${text} is not a host of a database`);
    const portText = port ?? ports[index] ?? ports[0];
    return { host: bracketed || name || 'localhost', port: portText ? parsePort(portText) : 5432 };
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`${text} is not the port of a database`);
  return port;
}

function wrongScheme(url: string): string {
  const scheme = /^([^:/?#]+):/.exec(url.trim())?.[1] ?? url;
  if (/^sqlite(\+\w+)?$/i.test(scheme)) {
    return 'This server keeps its metadata in Postgres, not in SQLite. Unset SERVICE_SQL_DATABASE_URL to use the embedded Postgres, or set it to postgresql://user:password@host:5432/database.';
  }
  return `${scheme} is not a supported SQL backend/dialect. Set SERVICE_SQL_DATABASE_URL to postgresql://user:password@host:5432/database.`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A single percent sign: users paste passwords without escaping them.
    return text;
  }
}
