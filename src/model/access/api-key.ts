/** What a key may do: everything that its owner may, reads only, or only sending spans. */
export const KEY_SCOPES = ['ALL', 'READ', 'SEND'] as const;
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
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}
