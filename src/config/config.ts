import { join } from 'node:path';
import { type LdapConfig, toLdapConfig, warnOfLdap } from './identity/ldap-config.ts';
import { type OidcProviderConfig, readOidcProviders } from './identity/oidc-providers.ts';
import { databaseUrlOf } from './database-url-setting.ts';
import { findContradictions, findIneffective } from './find-contradictions.ts';
import { readModelVariables } from './models/model-variables.ts';
import type { KeyHosts } from './models/provider-kinds.ts';
import { type ProxyConfig, readProxies } from './models/proxy-variables.ts';
import { ALIAS_PREFIX, type Environment, type FlagTexts, type Origins, PREFIX, readSettings } from './read-settings.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, type SettingValues } from './settings.ts';
import { showValue } from './show-value.ts';

/** Everything that the environment and the command line determine. Read once and frozen. */
export interface Config {
  readonly http: ListenConfig & { readonly rootPath: string };
  readonly grpc: ListenConfig;
  readonly metrics: { readonly enabled: boolean; readonly host: string; readonly port: number };
  /** URL at which users reach the server, without a slash at the end. Undefined: the address on which it listens. */
  readonly rootUrl: string | undefined;
  /** Origins that may call from a browser. `*` allows any. */
  readonly allowedOrigins: readonly string[];
  readonly csrfTrustedOrigins: readonly string[];
  /** Host names under which browsers may use the server, besides those that need no setting. `*` allows any name. */
  readonly allowedHosts: readonly string[];
  /** Addresses and networks of proxies whose forwarding headers count. */
  readonly trustedProxies: readonly string[];
  readonly hasRateLimits: boolean;
  /** Undefined: the server sends no mail. */
  readonly mail: MailConfig | undefined;
  readonly readOnly: boolean;
  /** Undefined: the server has no `/mcp`. */
  readonly mcp: { readonly allowsWrites: boolean } | undefined;
  /** Secret that encrypts stored credentials. Undefined: the key file of the data directory. */
  readonly secret: string | undefined;
  /** Earlier secrets, which only decrypt. */
  readonly formerSecrets: readonly string[];
  readonly access: AccessConfig;
  readonly paths: DataPaths;
  readonly metadata: MetadataConfig;
  readonly spans: { readonly memoryBytes: number | undefined };
  readonly ingest: {
    readonly journalGraceMs: number;
    readonly queuedSpanCountMax: number | undefined;
    /** Whether the resource attribute `service.name` names the project of spans that name none. */
    readonly usesServiceName: boolean;
  };
  readonly capacity: CapacityConfig;
  /** Days of the default retention policy when it is created; 0 keeps traces forever. */
  readonly defaultRetentionDays: number;
  readonly models: ModelsConfig;
  /** Sandboxes that may run code. Undefined: all that the server has. */
  readonly allowedSandboxes: readonly string[] | undefined;
  readonly log: LogConfig;
  /** Identity providers, by name. */
  readonly oidcProviders: readonly OidcProviderConfig[];
  /** Undefined: no directory. */
  readonly ldap: LdapConfig | undefined;
}

export interface ListenConfig {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Undefined: plain text. */
  readonly tls: TlsConfig | undefined;
}

/** PEM files. */
export interface TlsConfig {
  readonly certFile: string;
  readonly keyFile: string;
  readonly keyFilePassword?: string;
  readonly caFile?: string;
  /** Rejects clients without a certificate that `caFile` verifies. */
  readonly verifiesClient: boolean;
}

export interface MailConfig {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** Address of the sender. */
  readonly from: string;
  readonly verifiesCertificate: boolean;
  /** PEM file. Undefined: the public authorities. */
  readonly caFile: string | undefined;
}

/** Absolute paths. Each part creates its own folder. */
export interface DataPaths {
  readonly dataDir: string;
  readonly journalDir: string;
  readonly spanStoreDir: string;
  readonly metadataStoreDir: string;
}

export interface MetadataConfig {
  /** Undefined: the embedded Postgres. */
  readonly databaseUrl: string | undefined;
  readonly readReplicaUrl: string | undefined;
  /** Undefined: passwords. */
  readonly identity: CloudIdentity | undefined;
  /** Undefined: the default schema of the database. */
  readonly schema: string | undefined;
  readonly migrate: boolean;
  readonly logStatements: boolean;
}

export interface AccessConfig {
  /** False: everyone who reaches the server may do everything. */
  readonly enabled: boolean;
  readonly adminSecret: string | undefined;
  readonly allowsPasswords: boolean;
  readonly strongPasswords: boolean;
  /** Undefined: the documented one, which counts only from loopback. */
  readonly initialPassword: string | undefined;
  readonly admins: readonly { readonly username: string; readonly email: string }[];
  /** How the administrators of the settings sign in. */
  readonly adminAuthMethod: 'LOCAL' | 'OAUTH2' | 'LDAP';
  /** How accounts that SCIM creates sign in: at what the settings name, else with a password that they reset. */
  readonly provisionedAuthMethod: 'LOCAL' | 'OAUTH2' | 'LDAP';
  /** Whether SCIM keys also change accounts that SCIM did not make, and make administrators. */
  readonly scimManagesAllUsers: boolean;
  readonly accessTokenMs: number;
  readonly refreshTokenMs: number;
  readonly resetTokenMs: number;
  /** Undefined: accounts are never locked. */
  readonly attemptCountMax: number | undefined;
  /** 0 keeps entries of the audit log forever. */
  readonly auditRetentionDays: number;
  readonly cookies: { readonly isSecure: boolean; readonly path: string };
  /** Undefined: applications get no access to accounts. */
  readonly authorization: AuthorizationConfig | undefined;
}

/** How applications get access to the accounts of users. */
export interface AuthorizationConfig {
  readonly grantMs: number;
  /** `local_only`: only applications on the machine of the user. */
  readonly registration: 'enabled' | 'local_only' | 'disabled';
  readonly registrationsPerHour: number;
  /** Empty: any host. */
  readonly allowedRedirectHosts: readonly string[];
  readonly checksOrigin: boolean;
}

/** How the server calls models. */
export interface ModelsConfig {
  /** Providers that may be called. Undefined: all. */
  readonly allowedProviders: readonly string[] | undefined;
  /** Variables of the environment with keys and addresses of vendors. */
  readonly variables: Readonly<Record<string, string>>;
  /** Hosts that may receive a key of the environment although a request names them. */
  readonly keyHosts: readonly KeyHosts[];
  readonly proxies: ProxyConfig;
  /** Whether models may be called at loopback and private addresses. */
  readonly allowsPrivateAddresses: boolean;
  /** Maximum time without a chunk of a response. */
  readonly silenceMsMax: number;
  /** What GraphQL reports to clients about assistants. */
  readonly agents: { readonly collectorEndpoint: string | undefined; readonly assistantProjectName: string };
}

/** How the server logs in to a Postgres in a cloud, with a token for each connection. */
export type CloudIdentity = { readonly kind: 'aws' } | { readonly kind: 'azure'; readonly scope: string };

export interface CapacityConfig {
  /** Undefined: only the disk limits the data. */
  readonly capacityBytes: number | undefined;
  /** Administrators receive a mail above this percentage of the capacity, 0 to 100. Undefined: never. */
  readonly warningPercent: number | undefined;
  /** Writes are rejected above this percentage of the capacity, 0 to 100. Undefined: never. */
  readonly blockingPercent: number | undefined;
  readonly supportEmail: string | undefined;
}

/** Log settings, with the level names of `base/log.ts`. */
export interface LogConfig {
  readonly form: 'pretty' | 'json';
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'fatal';
}

/** A setting as `--print-config` shows it. Secrets are masked. */
export interface EffectiveSetting {
  /** Without prefix. Besides the names of the table: `OAUTH2_<IDP>_<FIELD>`. */
  readonly name: string;
  readonly shown: string;
  /** `default`, `--port`, `SERVICE_PORT`, `PHOENIX_PORT` … */
  readonly origin: string;
}

export interface ConfigReading {
  readonly config: Config;
  readonly effective: readonly EffectiveSetting[];
  /** One sentence for each variable that is set but has no effect, for the log. */
  readonly warnings: readonly string[];
}

/** Reports all invalid settings at once, one per line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.length === 1 ? problems[0] : `${problems.length} settings are invalid:\n  ${problems.join('\n  ')}`);
    this.problems = problems;
  }
}

/**
 * Reads the settings: flag, then `SERVICE_X`, then `PHOENIX_X`, then the default.
 *
 * @throws {ConfigError} with every invalid value
 */
export function readConfig({
  flags = {},
  env = process.env,
}: {
  readonly flags?: FlagTexts;
  readonly env?: Environment;
} = {}): ConfigReading {
  const { values, origins, problems, warnings } = readSettings(env, flags);
  const oidc = readOidcProviders(env, [PREFIX, ALIAS_PREFIX]);
  const { proxies, warnings: proxyWarnings } = readProxies(env);
  const allProblems = [
    ...problems,
    ...findContradictions(values, origins, oidc.effective.length > 0),
    ...oidc.problems,
  ];
  if (allProblems.length > 0) throw new ConfigError(allProblems);
  const nameOfVariable = (name: SettingName) => (origins[name] === 'default' ? PREFIX + name : origins[name]);
  return deepFreeze({
    config: toConfig(values, oidc.providers, { variables: readModelVariables(env), proxies }),
    effective: [...toEffective(values, origins), ...oidc.effective],
    warnings: [
      ...warnings,
      ...proxyWarnings,
      ...findIneffective(values, origins),
      ...warnOfLdap(values, nameOfVariable, (name) => origins[name] === 'default'),
    ],
  });
}

function identityOf(values: SettingValues): CloudIdentity | undefined {
  if (values.POSTGRES_USE_AWS_IAM_AUTH) return { kind: 'aws' };
  if (!values.POSTGRES_USE_AZURE_MANAGED_IDENTITY) return undefined;
  return { kind: 'azure', scope: values.POSTGRES_AZURE_SCOPE };
}

function toConfig(
  values: SettingValues,
  oidcProviders: readonly OidcProviderConfig[],
  models: Pick<ModelsConfig, 'variables' | 'proxies'>,
): Config {
  const tls: TlsConfig = {
    // `findContradictions` ensures both paths whenever TLS is on.
    certFile: values.TLS_CERT_FILE ?? '',
    keyFile: values.TLS_KEY_FILE ?? '',
    ...(values.TLS_KEY_FILE_PASSWORD !== undefined && { keyFilePassword: values.TLS_KEY_FILE_PASSWORD }),
    ...(values.TLS_CA_FILE !== undefined && { caFile: values.TLS_CA_FILE }),
    verifiesClient: values.TLS_VERIFY_CLIENT,
  };
  const tlsWhen = (isOn: boolean | undefined) => ((isOn ?? values.TLS_ENABLED) ? tls : undefined);
  return {
    http: {
      host: values.HOST,
      port: values.PORT,
      rootPath: values.HOST_ROOT_PATH,
      tls: tlsWhen(values.TLS_ENABLED_FOR_HTTP),
    },
    grpc: { host: values.HOST, port: values.GRPC_PORT, tls: tlsWhen(values.TLS_ENABLED_FOR_GRPC) },
    metrics: { enabled: values.ENABLE_PROMETHEUS, host: values.METRICS_HOST, port: values.METRICS_PORT },
    rootUrl: values.ROOT_URL,
    allowedOrigins: values.ALLOWED_ORIGINS,
    csrfTrustedOrigins: values.CSRF_TRUSTED_ORIGINS,
    allowedHosts: values.ALLOWED_HOSTS,
    trustedProxies: values.TRUSTED_PROXIES,
    hasRateLimits: !values.DISABLE_RATE_LIMIT,
    mail: toMail(values),
    readOnly: values.READ_ONLY,
    mcp: values.ENABLE_MCP_SERVER ? { allowsWrites: values.MCP_ALLOW_WRITES } : undefined,
    secret: values.SECRET,
    formerSecrets: values.FORMER_SECRETS,
    access: toAccess(values, tlsWhen(values.TLS_ENABLED_FOR_HTTP) !== undefined, {
      hasProviders: oidcProviders.length > 0,
      hasDirectory: values.LDAP_HOST !== undefined,
    }),
    paths: {
      dataDir: values.WORKING_DIR,
      journalDir: join(values.WORKING_DIR, 'journal'),
      spanStoreDir: join(values.WORKING_DIR, 'spans'),
      metadataStoreDir: join(values.WORKING_DIR, 'postgres'),
    },
    metadata: {
      databaseUrl: databaseUrlOf(values),
      readReplicaUrl: values.SQL_DATABASE_READ_REPLICA_URL,
      identity: identityOf(values),
      schema: values.SQL_DATABASE_SCHEMA,
      migrate: !values.DANGEROUSLY_DISABLE_MIGRATIONS,
      logStatements: values.LOG_SQL,
    },
    spans: { memoryBytes: values.SPAN_STORE_MEMORY_BYTES },
    ingest: {
      journalGraceMs: values.JOURNAL_GRACE_MINUTES * 60_000,
      queuedSpanCountMax: values.MAX_SPANS_QUEUE_SIZE,
      usesServiceName: values.PROJECT_FROM_SERVICE_NAME,
    },
    capacity: toCapacity(values),
    defaultRetentionDays: values.DEFAULT_RETENTION_POLICY_DAYS,
    allowedSandboxes: values.ALLOWED_SANDBOX_PROVIDERS,
    models: {
      allowedProviders: values.ALLOWED_PROVIDERS,
      ...models,
      allowsPrivateAddresses: values.ALLOW_PRIVATE_MODEL_ADDRESSES,
      silenceMsMax: values.MODEL_SILENCE_SECONDS * 1_000,
      keyHosts: values.MODEL_KEY_HOSTS,
      agents: {
        collectorEndpoint: values.AGENTS_COLLECTOR_ENDPOINT,
        assistantProjectName: values.AGENTS_ASSISTANT_PROJECT_NAME,
      },
    },
    log: {
      form: values.LOGGING_MODE === 'structured' ? 'json' : 'pretty',
      level: LOG_LEVELS[values.LOGGING_LEVEL],
    },
    oidcProviders,
    ldap: toLdapConfig(values),
  };
}

const LOG_LEVELS = { debug: 'debug', info: 'info', warning: 'warn', error: 'error', critical: 'fatal' } as const;
const GiB = 1024 ** 3;

function toCapacity(values: SettingValues): CapacityConfig {
  const gibibytes = values.DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES;
  return {
    capacityBytes: gibibytes === undefined ? undefined : gibibytes * GiB,
    warningPercent: values.DATABASE_USAGE_EMAIL_WARNING_THRESHOLD_PERCENTAGE,
    blockingPercent: values.DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE,
    supportEmail: values.SUPPORT_EMAIL,
  };
}

function toMail(values: SettingValues): MailConfig | undefined {
  const { SMTP_HOSTNAME: host, SMTP_USERNAME: username, SMTP_PASSWORD: password } = values;
  if (host === undefined || username === undefined || password === undefined) return undefined;
  return {
    ...{ host, port: values.SMTP_PORT, username, password },
    from: values.SMTP_MAIL_FROM ?? (username.includes('@') ? username : `noreply@${host}`),
    verifiesCertificate: values.SMTP_VALIDATE_CERTS,
    caFile: values.SMTP_CA_FILE,
  };
}

function toAccess(
  values: SettingValues,
  isTls: boolean,
  { hasProviders, hasDirectory }: { readonly hasProviders: boolean; readonly hasDirectory: boolean },
): AccessConfig {
  const minutes = (count: number) => Math.round(count * 60_000);
  return {
    enabled: values.ENABLE_AUTH,
    adminSecret: values.ADMIN_SECRET,
    allowsPasswords: !values.DISABLE_BASIC_AUTH,
    strongPasswords: values.ENABLE_STRONG_PASSWORD_POLICY,
    initialPassword: values.DEFAULT_ADMIN_INITIAL_PASSWORD,
    admins: values.ADMINS,
    adminAuthMethod: !values.DISABLE_BASIC_AUTH ? 'LOCAL' : hasDirectory && !hasProviders ? 'LDAP' : 'OAUTH2',
    provisionedAuthMethod: hasProviders ? 'OAUTH2' : hasDirectory ? 'LDAP' : 'LOCAL',
    scimManagesAllUsers: values.SCIM_MANAGES_ALL_USERS,
    accessTokenMs: minutes(values.ACCESS_TOKEN_EXPIRY_MINUTES),
    refreshTokenMs: minutes(values.REFRESH_TOKEN_EXPIRY_MINUTES),
    resetTokenMs: minutes(values.PASSWORD_RESET_TOKEN_EXPIRY_MINUTES),
    attemptCountMax: values.DISABLE_BRUTE_FORCE_LOGIN_PROTECTION
      ? undefined
      : values.BRUTE_FORCE_LOGIN_PROTECTION_MAX_ATTEMPTS,
    auditRetentionDays: values.AUDIT_RETENTION_DAYS,
    cookies: {
      isSecure: values.USE_SECURE_COOKIES ?? (isTls || (values.ROOT_URL?.startsWith('https:') ?? false)),
      path: values.COOKIES_PATH,
    },
    authorization:
      values.ENABLE_AUTH && values.ENABLE_OAUTH2_AUTHORIZATION_SERVER ? toAuthorization(values) : undefined,
  };
}

const toAuthorization = (values: SettingValues): AuthorizationConfig => ({
  grantMs: values.OAUTH2_GRANT_EXPIRY_DAYS * 86_400_000,
  registration: values.OAUTH2_DYNAMIC_CLIENT_REGISTRATION,
  registrationsPerHour: values.OAUTH2_DCR_RATE_LIMIT_PER_HOUR,
  allowedRedirectHosts: values.OAUTH2_ALLOWED_REDIRECT_HOSTS,
  checksOrigin: values.OAUTH2_CONSENT_ORIGIN_CHECK === 'strict',
});

const toEffective = (values: SettingValues, origins: Origins): EffectiveSetting[] =>
  SETTING_NAMES.map((name) => ({ name, shown: showValue(SETTINGS[name], values[name]), origin: origins[name] }));

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part);
  return Object.freeze(value);
}
