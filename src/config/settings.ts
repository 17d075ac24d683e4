import {
  attributeName,
  bindName,
  distinguishedNames,
  emailAttribute,
  ldapFilter,
  ldapHosts,
} from './identity/ldap-kinds.ts';
import { groupRoles } from './identity/role-kinds.ts';
import { keyHosts, providerNames, sandboxNames } from './models/provider-kinds.ts';
import { postgresUrl } from './postgres-url.ts';
import {
  accounts,
  bool,
  choice,
  email,
  file,
  hostNames,
  httpUrl,
  integer,
  networks,
  number,
  origins,
  path,
  port,
  rootPath,
  type SettingKind,
  schemaName,
  secret,
  secretList,
  text,
} from './setting-kinds.ts';

/** One row of `SETTINGS`. */
export interface Setting<T> {
  readonly kind: SettingKind<NonNullable<T>>;
  readonly default: T;
  readonly description: string;
  /** The value is never shown, and `NAME_FILE` may name a file that contains it. */
  readonly secret: boolean;
  /** Kubernetes sets `NAME=tcp://…` in every pod next to a service of that name. Such a value is ignored. */
  readonly injected: boolean;
  /** Text that a blank variable stands for. Undefined: a blank variable is unset. */
  readonly blank: string | undefined;
}

type Options = { readonly secret?: boolean; readonly injected?: boolean; readonly blank?: string };

const row = <T>(
  kind: SettingKind<NonNullable<T>>,
  fallback: T,
  description: string,
  { secret = false, injected = false, blank }: Options = {},
): Setting<T> => ({ kind, default: fallback, description, secret, injected, blank });

const setting = <T extends NonNullable<unknown>>(
  kind: SettingKind<T>,
  fallback: NoInfer<T>,
  description: string,
  options?: Options,
): Setting<T> => row<T>(kind as SettingKind<NonNullable<T>>, fallback, description, options);

/** A setting without a default. */
const optional = <T extends NonNullable<unknown>>(
  kind: SettingKind<T>,
  description: string,
  options?: Options,
): Setting<T | undefined> => row<T | undefined>(kind as SettingKind<NonNullable<T>>, undefined, description, options);

const LEVELS = ['debug', 'info', 'warning', 'error', 'critical'] as const;

/**
 * Every setting of the server, by its name without prefix. `--print-config`, the hints for misspelled names and the test
 * of `docs/settings.md` use this table too.
 */
export const SETTINGS = {
  PORT: setting(port, 6006, 'HTTP port of REST, GraphQL, OTLP over HTTP and the web interface.', { injected: true }),
  GRPC_PORT: setting(port, 4317, 'Port of OTLP over gRPC.', { injected: true }),
  HOST: setting(text, '0.0.0.0', 'Address on which HTTP and gRPC listen. `::` listens on IPv4 and IPv6.'),
  HOST_ROOT_PATH: setting(
    rootPath as SettingKind<string>,
    '',
    'Path prefix that a reverse proxy adds, for example `/spandrel`.',
  ),
  ROOT_URL: optional(httpUrl, 'URL at which users reach the server. Default: built from host, port and path prefix.'),
  WORKING_DIR: setting(
    path,
    '~/.spandrel',
    'Data directory. It contains the journal, the span store and the embedded Postgres.',
  ),
  READ_ONLY: setting(bool, false, 'Reject every request that changes data.'),
  ENABLE_MCP_SERVER: setting(bool, true, 'Serve the Model Context Protocol at `/mcp`.'),
  MCP_ALLOW_WRITES: setting(bool, false, 'Offer tools that write at `/mcp` to callers who may write.'),
  SECRET: optional(secret, 'Secret that encrypts stored credentials. Default: a key file in the data directory.', {
    secret: true,
  }),
  FORMER_SECRETS: setting(
    secretList,
    [],
    'Earlier values of `SECRET`, which only decrypt. Needed until `spandrel secrets rotate` has encrypted everything with the current one.',
    { secret: true },
  ),

  ENABLE_AUTH: setting(bool, false, 'Require a sign-in or key for every request. Needs `SECRET`.'),
  ADMIN_SECRET: optional(secret, 'Bearer token with the rights of an administrator. Must differ from `SECRET`.', {
    secret: true,
  }),
  DISABLE_BASIC_AUTH: setting(bool, false, 'Reject passwords: people sign in at an identity provider or directory.'),
  ENABLE_STRONG_PASSWORD_POLICY: setting(
    bool,
    false,
    'Require passwords of at least 12 characters with a digit, a lowercase and an uppercase letter and one of `!@#$%^&*()_+`.',
  ),
  DEFAULT_ADMIN_INITIAL_PASSWORD: optional(
    text,
    'Password of `admin@localhost` when the account is created. Default: `admin`, which is accepted only on the machine of the server.',
    { secret: true },
  ),
  ADMINS: setting(accounts, [], 'Administrators to create at the start if they do not exist: `name=email;name=email`.'),
  ACCESS_TOKEN_EXPIRY_MINUTES: setting(number({ above: 0 }), 10, 'Lifetime of an access token.'),
  REFRESH_TOKEN_EXPIRY_MINUTES: setting(number({ above: 0 }), 10_080, 'Time without use after which a session ends.'),
  PASSWORD_RESET_TOKEN_EXPIRY_MINUTES: setting(number({ above: 0 }), 15, 'Lifetime of the link of a password reset.'),
  USE_SECURE_COOKIES: optional(
    bool,
    'Send cookies only over TLS. Default: true when TLS is on, or the scheme of `ROOT_URL` is https.',
  ),
  COOKIES_PATH: setting(text, '/', 'Path of the cookies of a session.'),
  DISABLE_BRUTE_FORCE_LOGIN_PROTECTION: setting(bool, false, 'Never lock an account after failed sign-ins.'),
  BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS: setting(
    integer(1, 1_000),
    5,
    'Failed sign-ins after which an account is locked for 5 minutes.',
  ),
  ENABLE_OAUTH2_AUTHORIZATION_SERVER: setting(
    bool,
    true,
    'Let users give applications access to their accounts, such as the command-line client. Needs `ENABLE_AUTH`.',
  ),
  OAUTH2_GRANT_EXPIRY_DAYS: setting(
    number({ above: 0, max: 3_650 }),
    90,
    'Days after which a user must consent to an application again.',
  ),
  OAUTH2_DYNAMIC_CLIENT_REGISTRATION: setting(
    choice('enabled', 'local_only', 'disabled'),
    'enabled',
    'Which applications may register themselves: all, those on the machine of the user, or none.',
  ),
  OAUTH2_ALLOWED_REDIRECT_HOSTS: setting(
    hostNames,
    [],
    'Hosts of sites that may register as applications. `*.example.com` allows all subdomains. Default: any host.',
  ),
  OAUTH2_DCR_RATE_LIMIT_PER_HOUR: setting(
    integer(1, 1_000_000),
    10,
    'Applications that one address may register per hour.',
  ),
  OAUTH2_CONSENT_ORIGIN_CHECK: setting(
    choice('strict', 'off'),
    'strict',
    'Accept the consent of a user only from a page of this server, by its `Origin` header. `off` is for proxies that remove the header.',
  ),
  SCIM_MANAGES_ALL_USERS: setting(
    bool,
    false,
    'Let SCIM keys also change and delete users that SCIM did not create, and make administrators.',
  ),
  AUDIT_RETENTION_DAYS: setting(
    integer(0, 36_500),
    365,
    'Days until entries of the audit log are deleted. 0 keeps them forever.',
  ),

  SQL_DATABASE_URL: optional(
    postgresUrl,
    'URL of an external Postgres, version 15 or later. Default: the embedded Postgres.',
    { secret: true },
  ),
  SQL_DATABASE_READ_REPLICA_URL: optional(
    postgresUrl,
    'URL of a streaming standby of that Postgres, which serves reads.',
    {
      secret: true,
    },
  ),
  SQL_DATABASE_SCHEMA: optional(
    schemaName,
    'Postgres schema; created if it does not exist. Default: the default schema of the database.',
  ),
  POSTGRES_HOST: optional(
    text,
    'Host, or `host:port`, of an external Postgres. Used with `POSTGRES_USER` when no database URL is set.',
  ),
  POSTGRES_PORT: optional(port, 'Port of the Postgres at `POSTGRES_HOST`.', { injected: true }),
  POSTGRES_USER: optional(text, 'User of the Postgres at `POSTGRES_HOST`.'),
  POSTGRES_PASSWORD: optional(text, 'Password of that user.', { secret: true }),
  POSTGRES_DB: optional(text, 'Database of the Postgres at `POSTGRES_HOST`. Default: the name of the user.'),
  POSTGRES_USE_AWS_IAM_AUTH: setting(
    bool,
    false,
    'Log in to Postgres with tokens of AWS RDS IAM instead of a password.',
  ),
  POSTGRES_USE_AZURE_MANAGED_IDENTITY: setting(
    bool,
    false,
    'Log in to Postgres with tokens of an Azure managed identity instead of a password.',
  ),
  POSTGRES_AZURE_SCOPE: setting(
    text,
    'https://ossrdbms-aad.database.windows.net/.default',
    'Scope of the tokens of an Azure managed identity.',
  ),
  LOG_SQL: setting(bool, false, 'Log every SQL statement of the metadata store.'),
  DANGEROUSLY_DISABLE_MIGRATIONS: setting(bool, false, 'Start without migrating the metadata store.'),

  DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: optional(
    number({ above: 0 }),
    'Disk space that the server may use, in GiB. The percentages below refer to it.',
  ),
  DATABASE_USAGE_EMAIL_WARNING_THRESHOLD_PERCENTAGE: optional(
    number({ min: 0, max: 100 }),
    'Percentage of that disk space at which administrators receive a mail, at most once a day. Needs `SMTP_HOSTNAME`.',
  ),
  DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: optional(
    number({ min: 0, max: 100 }),
    'Percentage of that disk space at which writes are rejected with status 507.',
  ),
  DEFAULT_RETENTION_POLICY_DAYS: setting(
    integer(0),
    0,
    'Days for which the default retention policy keeps traces; 0 keeps them forever. Read once, when the policy is created.',
  ),
  SUPPORT_EMAIL: optional(
    email,
    'E-mail address that the storage warning shows to users. It receives a copy of the storage mail.',
  ),
  PROJECT_FROM_SERVICE_NAME: setting(
    bool,
    false,
    'Store spans that name no project in the project of their `service.name` instead of `default`.',
  ),
  // No default: waiting spans are in the journal, on disk, and `BACKLOG_BYTES_MAX` limits their bytes.
  MAX_SPANS_QUEUE_SIZE: optional(
    integer(1),
    'Maximum number of acknowledged spans that wait for the span store. Above it, requests are rejected and exporters retry. Default: only bytes are limited.',
  ),
  SPAN_STORE_MEMORY_BYTES: optional(
    integer(64 * 1024 * 1024),
    'Memory for the buffers of the span store, in bytes. Default: a share of the memory of the container or machine.',
  ),
  JOURNAL_GRACE_MINUTES: setting(
    number({ min: 0 }),
    10,
    'Minutes that a journal segment remains after a checkpoint of the span store covers it.',
  ),

  ALLOWED_ORIGINS: setting(origins, [], 'Origins whose pages may call the server (CORS). `*` allows any origin.'),
  CSRF_TRUSTED_ORIGINS: setting(
    origins,
    [],
    "Origins whose pages may send requests. If set, requests from any origin other than these and the server's own are rejected.",
  ),
  ALLOWED_HOSTS: setting(
    hostNames,
    [],
    'Host names under which browsers may use the server, in addition to IP addresses, private names and the host of `ROOT_URL`. `*` allows any name.',
  ),

  ALLOWED_PROVIDERS: optional(
    providerNames,
    'Providers whose models the server calls, in the pages and in the APIs, for example `OPENAI, ANTHROPIC`. `NONE` allows only custom providers. Default: all.',
  ),
  ALLOWED_SANDBOX_PROVIDERS: optional(
    sandboxNames,
    'Sandboxes that may run the code of evaluators: `WASM`, `E2B`, `DAYTONA`, `VERCEL`, `DENO`, `MODAL`, `MONTY`. `NONE` allows none. Default: all that the server has.',
  ),
  MODEL_KEY_HOSTS: setting(
    keyHosts,
    [],
    'Hosts to which a key of the environment may go when a request names the address: `OPENAI_API_KEY=gateway.example.com *.internal;XAI_API_KEY=…`. Default: none.',
  ),
  AGENTS_COLLECTOR_ENDPOINT: optional(text, 'Address that GraphQL reports to clients that send traces of assistants.'),
  AGENTS_ASSISTANT_PROJECT_NAME: setting(
    text,
    'assistant_agent',
    'Name of the project that GraphQL reports to such clients.',
  ),

  LDAP_HOST: optional(ldapHosts, 'Servers of the directory whose users may sign in. Setting it enables LDAP.'),
  LDAP_PORT: optional(integer(1, 65_535), 'Port of the directory. Default: 389, or 636 with `ldaps`.', {
    injected: true,
  }),
  LDAP_TLS_MODE: setting(
    choice('starttls', 'ldaps', 'none'),
    'starttls',
    'Encryption of the connection to the directory.',
  ),
  LDAP_TLS_VERIFY: setting(bool, true, 'Verify the certificate of the directory.'),
  LDAP_TLS_CA_CERT_FILE: optional(file, 'File with the certificates that verify the directory (PEM).'),
  LDAP_TLS_CLIENT_CERT_FILE: optional(file, 'File with the client certificate for the directory (PEM).'),
  LDAP_TLS_CLIENT_KEY_FILE: optional(file, 'File with the key of that certificate (PEM).'),
  LDAP_BIND_DN: optional(bindName, 'Account that searches the directory. Default: anonymous.'),
  LDAP_BIND_PASSWORD: optional(text, 'Password of that account.', { secret: true }),
  LDAP_USER_SEARCH_BASE_DNS: optional(
    distinguishedNames,
    'JSON array of the entries below which users are searched. Required with `LDAP_HOST`.',
  ),
  LDAP_USER_SEARCH_FILTER: setting(
    ldapFilter,
    '(&(objectClass=user)(sAMAccountName=%s))',
    'Filter that finds a user. `%s` is the name that was entered.',
  ),
  LDAP_ATTR_EMAIL: row<string | null>(
    emailAttribute as SettingKind<string>,
    'mail',
    'Attribute with the email. Empty or `null`: accounts have no email.',
    { blank: 'null' },
  ),
  LDAP_ATTR_DISPLAY_NAME: setting(attributeName, 'displayName', 'Attribute with the name that users see.'),
  LDAP_ATTR_MEMBER_OF: setting(attributeName, 'memberOf', 'Attribute with the groups of a user.'),
  LDAP_ATTR_UNIQUE_ID: optional(
    attributeName,
    'Attribute that identifies a user for ever, for example `objectGUID` or `entryUUID`. Default: the email does.',
  ),
  LDAP_GROUP_SEARCH_BASE_DNS: optional(
    distinguishedNames,
    'JSON array of the entries below which groups are searched.',
  ),
  LDAP_GROUP_SEARCH_FILTER: optional(
    ldapFilter,
    'Filter that finds the groups of a user. Default: groups are read from `LDAP_ATTR_MEMBER_OF`.',
  ),
  LDAP_GROUP_SEARCH_FILTER_USER_ATTR: optional(
    attributeName,
    'Attribute of the user that replaces `%s` in that filter; `dn` for the name of the entry. Default: the name that was entered.',
  ),
  LDAP_GROUP_ROLE_MAPPINGS: optional(
    groupRoles,
    'JSON array of `{"group_dn", "role"}`. The first that matches counts; `*` matches all users. Required with `LDAP_HOST`.',
  ),
  LDAP_ALLOW_SIGN_UP: setting(bool, true, 'Create an account at the first sign-in.'),
  TRUSTED_PROXIES: setting(
    networks,
    [],
    'Addresses and networks of reverse proxies, for example `10.0.0.5, 192.168.0.0/16`. Forwarding headers count only from them.',
  ),
  DISABLE_RATE_LIMIT: setting(bool, false, 'Do not limit the requests for signing in by address.'),

  ALLOW_PRIVATE_MODEL_ADDRESSES: setting(
    bool,
    true,
    'Call models at loopback and private addresses too, where local servers such as Ollama run. Link-local and metadata addresses are never called.',
  ),

  MODEL_SILENCE_SECONDS: setting(
    integer(1, 3_600),
    90,
    'Seconds without output from a model after which the playground ends the call. Models that reason before an unstreamed response may need more.',
  ),

  TLS_ENABLED: setting(bool, false, 'Use TLS on the HTTP and gRPC ports.'),
  TLS_ENABLED_FOR_HTTP: optional(bool, 'Use TLS on the HTTP port. Default: the value of `TLS_ENABLED`.'),
  TLS_ENABLED_FOR_GRPC: optional(bool, 'Use TLS on the gRPC port. Default: the value of `TLS_ENABLED`.'),
  TLS_CERT_FILE: optional(file, 'File with the certificate chain (PEM).'),
  TLS_KEY_FILE: optional(file, 'File with the private key (PEM).'),
  TLS_KEY_FILE_PASSWORD: optional(text, 'Password of the private key.', { secret: true }),
  TLS_CA_FILE: optional(file, 'File with the certificates that verify client certificates (PEM).'),
  TLS_VERIFY_CLIENT: setting(bool, false, 'Require a client certificate. Needs `TLS_CA_FILE`.'),

  SMTP_HOSTNAME: optional(text, 'Host of the mail server. Without it, the server sends no mail.'),
  SMTP_PORT: setting(port, 587, 'Port of the mail server.', { injected: true }),
  SMTP_USERNAME: optional(text, 'User name at the mail server. Needed with `SMTP_HOSTNAME`.'),
  SMTP_PASSWORD: optional(text, 'Password at the mail server. Needed with `SMTP_HOSTNAME`.', { secret: true }),
  SMTP_MAIL_FROM: optional(
    email,
    'Sender of mails. Default: the user name if it is an e-mail address, otherwise `noreply` at the mail host.',
  ),
  SMTP_VALIDATE_CERTS: setting(bool, true, 'Verify the certificate of the mail server.'),
  SMTP_CA_FILE: optional(
    file,
    'File with the certificates that verify the mail server (PEM). Default: the public authorities.',
  ),

  LOGGING_MODE: setting(
    choice('default', 'structured'),
    'default',
    '`default` logs readable lines, `structured` logs one JSON object per line.',
  ),
  LOGGING_LEVEL: setting(choice(...LEVELS), 'info', 'Lowest level that is logged.'),
  ENABLE_PROMETHEUS: setting(bool, false, 'Serve Prometheus metrics on a separate port.'),
  METRICS_HOST: setting(text, '127.0.0.1', 'Address on which the metrics port listens.'),
  METRICS_PORT: setting(port, 9090, 'Port of the Prometheus metrics.', { injected: true }),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type SettingValues = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};
export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];
