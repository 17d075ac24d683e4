import { postgresUrl } from './postgres-url.ts';
import {
  bool,
  choice,
  email,
  file,
  hostNames,
  httpUrl,
  integer,
  number,
  origins,
  path,
  port,
  rootPath,
  type SettingKind,
  schemaName,
  secret,
  text,
} from './setting-kinds.ts';

/** One row of the table below. */
export interface Setting<T> {
  readonly kind: SettingKind<NonNullable<T>>;
  readonly default: T;
  readonly description: string;
  /** Never shown; may also come from the file that `NAME_FILE` names. */
  readonly secret: boolean;
  /** Kubernetes puts `NAME=tcp://…` into every pod beside a service of that name: such a value is not ours. */
  readonly injected: boolean;
}

type Options = { readonly secret?: boolean; readonly injected?: boolean };

const row = <T>(
  kind: SettingKind<NonNullable<T>>,
  fallback: T,
  description: string,
  { secret = false, injected = false }: Options = {},
): Setting<T> => ({ kind, default: fallback, description, secret, injected });

const setting = <T extends NonNullable<unknown>>(
  kind: SettingKind<T>,
  fallback: NoInfer<T>,
  description: string,
  options?: Options,
): Setting<T> => row<T>(kind as SettingKind<NonNullable<T>>, fallback, description, options);

/** Without a value unless someone sets it. */
const optional = <T extends NonNullable<unknown>>(
  kind: SettingKind<T>,
  description: string,
  options?: Options,
): Setting<T | undefined> => row<T | undefined>(kind as SettingKind<NonNullable<T>>, undefined, description, options);

const LEVELS = ['debug', 'info', 'warning', 'error', 'critical'] as const;

/**
 * Every setting that the server uses, by its name without prefix. This table drives reading, `--print-config`, the
 * hints for misspelled names and the test of the README's table.
 */
export const SETTINGS = {
  PORT: setting(port, 6006, 'HTTP port: REST, OTLP over HTTP, web', { injected: true }),
  GRPC_PORT: setting(port, 4317, 'OTLP gRPC port', { injected: true }),
  HOST: setting(text, '0.0.0.0', 'Address that HTTP and gRPC listen on; `::` takes all stacks'),
  HOST_ROOT_PATH: setting(
    rootPath as SettingKind<string>,
    '',
    'Path prefix that a proxy in front adds, such as `/spandrel`',
  ),
  ROOT_URL: optional(httpUrl, 'URL at which people reach the server; made from host, port and path prefix when unset'),
  WORKING_DIR: setting(path, '~/.spandrel', 'Data directory: journal, spans, embedded Postgres'),
  READ_ONLY: setting(bool, false, 'Refuse everything that changes data'),
  SECRET: optional(secret, 'What stored credentials are encrypted with; a key file in the data directory when unset', {
    secret: true,
  }),

  SQL_DATABASE_URL: optional(postgresUrl, 'Postgres 15 or later; the embedded Postgres when unset', { secret: true }),
  SQL_DATABASE_READ_REPLICA_URL: optional(postgresUrl, 'Postgres replica for reads', { secret: true }),
  SQL_DATABASE_SCHEMA: optional(
    schemaName,
    'Postgres schema, made when missing; where the database puts tables when unset',
  ),
  POSTGRES_HOST: optional(text, 'With `POSTGRES_USER`: makes the database URL when that is unset; may be `host:port`'),
  POSTGRES_PORT: optional(port, 'See `POSTGRES_HOST`', { injected: true }),
  POSTGRES_USER: optional(text, 'See `POSTGRES_HOST`'),
  POSTGRES_PASSWORD: optional(text, 'See `POSTGRES_HOST`', { secret: true }),
  POSTGRES_DB: optional(text, 'See `POSTGRES_HOST`; the name of the user when unset'),
  LOG_SQL: setting(bool, false, 'Log every SQL statement of the metadata store'),
  DANGEROUSLY_DISABLE_MIGRATIONS: setting(bool, false, 'Start without migrating the metadata store'),

  DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: optional(
    number({ above: 0 }),
    'Disk space meant for the server, base of the percentages',
  ),
  DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: optional(
    number({ min: 0, max: 100 }),
    'Share of the capacity from which writes are refused with 507',
  ),
  DEFAULT_RETENTION_POLICY_DAYS: setting(
    integer(0),
    0,
    'Days that the default retention policy keeps traces, when it is first made; 0 keeps them for ever',
  ),
  SUPPORT_EMAIL: optional(email, 'Address that people are told to write to while storage is full'),
  // No default: what waits is in the journal, on disk, and its bytes are bounded (`BACKLOG_BYTES_MAX`).
  MAX_SPANS_QUEUE_SIZE: optional(
    integer(1),
    'Acknowledged spans that wait for the store before exporters are told to retry; bounded by bytes alone when unset',
  ),
  SPAN_STORE_MEMORY_BYTES: optional(
    integer(64 * 1024 * 1024),
    'Memory for buffers of the span store; a share of the memory of the container when unset',
  ),
  JOURNAL_GRACE_MINUTES: setting(
    number({ min: 0 }),
    10,
    'How long a journal segment stays after the store has checkpointed past it',
  ),

  ALLOWED_ORIGINS: setting(origins, [], 'Origins whose pages may call the server (CORS); `*` for any'),
  CSRF_TRUSTED_ORIGINS: setting(
    origins,
    [],
    "Origins whose pages may send requests; when set, requests from any origin other than these and the server's own are rejected",
  ),
  ALLOWED_HOSTS: setting(
    hostNames,
    [],
    'Host names at which browsers may use the server, besides addresses, private names and the name in `ROOT_URL`; `*` for any',
  ),

  TLS_ENABLED: setting(bool, false, 'TLS on both ports'),
  TLS_ENABLED_FOR_HTTP: optional(bool, 'TLS on the HTTP port; as `TLS_ENABLED` when unset'),
  TLS_ENABLED_FOR_GRPC: optional(bool, 'TLS on the gRPC port; as `TLS_ENABLED` when unset'),
  TLS_CERT_FILE: optional(file, 'Certificate chain (PEM)'),
  TLS_KEY_FILE: optional(file, 'Private key (PEM)'),
  TLS_KEY_FILE_PASSWORD: optional(text, 'Password of the private key', { secret: true }),
  TLS_CA_FILE: optional(file, 'Certificates that client certificates are checked against (PEM)'),
  TLS_VERIFY_CLIENT: setting(bool, false, 'Ask clients for a certificate; needs `TLS_CA_FILE`'),

  LOGGING_MODE: setting(choice('default', 'structured'), 'default', 'Lines for people, or a JSON object per line'),
  LOGGING_LEVEL: setting(choice(...LEVELS), 'info', 'Least level that is logged'),
  ENABLE_PROMETHEUS: setting(bool, false, 'Serve `/metrics` on a port of its own'),
  METRICS_HOST: optional(text, 'Address of that port; as `HOST` when unset'),
  METRICS_PORT: setting(port, 9090, 'That port', { injected: true }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
