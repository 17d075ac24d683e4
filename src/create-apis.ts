import { join } from 'node:path';
import type { Log } from './base/log.ts';
import { COMPATIBLE_VERSION, VERSION } from './base/version.ts';
import type { AuthorizationConfig, Config } from './config/config.ts';
import { type Caller, SIGN_IN_OFF } from './model/access/caller.ts';
import { describeReplay } from './model/spans/replay-progress.ts';
import { tableSizes } from './metadata-store/database/table-sizes.ts';
import type { DomainFor, ReplicaReads } from './domain/domain.ts';
import { permittedProjects } from './domain/project-access/project-access.ts';
import type { GrpcMethod } from './server/grpc/grpc-method.ts';
import type { PublicAddress } from './server/guards/base-url.ts';
import { createGate, type Gate } from './server/guards/gate.ts';
import { hostPolicyOf } from './server/guards/origin-policy.ts';
import { createRateLimiter } from './server/guards/rate-limit.ts';
import { isFromThisMachine } from './server/guards/trusted-proxies.ts';
import { healthRoutes, metricsRoute } from './server/health-routes.ts';
import { readWebFiles } from './server/pages/web-files.ts';
import type { HttpResponse, Route } from './server/route.ts';
import { otlpRoutes } from './api/otlp/trace-routes.ts';
import { traceServiceMethods } from './api/otlp/trace-service.ts';
import { authRoutes } from './api/auth/auth-routes.ts';
import type { AuthorizationOptions } from './api/auth/authorization-options.ts';
import { consentRoutes } from './api/auth/consent-routes.ts';
import { linkRoutes } from './api/auth/link-routes.ts';
import { metadataRoutes } from './api/auth/metadata-routes.ts';
import { oauth2Routes } from './api/auth/oauth2-routes.ts';
import { expiredSessionCookies } from './api/auth/session-cookies.ts';
import { tokenRoutes } from './api/auth/token-routes.ts';
import { scimRoutes } from './api/scim/scim-routes.ts';
import { type EventsOptions, openEvents } from './api/rest/events.ts';
import { restRoutes } from './api/rest/routes.ts';
import { type GraphqlOptions, openGraphql } from './api/graphql/routes.ts';
import { openMcp } from './api/mcp/mcp-routes.ts';
import type { Access } from './open-access.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './prepare-runtime.ts';

/** Routes and methods, and the gate in front of them. They listen nowhere yet. */
export interface Apis {
  /** Health and metrics for the metrics port. */
  readonly health: readonly Route[];
  readonly routes: readonly Route[];
  /** Page of the web interface, for every path without a route. */
  readonly page: HttpResponse;
  readonly grpcMethods: readonly GrpcMethod[];
  readonly gate: Gate;
  /** Ends the streams of events and subscriptions, which take any time. */
  close(): void;
}

/** The domain, and who may use it. */
export interface DomainParts {
  readonly domainFor: DomainFor;
  readonly replicaReads: ReplicaReads | undefined;
  readonly access: Pick<Access, 'authenticate' | 'providers' | 'directory' | 'ports'>;
}

export interface ApiOptions {
  /** Shorter times and smaller numbers, for tests. */
  readonly events?: Omit<EventsOptions, 'domainFor'>;
  readonly subscriptions?: GraphqlOptions['subscriptionLimits'];
  /** Compiled GraphQL documents, which tests share between the servers of a process. */
  readonly documents?: GraphqlOptions['documents'];
}

/** Third stage. */
export function createApis(
  { config, log, registry, measureProcess }: Runtime,
  stores: Stores,
  { domainFor, replicaReads, access }: DomainParts,
  options: ApiOptions = {},
): Apis {
  const { metadata, spanStore, ingest, storage } = stores;
  const isReadOnly = config.readOnly;
  const storageLock = () => storage.lock();
  const { authorization } = config.access;
  const rateLimiter = createRateLimiter({
    isEnabled: config.hasRateLimits,
    ...(authorization && { registrationsPerHour: authorization.registrationsPerHour }),
  });
  const findUnreadiness = async () => {
    const [isCaughtUp] = await Promise.all([ingest.isCaughtUp(), metadata.ping()]);
    return isCaughtUp ? undefined : describeReplay(ingest.replay());
  };
  const { signIn } = access.ports;
  const mayStoreIn = (caller: Caller) => signIn && permittedProjects(caller, signIn.projectDirectory);
  const health = healthRoutes({ compatibleVersion: COMPATIBLE_VERSION, findUnreadiness });
  const closing = new AbortController();
  const events = openEvents({ ...options.events, domainFor });
  const spanStoreBytes = async () => (await spanStore.stats()).diskBytes;
  // Beside this module, both compiled and bundled.
  const web = readWebFiles(new URL('../web/', import.meta.url), config.http.rootPath, {
    authenticationEnabled: access.authenticate !== undefined,
    basicAuthDisabled: !config.access.allowsPasswords,
    passwordResetEmailEnabled: access.ports.mailer !== undefined,
    ldapEnabled: config.ldap !== undefined,
    oAuth2Idps: config.oidcProviders.map(({ name, displayName, signsInAutomatically }) => ({
      name,
      displayName,
      autoLogin: signsInAutomatically,
    })),
  });
  const graphql = openGraphql({
    domainFor,
    replicaReads,
    log,
    isReadOnly,
    storageLock,
    subscriptionLimits: options.subscriptions ?? {},
    documents: options.documents,
    signOutCookies: expiredSessionCookies(config.access.cookies),
    consolePage: web.graphqlConsole,
    storage: {
      capacityBytes: config.capacity.capacityBytes,
      spanStoreBytes,
      tableSizes: async () => [
        { tableName: 'spans', numBytes: await spanStoreBytes() },
        ...(await tableSizes(metadata.db)),
      ],
    },
  });
  const rest = restRoutes({
    domainFor,
    replicaReads,
    version: VERSION,
    uploadDir: join(config.paths.dataDir, 'uploads'),
    closing: closing.signal,
  });
  const publicAddress = toPublicAddress(config);
  const gate = createGate({
    ...{ isReadOnly, storageLock, rateLimiter, authenticate: access.authenticate },
    authorizationAt: authorization && publicAddress,
  });
  const mcp =
    config.mcp && openMcp({ ...config.mcp, routes: [...rest, ...graphql.routes], gate, log, version: VERSION });
  const apiRoutes = [
    ...(access.authenticate === undefined ? [] : signInRoutes(config, domainFor, access, log)),
    ...otlpRoutes(ingest, mayStoreIn),
    ...rest,
    ...events.routes,
    ...scimRoutes({ domainFor, ...publicAddress }),
    ...graphql.routes,
    ...(mcp?.routes ?? []),
  ];
  return {
    health: [...health, metricsRoute(registry, () => true, measureProcess)],
    routes: [...health, metricsRoute(registry, isFromThisMachine, measureProcess), ...web.routes, ...apiRoutes],
    page: web.page,
    grpcMethods: traceServiceMethods(ingest, mayStoreIn),
    gate,
    close() {
      mcp?.close();
      events.close();
      graphql.close();
      closing.abort();
    },
  };
}

const toPublicAddress = (config: Config): PublicAddress => ({
  rootUrl: config.rootUrl,
  rootPath: config.http.rootPath,
  hosts: config.http.tls === undefined ? hostPolicyOf(config) : undefined,
});

/** Routes for people without a credential. They exist while sign-in is on. */
function signInRoutes(
  config: Config,
  domainFor: DomainFor,
  { providers, directory }: DomainParts['access'],
  log: Log,
): Route[] {
  const publicAddress = toPublicAddress(config);
  const { rootPath } = publicAddress;
  const { cookies, authorization } = config.access;
  const common = {
    signInFor: (remoteAddress: string) => domainFor(SIGN_IN_OFF, remoteAddress).signIn,
    usersFor: (caller: Caller, remoteAddress: string) => domainFor(caller, remoteAddress).users,
    cookies,
    rootPath,
  };
  const oauth2 = { ...common, ...publicAddress, providers, log };
  return [
    ...authRoutes({ ...common, directory }),
    ...oauth2Routes(oauth2),
    ...linkRoutes(oauth2),
    ...(authorization === undefined ? [] : appRoutes({ publicAddress, authorization, domainFor })),
  ];
}

/** Routes by which applications get access to accounts. */
function appRoutes({
  publicAddress,
  authorization: { registration, checksOrigin },
  domainFor,
}: {
  readonly publicAddress: PublicAddress;
  readonly authorization: AuthorizationConfig;
  readonly domainFor: DomainFor;
}): Route[] {
  const options: AuthorizationOptions = {
    ...publicAddress,
    ...{ checksOrigin, allowsRegistration: registration !== 'disabled' },
    authorizationFor: (remoteAddress, caller = SIGN_IN_OFF) => domainFor(caller, remoteAddress || null).authorization,
  };
  return [...metadataRoutes(options), ...consentRoutes(options), ...tokenRoutes(options)];
}
