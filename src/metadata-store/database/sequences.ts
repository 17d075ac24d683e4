import { sql } from 'kysely';
import { type Db, TABLE_NAMES } from './database.ts';

/** State of the sequence of a table's row ids. */
export interface SequenceState {
  readonly table: string;
  readonly column: string;
  /** Greatest row id in use. 0 when there is none. */
  readonly greatest: number;
  /** Greatest row id that the sequence has allocated, as far as it knows. 0 when there is none. */
  readonly given: number;
  /** Number of values after `given` that may have been allocated too, because Postgres logs several at a time. */
  readonly loggedAhead: number;
}

/** Greatest row ids in use outside of a table's own rows, by table name. The sequence continues above them. */
export type UsedRowIds = Partial<Record<(typeof TABLE_NAMES)[number], number>>;

/** Sequences of the tables that generate row ids. By default all tables. */
export async function readSequences(db: Db, tables: readonly string[] = TABLE_NAMES): Promise<SequenceState[]> {
  const { rows: columns } = await sql<{ table: string; column: string; sequence: string }>`
    select relname as table, attname as column, pg_get_serial_sequence(quote_ident(relname), attname) as sequence
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and relname = any(${tables}::text[]) and attidentity <> ''
  `.execute(db);
  if (columns.length === 0) return [];
  const states = columns.map(
    ({ table, column, sequence }) => sql`
      select ${table}::text as table, ${column}::text as column, log_cnt as "loggedAhead",
        case when is_called then last_value else last_value - 1 end as given,
        (select coalesce(max(${sql.ref(column)}), 0) from ${sql.table(table)}) as greatest
      from ${sql.raw(sequence)}`,
  );
  return (await sql<SequenceState>`${sql.join(states, sql` union all `)}`.execute(db)).rows;
}

/** Row id above which the table's sequence must continue. */
export const greatestUsed = ({ table, greatest }: SequenceState, used: UsedRowIds): number =>
  Math.max(greatest, used[table as keyof UsedRowIds] ?? 0);

/**
 * Advances each sequence that is behind a row id in use, so that no row id is allocated twice. Several servers may do
 * this at once.
 *
 * @returns the tables whose sequences were behind
 */
export async function raiseSequences(db: Db, used: UsedRowIds = {}): Promise<string[]> {
  const behind = (await readSequences(db)).filter((state) => greatestUsed(state, used) > state.given);
  const tables = behind.map(({ table }) => table);
  await setSequences(db, tables, (state) => greatestUsed(state, used));
  return tables;
}

/**
 * Writes every sequence to the log of Postgres again after the transaction that created it. With `wal_level = minimal`,
 * that transaction does not log the sequence, nor its next 32 values. With `skipLoggedAhead`, the sequence skips values
 * that may have been allocated and lost in this way before.
 */
export async function logSequences(db: Db, options: { readonly skipLoggedAhead: boolean }): Promise<void> {
  await setSequences(db, TABLE_NAMES, ({ given, loggedAhead, greatest }) =>
    Math.max(given > 0 && options.skipLoggedAhead ? given + loggedAhead : given, greatest),
  );
}

/** Sets the last allocated value unless the sequence has allocated a greater one. */
async function setSequences(
  db: Db,
  tables: readonly string[],
  lastValueOf: (state: SequenceState) => number,
): Promise<void> {
  if (tables.length === 0) return;
  await db.transaction().execute(async (transaction) => {
    // An insert locks the table before it allocates a row id, so none is allocated between the check and the change.
    const locked = tables.map((table) => sql.table(table));
    await sql`lock table ${sql.join(locked)} in share row exclusive mode`.execute(transaction);
    const changes = (await readSequences(transaction, tables)).flatMap((state) => {
      const value = Math.max(lastValueOf(state), state.given);
      return value === 0 ? [] : [sql`setval(pg_get_serial_sequence(${state.table}, ${state.column}), ${value})`];
    });
    if (changes.length > 0) await sql`select ${sql.join(changes)}`.execute(transaction);
  });
}
