/** An identity at a provider that a user has linked to an account, and by which the user can sign in. */
export interface LinkedIdentity {
  readonly rowId: number;
  readonly userRowId: number;
  /** Name of the provider in the settings, which may no longer have it. */
  readonly provider: string;
  readonly issuer: string;
  /** Email at the provider at the time of the link. The account keeps its own. */
  readonly email: string;
  readonly createdAt: Date;
}

/**
 * Codes that the profile page receives when a link fails, in addition to those of the sign-in page. `identity_in_use`: the
 * identity belongs to another account. `session_changed`: another session has begun the link.
 */
export type LinkErrorCode = 'identity_in_use' | 'session_changed' | 'too_many_identities';
