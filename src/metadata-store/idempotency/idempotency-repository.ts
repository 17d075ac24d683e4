import { sql } from 'kysely';
import { bindToDatabase } from '../database/bind-to-database.ts';
import type { Db } from '../database/database.ts';

// Table: idempotency_keys. Times are those of the database, which all servers share.

export interface NewClaim {
  /** Hash of the caller and the key. */
  readonly id: Buffer;
  readonly caller: string;
  readonly targetHash: Buffer;
  /** Null while a streamed body arrives. */
  readonly bodyHash: Buffer | null;
  /** ID of this request. */
  readonly claim: string;
  /** Older keys count as new. */
  readonly ageMsMax: number;
}

export interface StoredRequest {
  readonly targetHash: Buffer;
  readonly bodyHash: Buffer | null;
  readonly claim: string;
  /** No server has said for this time that the request is running. */
  readonly silentMs: number;
  /** Null until there is one. */
  readonly response: StoredResponse | null;
}

export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Null for one that was too large. */
  readonly body: Buffer | null;
}

/** Inserts the key, or takes over one that is too old. False when another request has it. */
async function insert(db: Db, { id, caller, targetHash, bodyHash, claim, ageMsMax }: NewClaim): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys (id, caller, target_hash, body_hash, claim)
    values (${id}, ${caller}, ${targetHash}, ${bodyHash}, ${claim}::uuid)
    on conflict (id) do update set
      target_hash = excluded.target_hash, body_hash = excluded.body_hash, claim = excluded.claim,
      renewed_at = excluded.renewed_at, created_at = excluded.created_at,
      status = null, headers = null, body = null, byte_count = 0
    where idempotency_keys.created_at <= now() - ${ageMsMax} * interval '1 millisecond'
    returning 1
  `.execute(db);
  return rows.length > 0;
}

async function find(db: Db, id: Buffer): Promise<StoredRequest | undefined> {
  const { rows } = await sql<{
    targetHash: Buffer;
    bodyHash: Buffer | null;
    claim: string;
    silentMs: number;
    status: number | null;
    headers: Record<string, string> | null;
    body: Buffer | null;
  }>`
    select target_hash as "targetHash", body_hash as "bodyHash", claim,
      (extract(epoch from now() - renewed_at) * 1000)::float8 as "silentMs", status, headers, body
    from idempotency_keys where id = ${id}
  `.execute(db);
  const row = rows[0];
  if (row === undefined) return undefined;
  const { status, headers, body, ...request } = row;
  return { ...request, response: status === null ? null : { status, headers: headers ?? {}, body } };
}

/** Claims a request that another server has lost. False when a third one was faster. */
async function takeOver(
  db: Db,
  { id, lost, claim, bodyHash }: Pick<NewClaim, 'id' | 'claim' | 'bodyHash'> & { readonly lost: string },
): Promise<boolean> {
  const { rows } = await sql`
    update idempotency_keys set claim = ${claim}::uuid, renewed_at = now(), body_hash = ${bodyHash}
    where id = ${id} and claim = ${lost}::uuid and status is null
    returning 1
  `.execute(db);
  return rows.length > 0;
}

/** Says that the requests are running. */
async function renew(db: Db, claims: readonly string[]): Promise<void> {
  await sql`
    update idempotency_keys set renewed_at = now() where claim = any(${[...claims]}::uuid[]) and status is null
  `.execute(db);
}

/** Stores the response, unless another request has taken the key over. */
async function record(
  db: Db,
  id: Buffer,
  claim: string,
  { bodyHash, response }: { readonly bodyHash: Buffer; readonly response: StoredResponse },
): Promise<void> {
  await sql`
    update idempotency_keys set
      body_hash = ${bodyHash}, status = ${response.status}, headers = ${JSON.stringify(response.headers)}::json,
      body = ${response.body}, byte_count = ${response.body?.byteLength ?? 0}
    where id = ${id} and claim = ${claim}::uuid
  `.execute(db);
}

/** Deletes the key, so that the next request with it is the first one. */
async function release(db: Db, id: Buffer, claim: string): Promise<void> {
  await sql`delete from idempotency_keys where id = ${id} and claim = ${claim}::uuid and status is null`.execute(db);
}

export interface EvictionLimits {
  readonly ageMsMax: number;
  readonly countOfCallerMax: number;
  readonly countMax: number;
  readonly bytesMax: number;
}

/** Deletes old keys, and the oldest ones above the other limits. Requests that have no response yet stay until they are old. */
async function evict(db: Db, { ageMsMax, countOfCallerMax, countMax, bytesMax }: EvictionLimits): Promise<void> {
  await sql`
    delete from idempotency_keys where id in (
      select id from (
        select id, status, created_at,
          row_number() over (partition by caller order by created_at desc, id) as position_of_caller,
          row_number() over (order by created_at desc, id) as position,
          sum(byte_count) over (order by created_at desc, id) as bytes
        from idempotency_keys
      ) counted
      where created_at <= now() - ${ageMsMax} * interval '1 millisecond'
        or (status is not null
          and (position_of_caller > ${countOfCallerMax} or position > ${countMax} or bytes > ${bytesMax}))
    )
  `.execute(db);
}

export const idempotencyRepository = (db: Db) =>
  bindToDatabase(db, { insert, find, takeOver, renew, record, release, evict });

export type IdempotencyRepository = ReturnType<typeof idempotencyRepository>;
