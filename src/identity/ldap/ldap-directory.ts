import type { LdapIdentity } from '../../model/access/external-identity.ts';

/** A directory whose users sign in with a name and a password. Nothing throws. */
export interface LdapDirectory {
  readonly policy: LdapPolicy;
  /**
   * Verifies the password by a bind. A `denied` sign-in counts as a failure of the account; an `unavailable` one does not,
   * because the directory, not the person, is the cause.
   */
  signIn(username: string, password: string): Promise<LdapSignIn>;
}

export interface LdapPolicy {
  readonly allowsSignUp: boolean;
}

/** `reason` is for the log. Users see one text for all of `denied`, so that it does not reveal which names exist. */
export type LdapSignIn =
  | { readonly outcome: 'signedIn'; readonly identity: LdapIdentity }
  /** The password is right, and no mapping gives the user a role, or the entry has no email. Counts as no failure. */
  | { readonly outcome: 'notAllowed'; readonly reason: string }
  | { readonly outcome: 'denied'; readonly reason: string }
  | { readonly outcome: 'unavailable'; readonly reason: string };
