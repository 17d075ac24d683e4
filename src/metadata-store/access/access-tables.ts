import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { KeyScope } from '../../model/access/api-key.ts';
import type { AuditAction, AuditActor, AuditFields, AuditOutcome } from '../../model/access/audit-entry.ts';
import type { ProtectedResource } from '../../model/access/oauth2.ts';
import type { AuthMethod, Role } from '../../model/access/user.ts';

export interface UserTable {
  readonly id: GeneratedAlways<number>;
  readonly role: Role;
  readonly username: string;
  /** Lower case. Null only for users of a directory. */
  readonly email: string | null;
  readonly profile_picture_url: Generated<string | null>;
  readonly auth_method: AuthMethod;
  /** PHC text of argon2id for `LOCAL`, else null. */
  readonly password_hash: string | null;
  readonly password_needs_reset: Generated<boolean>;
  /** True while the password is the documented initial one. */
  readonly has_default_password: Generated<boolean>;
  readonly oidc_issuer: Generated<string | null>;
  readonly oauth2_client_id: Generated<string | null>;
  readonly oauth2_user_id: Generated<string | null>;
  readonly ldap_unique_id: Generated<string | null>;
  readonly scim_external_id: Generated<string | null>;
  readonly display_name: Generated<string | null>;
  readonly given_name: Generated<string | null>;
  readonly family_name: Generated<string | null>;
  readonly is_provisioned: Generated<boolean>;
  readonly is_active: Generated<boolean>;
  readonly user_groups: Generated<string[]>;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

/** A group that the identity provider has sent over SCIM. */
export interface ScimGroupTable {
  readonly id: GeneratedAlways<number>;
  readonly display_name: string;
  readonly scim_external_id: string | null;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

export interface ScimGroupMemberTable {
  readonly group_id: number;
  readonly user_id: number;
}

export interface UserIdentityTable {
  readonly id: GeneratedAlways<number>;
  readonly user_id: number;
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly created_at: Generated<Date>;
}

export interface SignInFailureTable {
  readonly account: string;
  readonly failure_count: number;
  readonly locked_until: Generated<Date | null>;
  readonly updated_at: Generated<Date>;
}

/** When a kind of mail was last sent to an address, for mails that must not be repeated soon. */
export interface SentMailTable {
  readonly kind: string;
  readonly recipient: string;
  readonly sent_at: Date;
}

/** One sign-in, with all tokens that followed from it. */
export interface SessionTable {
  readonly id: GeneratedAlways<number>;
  readonly user_id: number;
  readonly oauth2_grant_id: Generated<number | null>;
  readonly created_at: Generated<Date>;
  readonly last_used_at: Generated<Date>;
  readonly expires_at: Date;
  readonly remote_address: string | null;
  readonly user_agent: string | null;
}

/** An access or refresh token. `hash` is the SHA-256 of its text. */
export interface TokenTable {
  readonly id: Generated<number>;
  readonly session_id: number;
  readonly hash: Buffer;
  readonly created_at: Generated<Date>;
  readonly expires_at: Date;
  /** When a refresh token was exchanged. */
  readonly consumed_at: Generated<Date | null>;
}

export interface PasswordResetTokenTable {
  readonly id: Generated<number>;
  readonly user_id: number;
  readonly hash: Buffer;
  readonly created_at: Generated<Date>;
  readonly expires_at: Date;
}

export interface ApiKeyTable {
  readonly id: Generated<number>;
  readonly user_id: number;
  readonly hash: Buffer;
  readonly name: string;
  readonly description: string | null;
  readonly last_characters: string;
  readonly scope: Generated<KeyScope>;
  readonly projects: Generated<string[] | null>;
  readonly created_at: Generated<Date>;
  readonly expires_at: Date | null;
  readonly last_used_at: Generated<Date | null>;
}

export interface OAuth2ClientTable {
  readonly id: GeneratedAlways<number>;
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly is_first_party: Generated<boolean>;
  /** Address, or network, of the client that registered itself. */
  readonly registered_from: Generated<string | null>;
  readonly created_at: Generated<Date>;
}

export interface OAuth2GrantTable {
  readonly id: GeneratedAlways<number>;
  readonly user_id: number;
  readonly oauth2_client_id: number;
  readonly scopes: string[];
  readonly resource: ProtectedResource;
  readonly created_at: Generated<Date>;
  readonly expires_at: Date;
  readonly last_used_at: Generated<Date | null>;
  readonly revoked_at: Generated<Date | null>;
}

export interface OAuth2AuthorizationCodeTable {
  /** SHA-256 of the text. */
  readonly hash: Buffer;
  readonly user_id: number;
  readonly oauth2_client_id: number;
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly scopes: string[];
  readonly resource: ProtectedResource;
  readonly created_at: Generated<Date>;
  readonly expires_at: Date;
  /** Set when the code was exchanged. */
  readonly grant_id: Generated<number | null>;
}

/** Written by triggers. Servers read it to update their caches of credentials. */
export interface CredentialChangeTable {
  readonly id: GeneratedAlways<number>;
  readonly kind: 'user' | 'access' | 'key' | 'project';
  readonly row_id: number;
  /** An `xid8`, as text. */
  readonly transaction_id: Generated<string>;
  readonly changed_at: Generated<Date>;
}

export interface SecretTable {
  readonly key: string;
  readonly value: Buffer;
  readonly hosts: Generated<string[] | null>;
  readonly user_id: number | null;
  readonly updated_at: Generated<Date>;
}

export interface AuditLogTable {
  readonly id: number;
  readonly happened_at: Date;
  readonly user_id: number | null;
  readonly username: string | null;
  readonly credential: AuditActor['credential'];
  readonly remote_address: string | null;
  readonly action: AuditAction;
  readonly outcome: AuditOutcome;
  readonly target_kind: string | null;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly before: ColumnType<AuditFields | null, string | null, never>;
  readonly after: ColumnType<AuditFields | null, string | null, never>;
  readonly previous_hash: Buffer;
  readonly hash: Buffer;
}
