import type { OAuth2Client } from '../../model/access/oauth2.ts';

export interface OAuth2ClientRepository {
  find(clientId: string): Promise<OAuth2Client | undefined>;
  findByRowId(rowId: number): Promise<OAuth2Client | undefined>;
  create(client: {
    readonly clientId: string;
    readonly name: string;
    readonly redirectUris: readonly string[];
    /** Address, or network, that counts for the limit of registrations. */
    readonly registeredFrom: string | null;
  }): Promise<OAuth2Client>;
  /** Creates an application of the product, or updates it. */
  ensureFirstParty(client: Pick<OAuth2Client, 'clientId' | 'name' | 'redirectUris'>): Promise<void>;
  /** Applications that no user has accepted yet: those that an address registered within a day, and all. */
  countUnused(registeredFrom: string | null): Promise<{ readonly fromAddress: number; readonly total: number }>;
  deleteUnused(before: Date): Promise<void>;
}
