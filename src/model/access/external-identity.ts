import type { AssignableRole } from './user.ts';

/** A person as an identity provider describes them. The signature, issuer, audience, nonce and times are verified. */
export interface OidcIdentity {
  readonly kind: 'oidc';
  /** Name of the provider in the settings. */
  readonly provider: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Unique at the issuer and never given to another person. */
  readonly subject: string;
  /** Lower case. */
  readonly email: string;
  /** True only if the provider marks the email as not verified. Many providers omit the claim. */
  readonly isEmailUnverified: boolean;
  readonly displayName: string | undefined;
  /** An https URL. */
  readonly pictureUrl: string | undefined;
  /** Empty when no path to the groups is set. */
  readonly groups: readonly string[];
  /** Undefined when no path to a role is set; then a new user is a viewer and a known one keeps the role. */
  readonly role: AssignableRole | undefined;
}

/** A person as the directory describes them, after a bind with the password. */
export interface LdapIdentity {
  readonly kind: 'ldap';
  readonly dn: string;
  /** Undefined when no attribute is set for it. A binary GUID has its usual text form in lower case. */
  readonly uniqueId: string | undefined;
  /** Lower case. Null when accounts have no email; then there is a `uniqueId`. */
  readonly email: string | null;
  readonly displayName: string | undefined;
  /** Distinguished names, as the directory writes them. */
  readonly groups: readonly string[];
  readonly role: AssignableRole;
}

export type ExternalIdentity = OidcIdentity | LdapIdentity;

/** Codes that the sign-in page receives in `?error=`. The page chooses the text. */
export type SignInErrorCode =
  | 'unknown_idp'
  | 'auth_failed'
  | 'invalid_state'
  | 'unsafe_return_url'
  | 'oauth_error'
  | 'no_oidc_support'
  | 'missing_email_scope'
  | 'email_in_use'
  | 'sign_in_not_allowed';

/** `reason` is for the log of the operator. It contains no secret and no token. */
export interface SignInFailure {
  readonly error: SignInErrorCode;
  readonly reason: string;
}
