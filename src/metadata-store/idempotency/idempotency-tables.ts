import type { Generated } from 'kysely';

/** A request that is made once. Times are those of the database. */
export interface IdempotencyKeyTable {
  /** Hash of the caller and the key. */
  readonly id: Buffer;
  readonly caller: string;
  readonly target_hash: Buffer;
  readonly body_hash: Buffer | null;
  readonly claim: string;
  readonly renewed_at: Generated<Date>;
  readonly created_at: Generated<Date>;
  readonly status: number | null;
  readonly headers: string | null;
  readonly body: Buffer | null;
  readonly byte_count: Generated<number>;
}
