/**
 * What a key may do: everything that its owner may, reads only, only sending spans, or, for a system key, only the
 * provisioning of users and groups over SCIM.
 */
export const KEY_SCOPES = ['ALL', 'READ', 'SEND', 'SCIM'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** A key without its text, which is shown once. */
export interface ApiKey {
  readonly rowId: number;
  readonly userRowId: number;
  readonly name: string;
  readonly description: string | null;
  /** Last four characters of the text. */
  readonly lastCharacters: string;
  readonly scope: KeyScope;
  /** Names of the only projects that the key reaches. Null for all of its owner. */
  readonly projects: readonly string[] | null;
  readonly createdAt: Date;
  /** Exact to the microsecond. */
  readonly expiresAtUnixNano: bigint | null;
  readonly lastUsedAt: Date | null;
}
