import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSerialQueue } from './base/serial-queue.ts';
import { COMMAND_LINE_CLIENT } from './model/access/oauth2.ts';
import { SpandrelError } from './model/errors.ts';
import {
  AUDITED_CHANGE_COUNT_MAX,
  PASSWORD_HASH_COUNT_MAX,
  PASSWORD_HASH_QUEUE_LENGTH_MAX,
  PASSWORD_HASH_REST_SHARE,
  SMALL_MACHINE_CORES,
} from './model/limits/access.ts';
import { apiKeyRepository } from './metadata-store/access/api-keys.ts';
import { appendAuditEntry, auditRepository, lockAuditLog } from './metadata-store/access/audit-log.ts';
import { credentialRepository } from './metadata-store/access/credentials.ts';
import { groupRepository } from './metadata-store/access/groups.ts';
import { userDirectory } from './metadata-store/access/identities.ts';
import { linkedIdentityRepository } from './metadata-store/access/linked-identities.ts';
import { oauth2ClientRepository } from './metadata-store/access/oauth2-clients.ts';
import { authorizationCodeRepository } from './metadata-store/access/oauth2-codes.ts';
import { oauth2GrantRepository } from './metadata-store/access/oauth2-grants.ts';
import { sessionRepository } from './metadata-store/access/sessions.ts';
import { signInFailureRepository } from './metadata-store/access/sign-in-failures.ts';
import { userRepository } from './metadata-store/access/users.ts';
import type { Db } from './metadata-store/database/database.ts';
import { inTransaction } from './metadata-store/database/in-transaction.ts';
import { datasetRepository } from './metadata-store/datasets/dataset-repository.ts';
import { experimentRepository } from './metadata-store/experiments/experiment-repository.ts';
import { customProviderRepository } from './metadata-store/models/custom-providers.ts';
import { projectMemberRepository } from './metadata-store/projects/project-members.ts';
import { projectRepository } from './metadata-store/projects/project-repository.ts';
import { retentionPolicyRepository } from './metadata-store/projects/retention-policies.ts';
import { promptRepository } from './metadata-store/prompts/prompt-repository.ts';
import { sandboxRepository } from './metadata-store/sandboxes/sandbox-repository.ts';
import { secretRepository } from './metadata-store/secrets/secret-repository.ts';
import type { LdapDirectory } from './identity/ldap/ldap-directory.ts';
import { openLdapDirectory } from './identity/ldap/open-ldap-directory.ts';
import type { IdentityProvider } from './identity/oidc/identity-provider.ts';
import { openIdentityProviders } from './identity/oidc/open-identity-provider.ts';
import { createPasswordHasher } from './identity/password-hash.ts';
import type { Mailer } from './mail/mailer.ts';
import type { AccessPorts, SignInPorts } from './domain/access/access-ports.ts';
import type { Audit, AuditCheck } from './domain/access/audit.ts';
import { createAuthenticate } from './domain/access/authenticate.ts';
import { createFirstUsers } from './domain/access/create-first-users.ts';
import { openCredentials } from './domain/access/credentials.ts';
import { createAttemptQueue } from './domain/access/sign-in/attempt-queue.ts';
import { createTokens } from './domain/access/tokens.ts';
import { ProjectDirectory } from './domain/project-access/project-directory.ts';
import { openCredentialSync } from './jobs/credential-sync.ts';
import type { Authenticate } from './server/guards/gate.ts';
import { openParts } from './open-parts.ts';
import type { Stores } from './open-stores.ts';
import type { Runtime } from './prepare-runtime.ts';

export interface Access {
  readonly ports: AccessPorts;
  /** Undefined while sign-in is off. */
  readonly authenticate: Authenticate | undefined;
  readonly providers: ReadonlyMap<string, IdentityProvider>;
  readonly directory: LdapDirectory | undefined;
  close(): Promise<void>;
}

/** Creates the first users and, with sign-in, fills the cache of credentials and follows their changes. */
export const openAccess = (
  runtime: Runtime,
  { metadata, mailer }: Pick<Stores, 'metadata' | 'mailer'>,
): Promise<Access> =>
  openParts(async (keep) => {
    const { config } = runtime;
    const ports = createAccessPorts(runtime, metadata.db, mailer);
    if (!config.readOnly) await createFirstUsers(ports, config.access);
    if (!config.readOnly && config.access.authorization)
      await ports.oauth2Clients.ensureFirstParty(COMMAND_LINE_CLIENT);
    const none = { authenticate: undefined, providers: new Map<string, IdentityProvider>(), directory: undefined };
    if (!config.access.enabled || config.secret === undefined) return { ports, ...none };
    const log = runtime.log.child({ part: 'access' });
    const repository = credentialRepository(metadata.db);
    const projectDirectory = new ProjectDirectory(projectMemberRepository(metadata.db));
    const credentials = await openCredentials({ repository, projects: projectDirectory, log });
    const tokens = createTokens(config.secret, config.formerSecrets);
    const signIn: SignInPorts = { tokens, credentials, projectDirectory };
    keep(openCredentialSync({ credentials, repository, listen: metadata.listen, isReadOnly: config.readOnly, log }));
    const authenticate = createAuthenticate({
      ...signIn,
      adminSecret: config.access.adminSecret,
      systemUser: await ports.users.findSystemUser(),
    });
    const providers = openIdentityProviders(config.oidcProviders, { log });
    const directory = config.ldap && openLdapDirectory(config.ldap);
    return { ports: { ...ports, signIn }, authenticate, providers, directory };
  });

/** Binds the repositories of a change and the audit log to one transaction. */
function createAudit(db: Db): Audit {
  const { verify, ...repository } = auditRepository(db);
  let verification: Promise<AuditCheck> | undefined;
  // The log is locked by one transaction at a time. Those that wait for it must not hold the connections of reads.
  const changes = createSerialQueue(
    AUDITED_CHANGE_COUNT_MAX,
    () => new SpandrelError('STORE_UNAVAILABLE', 'Too many changes at once; try again'),
  );
  return {
    inTransaction: (actor, change) =>
      changes.run(() =>
        inTransaction(db, async (transaction) => {
          await lockAuditLog(transaction);
          const { result, entry } = await change({
            users: userRepository(transaction),
            userDirectory: userDirectory(transaction),
            userSessions: sessionRepository(transaction),
            linkedIdentities: linkedIdentityRepository(transaction),
            apiKeys: apiKeyRepository(transaction),
            oauth2Clients: oauth2ClientRepository(transaction),
            authorizationCodes: authorizationCodeRepository(transaction),
            oauth2Grants: oauth2GrantRepository(transaction),
            providers: customProviderRepository(transaction),
            retention: retentionPolicyRepository(transaction),
            datasets: datasetRepository(transaction),
            prompts: promptRepository(transaction),
            experiments: experimentRepository(transaction),
            secrets: secretRepository(transaction),
            sandboxes: sandboxRepository(transaction),
            projects: projectRepository(transaction),
            projectMembers: projectMemberRepository(transaction),
            groups: groupRepository(transaction),
          });
          if (entry) await appendAuditEntry(transaction, entry, actor);
          return result;
        }),
      ),
    ...repository,
    verify() {
      verification ??= verify().finally(() => {
        verification = undefined;
      });
      return verification;
    },
  };
}

/** Repositories and services of access, without sign-in. */
export function createAccessPorts(
  { config: { access, ldap, oidcProviders }, log }: Pick<Runtime, 'config' | 'log'>,
  db: Db,
  mailer?: Mailer,
): AccessPorts {
  return {
    users: userRepository(db),
    groups: groupRepository(db),
    userSessions: sessionRepository(db),
    linkedIdentities: linkedIdentityRepository(db),
    apiKeys: apiKeyRepository(db),
    oauth2Clients: oauth2ClientRepository(db),
    authorizationCodes: authorizationCodeRepository(db),
    oauth2Grants: oauth2GrantRepository(db),
    authorization: access.authorization,
    signInFailures: signInFailureRepository(db),
    attemptQueue: createAttemptQueue(),
    passwords: createPasswordHasher({
      // A core stays free for requests: with two hashes on two cores, reads during a rush of sign-ins wait three
      // times as long as with one, for 15 % more sign-ins a second.
      countMax: Math.max(1, Math.min(PASSWORD_HASH_COUNT_MAX, availableParallelism() - 1)),
      // In a rush, other requests get as much of a small machine as passwords do.
      ...(availableParallelism() <= SMALL_MACHINE_CORES && {
        rest: (hashMs) => sleep(hashMs * PASSWORD_HASH_REST_SHARE),
      }),
      queueLengthMax: PASSWORD_HASH_QUEUE_LENGTH_MAX,
      onFull: () => new SpandrelError('SIGN_IN_UNAVAILABLE', 'Too many people sign in at once; try again'),
    }),
    accessPolicy: {
      passwords: { isStrong: access.strongPasswords },
      allowsPasswords: access.allowsPasswords,
      hasDirectory: ldap !== undefined,
      identityProviders: oidcProviders.map(({ name, clientId }) => ({ name, clientId })),
      attemptCountMax: access.attemptCountMax,
      accessTokenMs: access.accessTokenMs,
      refreshTokenMs: access.refreshTokenMs,
      resetTokenMs: access.resetTokenMs,
      provisionedAuthMethod: access.provisionedAuthMethod,
      scimManagesAllUsers: access.scimManagesAllUsers,
      managementEmails: access.admins.map(({ email }) => email),
    },
    mailer,
    reportFailure: (error, message) => log.error({ err: error }, message),
    signIn: undefined,
    audit: createAudit(db),
  };
}
