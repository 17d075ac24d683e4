import type { AuditActor, AuditEntry, AuditFields, NewAuditEntry } from '../../model/access/audit-entry.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { User } from '../../model/access/user.ts';
import type { Page } from '../../model/page.ts';
import type { LinkedIdentityRepository } from '../../metadata-store/access/linked-identities.ts';
import type { DatasetRepository } from '../../metadata-store/datasets/dataset-repository.ts';
import type { ExperimentRepository } from '../../metadata-store/experiments/experiment-repository.ts';
import type { PromptRepository } from '../../metadata-store/prompts/prompt-repository.ts';
import type { SandboxRepository } from '../../metadata-store/sandboxes/sandbox-repository.ts';
import type { SecretRepository } from '../../metadata-store/secrets/secret-repository.ts';
import type { OAuth2ClientRepository } from '../authorization/oauth2-client-repository.ts';
import type { AuthorizationCodeRepository, OAuth2GrantRepository } from '../authorization/oauth2-grant-repository.ts';
import type { GroupRepository } from '../groups/group-repository.ts';
import type { ProjectMemberRepository } from '../project-access/project-member-repository.ts';
import type { ProjectRepository } from '../projects/project-repository.ts';
import type { CustomProviderRepository } from '../providers/custom-provider-repository.ts';
import type { RetentionPolicyRepository } from '../retention/retention-policy-repository.ts';
import type { ApiKeyRepository, SessionRepository } from './credential-repository.ts';
import type { UserDirectory } from './user-directory.ts';
import type { UserRepository } from './user-repository.ts';

/** Repositories whose writes belong to one transaction, with the entry that records them. */
export interface AuditedRepositories {
  readonly users: UserRepository;
  readonly userDirectory: UserDirectory;
  readonly userSessions: SessionRepository;
  readonly linkedIdentities: LinkedIdentityRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly oauth2Clients: OAuth2ClientRepository;
  readonly authorizationCodes: AuthorizationCodeRepository;
  readonly oauth2Grants: OAuth2GrantRepository;
  readonly providers: CustomProviderRepository;
  readonly retention: RetentionPolicyRepository;
  readonly datasets: DatasetRepository;
  readonly prompts: PromptRepository;
  readonly experiments: ExperimentRepository;
  readonly secrets: SecretRepository;
  readonly sandboxes: SandboxRepository;
  readonly projects: ProjectRepository;
  readonly projectMembers: ProjectMemberRepository;
  readonly groups: GroupRepository;
}

export interface AuditFilter {
  readonly userRowId?: number;
  readonly action?: NewAuditEntry['action'];
  readonly outcome?: NewAuditEntry['outcome'];
  readonly from?: Date;
  readonly until?: Date;
  /** Part of the name of the user or target. Case is ignored. */
  readonly text?: string;
  /** Part of the name of the user. Case is ignored. */
  readonly username?: string;
  /** Part of the kind, id or name of the target. Case is ignored. */
  readonly target?: string;
}

/** Result of the check of the chain of hashes. */
export interface AuditCheck {
  /** Intact entries from the oldest one on. */
  readonly entryCount: number;
  /** Row id of the first entry that was changed or does not fit to the one before it. */
  readonly brokenAtRowId: number | undefined;
}

/** The audit log. */
export interface Audit {
  /** Runs a change and appends its entry in one transaction: either both are stored, or neither. */
  inTransaction<T>(
    actor: AuditActor,
    change: (
      repositories: AuditedRepositories,
    ) => Promise<{ readonly result: T; readonly entry: NewAuditEntry | undefined }>,
  ): Promise<T>;
  list(filter: AuditFilter, page: { readonly limit: number; readonly fromRowId?: number }): Promise<Page<AuditEntry>>;
  /** Computes every hash again. Callers at the same time share one run, because it reads the whole log. */
  verify(): Promise<AuditCheck>;
  /** Deletes old entries. */
  deleteBefore(before: Date): Promise<number>;
}

/** What operations need to record a change. */
export interface AuditParts {
  readonly audit: Audit;
  readonly caller: Caller;
  /** Address of the client. Null for work of the server itself. */
  readonly remoteAddress: string | null;
}

/** Runs a change with its entry, in the name of the caller. */
export const recorded = <T>(
  { audit, caller, remoteAddress }: AuditParts,
  change: (
    repositories: AuditedRepositories,
  ) => Promise<{ readonly result: T; readonly entry: NewAuditEntry | undefined }>,
): Promise<T> => audit.inTransaction(actorOf(caller, remoteAddress), change);

/** Records something that changes no table, such as a denied sign-in or a deletion that goes through the journal. */
export const record = (parts: AuditParts, entry: NewAuditEntry, actor?: AuditActor): Promise<void> =>
  parts.audit.inTransaction(actor ?? actorOf(parts.caller, parts.remoteAddress), async () => ({
    result: undefined,
    entry,
  }));

export function actorOf(caller: Caller, remoteAddress: string | null): AuditActor {
  if (caller.kind !== 'signedIn') return { userRowId: null, username: null, credential: 'none', remoteAddress };
  const { user, credential } = caller;
  return { userRowId: user.rowId, username: user.username, credential, remoteAddress };
}

/** Actor of a sign-in: the account that was named, which need not exist. */
export const signingIn = (
  { rowId, username }: { readonly rowId?: number; readonly username: string },
  remoteAddress: string | null,
): AuditActor => ({ userRowId: rowId ?? null, username, credential: 'password', remoteAddress });

/** Fields of an account in an entry. */
export const userFields = ({
  username,
  email,
  role,
  authMethod,
}: Pick<User, 'username' | 'email' | 'role' | 'authMethod'>): AuditFields => ({
  username,
  email,
  role,
  authMethod,
});
