import type { Parsed, SettingKind } from './setting-kinds.ts';

/** `postgresql://user:password@host:port/database?sslmode=…`. A driver (`postgresql+x://`) is removed. */
export const postgresUrl: SettingKind<string> = {
  name: 'URL',
  parse(text) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
    if (scheme === undefined) return { expected: EXPECTED };
    if (scheme.startsWith('sqlite')) {
      return { expected: 'a Postgres URL; SQLite is not supported, unset the variable to use the embedded Postgres' };
    }
    if (!/^postgres(ql)?(\+[a-z0-9_]+)?$/.test(scheme)) {
      return { expected: `a Postgres URL; '${scheme}' is not a supported SQL backend` };
    }
    return withDatabase(text.replace(/^[^:]+:/, 'postgresql:'));
  },
};

/** The values of the `POSTGRES_*` settings; `host` may contain `host:port`. */
export interface PostgresParts {
  readonly host: string;
  readonly port: number | undefined;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string | undefined;
}

export function buildPostgresUrl({ host, port, user, password, database }: PostgresParts): string {
  const [, name, portInHost] = /^(.*?)(?::(\d+))?$/.exec(host) ?? [];
  // An IPv6 address contains colons, so it can have a port only if it is in brackets.
  const isBareIpv6 = (host.match(/:/g)?.length ?? 0) > 1 && !host.startsWith('[');
  const address = isBareIpv6 ? `[${host}]` : (name ?? host);
  const effectivePort = port ?? (isBareIpv6 ? undefined : portInHost);
  const login = encodeURIComponent(user) + (password === undefined ? '' : `:${encodeURIComponent(password)}`);
  // Postgres rule: the default database has the name of the user.
  return `postgresql://${login}@${address}${effectivePort === undefined ? '' : `:${effectivePort}`}/${encodeURIComponent(database ?? user)}`;
}

/** The URL with its passwords masked. A text that is not a URL is masked completely. */
export function maskUrl(text: string): string {
  // A password may contain any character, so an unparsable text is not shown at all.
  if (!URL_PARTS.test(text)) return '***';
  return text.replace(/^([^:/?#]+:\/\/[^:@/?#]*):.*@/, '$1:***@').replace(/([?&](?:ssl)?password=)[^&#]*/gi, '$1***');
}

/** Whether a URL contains a password, before the host or as a parameter. */
export function hasPassword(url: string): boolean {
  const login = /^[^:/?#]+:\/\/([^/?#]*)@/.exec(url)?.[1] ?? '';
  return /:./.test(login) || parametersOf(url).has('password');
}

export const sslModeOf = (url: string): string | undefined => parametersOf(url).get('sslmode') ?? undefined;

const parametersOf = (url: string) => new URLSearchParams(URL_PARTS.exec(url)?.[2]);

const EXPECTED = 'a Postgres URL such as postgresql://user:password@host:5432/database';

// Not `URL`: libpq accepts several hosts, `postgresql://a:1,b:2/database`, and `URL` rejects them.
const URL_PARTS = /^[^:/?#]+:\/\/[^/?#]*(?:\/([^?#]*))?(?:\?([^#]*))?$/;

function withDatabase(text: string): Parsed<string> {
  const parts = URL_PARTS.exec(text);
  if (!parts) return { expected: EXPECTED };
  if (!parts[1] && !new URLSearchParams(parts[2]).get('dbname')) {
    return { expected: 'a Postgres URL with a database name: postgresql://…/database' };
  }
  return { value: text };
}
