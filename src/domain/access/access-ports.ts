import type { AuthMethod } from '../../model/access/user.ts';
import type { LinkedIdentityRepository } from '../../metadata-store/access/linked-identities.ts';
import type { PasswordHasher } from '../../identity/password-hash.ts';
import type { AuthorizationPolicy } from '../authorization/authorization-policy.ts';
import type { OAuth2ClientRepository } from '../authorization/oauth2-client-repository.ts';
import type { AuthorizationCodeRepository, OAuth2GrantRepository } from '../authorization/oauth2-grant-repository.ts';
import type { GroupRepository } from '../groups/group-repository.ts';
import type { ProjectDirectory } from '../project-access/project-directory.ts';
import type { Audit } from './audit.ts';
import type { ApiKeyRepository, SessionRepository, SignInFailureRepository } from './credential-repository.ts';
import type { Credentials } from './credentials.ts';
import type { PasswordPolicy } from './password-rules.ts';
import type { AttemptQueue } from './sign-in/attempt-queue.ts';
import type { Tokens } from './tokens.ts';
import type { UserRepository } from './user-repository.ts';

/** Settings of sign-in. */
export interface AccessPolicy {
  readonly passwords: PasswordPolicy;
  /** False when people sign in at an identity provider or directory only. */
  readonly allowsPasswords: boolean;
  /** Whether people sign in at a directory. */
  readonly hasDirectory: boolean;
  /** Identity providers of the settings. */
  readonly identityProviders: readonly { readonly name: string; readonly clientId: string }[];
  /** Failed sign-ins of an account before its lock. Undefined: no lock. */
  readonly attemptCountMax: number | undefined;
  readonly accessTokenMs: number;
  readonly refreshTokenMs: number;
  readonly resetTokenMs: number;
  /** How accounts that SCIM creates sign in. */
  readonly provisionedAuthMethod: AuthMethod;
  /** Whether SCIM keys also change accounts that SCIM did not make, and make administrators. */
  readonly scimManagesAllUsers: boolean;
  /** Emails of administrators that the settings name. */
  readonly managementEmails: readonly string[];
}

/** Queues mails, which are sent later. A failure is logged. Undefined on a server without a mail server. */
export interface AccountMailer {
  /** Resolves when the mail server has the mail, or after the last attempt. */
  sendWelcome(mail: { readonly to: string; readonly username: string }): Promise<unknown>;
  sendPasswordReset(mail: { readonly to: string; readonly username: string; readonly token: string }): void;
  /** `from` is the address of the attempt that locked the account. */
  sendLockNotice(mail: {
    readonly to: string;
    readonly username: string;
    readonly from: string | null;
    readonly lockSeconds: number;
  }): void;
}

/** The part of sign-in that exists only while it is on. */
export interface SignInPorts {
  readonly tokens: Tokens;
  readonly credentials: Credentials;
  readonly projectDirectory: ProjectDirectory;
}

/** Stores and services that the operations of access need. */
export interface AccessPorts {
  readonly users: UserRepository;
  readonly groups: GroupRepository;
  readonly userSessions: SessionRepository;
  readonly linkedIdentities: LinkedIdentityRepository;
  readonly apiKeys: ApiKeyRepository;
  readonly oauth2Clients: OAuth2ClientRepository;
  readonly authorizationCodes: AuthorizationCodeRepository;
  readonly oauth2Grants: OAuth2GrantRepository;
  /** Undefined while applications get no access. */
  readonly authorization: AuthorizationPolicy | undefined;
  readonly signInFailures: SignInFailureRepository;
  readonly attemptQueue: AttemptQueue;
  readonly passwords: PasswordHasher;
  readonly accessPolicy: AccessPolicy;
  readonly mailer: AccountMailer | undefined;
  /** Reports a failure of work that goes on after its response. */
  readonly reportFailure: (error: unknown, message: string) => void;
  /** Undefined while sign-in is off. */
  readonly signIn: SignInPorts | undefined;
  readonly audit: Audit;
}
