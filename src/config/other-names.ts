// Names that the server knows but does not read.

/** Settings of features that this version does not have. */
const NOT_USED_YET = new Set([
  ...['MANAGEMENT_URL', 'MASK_INTERNAL_SERVER_ERRORS', 'SPAN_STORE_URL'],
  ...['LOG_MIGRATIONS', 'DB_LOGGING_LEVEL', 'MIGRATE_INDEX_CONCURRENTLY'],
  ...['SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_HTTP_ENDPOINT'],
  ...['SERVER_INSTRUMENTATION_OTLP_TRACE_COLLECTOR_GRPC_ENDPOINT'],
  ...[
    'AGENTS_COLLECTOR_API_KEY',
    'AGENTS_FORCE_TRACING',
    'AGENTS_DISABLE_WEB_ACCESS',
    'AGENTS_DISABLE_BASH',
    'DISABLE_AGENT_ASSISTANT',
  ],
  ...['DANGEROUSLY_ENABLE_AGENTS', 'ALLOWED_SANDBOX_PROVIDERS', 'WASM_BINARY_PATH'],
]);

/** Settings of other servers with this API that this one deliberately omits. */
const LEFT_OUT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENABLE_WEBSOCKETS: 'WebSockets are always on',
    ENABLE_MCP_CODE_MODE: 'the MCP server runs no code of its clients',
    POSTGRES_AWS_IAM_TOKEN_LIFETIME_SECONDS: 'a token is created for each connection',
    FASTAPI_MIDDLEWARE_PATHS: 'the server does not load code that the environment names',
    GQL_EXTENSION_PATHS: 'the server does not load code that the environment names',
    GRPC_INTERCEPTOR_PATHS: 'the server does not load code that the environment names',
    TELEMETRY_ENABLED: 'the server sends no usage data to anyone',
    FULLSTORY_ORG: 'the server sends no usage data to anyone',
    SCARF_SH_PIXEL_ID: 'the server sends no usage data to anyone',
    ALLOW_EXTERNAL_RESOURCES: 'the pages load nothing from other hosts',
  }),
);

/** Variables of clients, which often run in the same environment. */
const READ_BY_CLIENTS = new Set([
  ...['API_KEY', 'CLIENT_HEADERS', 'COLLECTOR_ENDPOINT', 'ENDPOINT', 'BASE_URL'],
  ...['PROJECT', 'PROJECT_NAME', 'NOTEBOOK_ENV', 'DISCOVER_CONFIG'],
]);

/**
 * Variables that Kubernetes sets in every pod for each service, here for a service whose name starts with our prefix.
 */
const INJECTED_BY_KUBERNETES =
  /(^|_)PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$|(^|_)SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$/;

export type OtherName =
  | { readonly kind: 'notUsedYet' }
  | { readonly kind: 'leftOut'; readonly why: string }
  /** The variable needs no warning. */
  | { readonly kind: 'notOurs' }
  | { readonly kind: 'unknown' };

/** Classifies a name outside of the table of settings. `value` identifies variables that Kubernetes has set. */
export function classifyOtherName(name: string, value: string): OtherName {
  const why = LEFT_OUT.get(name);
  if (why !== undefined) return { kind: 'leftOut', why };
  if (NOT_USED_YET.has(name)) return { kind: 'notUsedYet' };
  if (READ_BY_CLIENTS.has(name)) return { kind: 'notOurs' };
  const isInjected = INJECTED_BY_KUBERNETES.test(name) || (/(^|_)PORT$/.test(name) && value.startsWith('tcp://'));
  return { kind: isInjected ? 'notOurs' : 'unknown' };
}

/** Names that a user may have meant, in addition to those of the table. */
export const OTHER_NAMES: readonly string[] = [...NOT_USED_YET];
