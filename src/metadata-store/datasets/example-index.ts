import { type RawBuilder, sql } from 'kysely';
import type { CellPath, ExampleListing } from '../../model/example-rows.ts';
import { DATASET_WORKER_COUNT } from '../../model/limits/datasets.ts';
import { EXAMPLE_INDEX_BYTES_MAX } from '../../model/limits/examples.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { allowLongStatements, findDatasetVersion } from './datasets.ts';
import { examplesAt, findExampleIds } from './example-queries.ts';

// Tables: dataset_versions, dataset_examples, dataset_example_revisions, dataset_split_examples.

/** Bytes of a row id in an index. */
const ROW_ID_BYTES = 8;
/** Time after which a change of splits by another server is seen. Contents at a version never change. */
const SPLITS_MS_MAX = 5_000;

/** Part of a list of examples. */
export interface ExampleWindow {
  /** Number of examples of the whole list. */
  readonly count: number;
  readonly rowIds: readonly number[];
}

export interface ExampleIndexReads {
  readExampleWindow(listing: ExampleListing, offset: number, limit: number): Promise<ExampleWindow>;
  /** Index of an example in a list. Undefined if it is not in the list. */
  findExampleOffset(listing: ExampleListing, exampleRowId: number): Promise<number | undefined>;
  /** Drops lists of splits after a change of their examples. */
  dropSplitLists(): void;
}

interface Entry {
  readonly ids: Promise<Buffer>;
  readonly readAt: number;
  readonly hasSplits: boolean;
  bytes: number;
}

/**
 * Lists of examples as row ids in memory, so that any window of a list costs the same. A list is read once, by one scan.
 * The first window of a whole version does not wait for it.
 */
export function openExampleIndex(db: Db): ExampleIndexReads {
  /** The least recently used entry is first. */
  const entries = new Map<string, Entry>();
  return {
    async readExampleWindow(listing, offset, limit) {
      if (offset === 0 && isWhole(listing)) {
        const version = await findDatasetVersion(db, listing.datasetRowId, listing.versionRowId);
        const found = await findExampleIds(db, { ...listing, afterRowId: 0, limit });
        const count = version?.exampleCount ?? 0;
        if (count > limit) find(listing).catch(() => {});
        return { count, rowIds: found.map(({ rowId }) => rowId) };
      }
      const ids = await find(listing);
      const count = ids.length / ROW_ID_BYTES;
      const length = Math.max(0, Math.min(limit, count - offset));
      return { count, rowIds: Array.from({ length }, (_, at) => rowIdAt(ids, offset + at)) };
    },
    async findExampleOffset(listing, exampleRowId) {
      const ids = await find(listing);
      const wanted = Buffer.alloc(ROW_ID_BYTES);
      wanted.writeBigInt64BE(BigInt(exampleRowId));
      for (let at = ids.indexOf(wanted); at >= 0; at = ids.indexOf(wanted, at + 1)) {
        if (at % ROW_ID_BYTES === 0) return at / ROW_ID_BYTES;
      }
      return undefined;
    },
    dropSplitLists() {
      for (const [key, { hasSplits }] of entries) if (hasSplits) entries.delete(key);
    },
  };

  function find(listing: ExampleListing): Promise<Buffer> {
    const key = JSON.stringify(listing);
    const known = entries.get(key);
    entries.delete(key);
    if (known && (!known.hasSplits || Date.now() - known.readAt < SPLITS_MS_MAX)) {
      entries.set(key, known);
      return known.ids;
    }
    const ids = readIds(db, listing);
    const entry: Entry = { ids, readAt: Date.now(), hasSplits: listing.splitRowIds !== undefined, bytes: 0 };
    entries.set(key, entry);
    ids.then(
      ({ length }) => {
        entry.bytes = length + key.length;
        evict();
      },
      () => {
        if (entries.get(key) === entry) entries.delete(key);
      },
    );
    return ids;
  }

  function evict(): void {
    let bytes = 0;
    for (const entry of entries.values()) bytes += entry.bytes;
    for (const [key, entry] of entries) {
      if (bytes <= EXAMPLE_INDEX_BYTES_MAX) return;
      bytes -= entry.bytes;
      entries.delete(key);
    }
  }
}

const isWhole = ({ splitRowIds, textContains, sort }: ExampleListing): boolean =>
  !splitRowIds && !textContains && !sort;

const rowIdAt = (ids: Buffer, index: number): number => Number(ids.readBigInt64BE(index * ROW_ID_BYTES));

const SORTS = {
  example: sql`r.dataset_id, r.dataset_example_id`,
  externalId: sql`(select e.external_id from dataset_examples e where e.id = r.dataset_example_id)`,
  updatedAt: sql`r.created_at`,
};

/** Row ids as big-endian integers of eight bytes: a million of them as rows would take a second to decode. */
function readIds(db: Db, listing: ExampleListing): Promise<Buffer> {
  return inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    await sql.raw(`set local max_parallel_workers_per_gather = ${DATASET_WORKER_COUNT}`).execute(tx);
    const { rows } = await sql<{ ids: Buffer | null }>`
      select string_agg(int8send(id), ''::bytea) as ids from (${sortedIds(listing)}) listed
    `.execute(tx);
    return rows[0]?.ids ?? Buffer.alloc(0);
  });
}

function sortedIds(listing: ExampleListing): RawBuilder<unknown> {
  const { by, isDescending } = listing.sort ?? { by: 'example', isDescending: false };
  const direction = isDescending ? sql`desc nulls last` : sql`asc nulls last`;
  if (typeof by === 'object') {
    // Without the offsets, Postgres merges the queries, and unpacks the value again wherever it is used.
    return sql`
      select id from (
        select id, json_typeof(value) as type, value #>> '{}' as text
        from (select r.dataset_example_id as id, ${valueAt(by)} as value ${examplesAt(listing)} offset 0) valued offset 0
      ) typed
      order by ${NUMBER} ${direction}, ${TEXT} ${direction}, id`;
  }
  const order =
    by === 'example'
      ? isDescending
        ? sql`r.dataset_id desc, r.dataset_example_id desc`
        : SORTS.example
      : sql`${SORTS[by]} ${direction}, r.dataset_example_id`;
  return sql`select r.dataset_example_id as id ${examplesAt(listing)} order by ${order}`;
}

/**
 * A text of Postgres has no character 0 and no half of a surrogate pair, so it cannot unpack a value with their escapes.
 * Such an example, and one that quotes such an escape, counts as one without a value.
 */
function valueAt({ field, keys }: CellPath): RawBuilder<unknown> {
  const column = sql`r.${sql.ref(field)}`;
  const path = keys.map(toPostgresText);
  const has = (text: string) => sql`position(${text} in ${column}::text) > 0`;
  const isClean = sql`not ${has('\\u')} or not (${has('\\u0000')} or ${has('\\ud')} or ${has('\\uD')})`;
  return sql`case when ${isClean} then ${column} #> ${path}::text[] end`;
}

/** Characters of a text that decide its order. */
const SORTED_CHARS = 200;
// A number with a huge exponent would overflow. It is sorted as a text.
const NUMBER = sql`case when type = 'number' and (
    octet_length(text) <= 100 and position('e' in text) = 0 and position('E' in text) = 0
    or text ~ '^-?\\d{1,100}([.]\\d{1,100})?([eE][-+]?\\d{1,3})?$'
  ) then text::numeric end`;
/** A value `null` has no text. */
const TEXT = sql`left(text, ${sql.lit(SORTED_CHARS)})`;
