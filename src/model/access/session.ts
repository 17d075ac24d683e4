/** One sign-in of a person, from a browser or an application. */
export interface Session {
  readonly rowId: number;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** The latest time at which a new token can be issued without another sign-in. */
  readonly expiresAt: Date;
  readonly remoteAddress: string | null;
  readonly userAgent: string | null;
}
