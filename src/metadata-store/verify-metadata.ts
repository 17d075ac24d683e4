import { sql } from 'kysely';
import { expectPresent } from '../base/expect-present.ts';
import { DEFAULT_PROJECT_NAME } from '../model/projects/project.ts';
import { type Db, TABLE_NAMES } from './database/database.ts';
import { describeOlder, findCheckpoint, findOwner } from './database/installation.ts';
import { MIGRATION_NAMES, readMigrationState, tablesOf } from './database/migrate.ts';
import { greatestUsed, readSequences, type UsedRowIds } from './database/sequences.ts';
import { findMissingProjects } from './projects/projects.ts';

/** References to the metadata in the other stores of a data directory. */
export interface KnownElsewhere {
  /** Absent when the directory has no ID yet. */
  readonly installationId?: string | undefined;
  /** Row ids that the span store refers to. */
  readonly projectIds: readonly number[];
  readonly modelIds: readonly number[];
  /** Greatest row ids that the span store or the journal refers to. */
  readonly used: UsedRowIds;
  /** Upper limit of the row ids of spans. */
  readonly newestSpanRowId: number;
  readonly journalEndPosition: number;
}

export interface MetadataCheck {
  readonly facts: readonly string[];
  readonly problems: readonly string[];
}

/**
 * Reads every row of the metadata and compares its tables with each other and with the other stores. Changes nothing.
 */
export async function verifyMetadata(
  db: Db,
  schema: string | undefined,
  known: KnownElsewhere,
): Promise<MetadataCheck> {
  const facts: string[] = [];
  const problems: string[] = [];
  /** Reports a failed read as a problem, so that the other checks still run. */
  const look = async (what: string, work: () => Promise<readonly string[]>) => {
    const found = await work().catch((error: Error) => [`${what}: ${firstLine(error.message)}`]);
    problems.push(...found.filter((problem) => !problems.includes(problem)));
  };

  const state = await readMigrationState(db as never, schema).catch((error: Error) => error);
  if (state instanceof Error) return { facts, problems: [`its migrations: ${firstLine(state.message)}`] };
  const unknown = state.done.filter((name) => !MIGRATION_NAMES.includes(name));
  if (unknown.length > 0) return { facts, problems: [`its tables are newer than this program: ${unknown.join(', ')}`] };
  const pending = MIGRATION_NAMES.filter((name) => !state.done.includes(name));
  if (pending.length > 0) facts.push(`it lacks ${pending.length} migrations, which the next start runs`);

  const present = new Set(await tablesOf(db as never, state.schema));
  const tables = TABLE_NAMES.filter((name) => present.has(name));
  if (pending.length === 0) {
    for (const name of TABLE_NAMES) if (!present.has(name)) problems.push(`${name}: the table is missing`);
  }
  let rowCount = 0;
  for (const table of tables) {
    await look(table, async () => {
      rowCount += await readTable(db, table);
      return findSequencesBehind(db, table, known.used);
    });
  }
  facts.push(`${rowCount} rows in ${tables.length} tables`);
  for (const reference of await listReferences(db, tables)) {
    await look(reference.child, () => findBroken(db, reference));
  }
  if (!present.has('projects')) return { facts, problems };
  await look('projects', () => compareProjects(db, known));
  await look('models', () => compareModels(db, known.modelIds));
  await look('datasets', () => compareExamples(db, known.newestSpanRowId));
  await look('deleted projects', () => compareDeletions(db, known.journalEndPosition));
  if (pending.length === 0) await look('checkpoint', () => compareCheckpoint(db, known));
  if (present.has('installation')) await look('installation', () => compareOwner(db, known.installationId));
  return { facts, problems };
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';

/** Reads rows as text, so that values in TOAST storage are read too. */
async function readTable(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count, bit_xor(hashtextextended(t::text, 0))::text from ${sql.table(table)} t`.execute(db);
  return expectPresent(rows[0], 'an aggregate returns one row').count;
}

async function findSequencesBehind(db: Db, table: string, used: UsedRowIds): Promise<string[]> {
  return (await readSequences(db, [table])).flatMap((state) => {
    const greatest = greatestUsed(state, used);
    return greatest > state.given
      ? [`${table}: row ids up to ${greatest} are in use, but those after ${state.given} would be allocated again`]
      : [];
  });
}

/** References without a foreign key, which would slow down bulk writes: table, column, referenced table. */
const UNDECLARED_REFERENCES = [
  ['dataset_examples', 'dataset_id', 'datasets'],
  ['dataset_example_revisions', 'dataset_id', 'datasets'],
  ['dataset_example_revisions', 'dataset_example_id', 'dataset_examples'],
  ['dataset_split_examples', 'dataset_example_id', 'dataset_examples'],
  ['experiment_evaluations', 'experiment_run_id', 'experiment_runs'],
  ['experiment_run_annotations', 'experiment_run_id', 'experiment_runs'],
] as const;

interface Reference {
  readonly child: string;
  readonly parent: string;
  readonly columns: readonly string[];
  /** Columns of the parent, in the order of `columns`. */
  readonly targets: readonly string[];
}

async function listReferences(db: Db, tables: readonly string[]): Promise<Reference[]> {
  const { rows: declared } = await sql<Reference>`
    select c.relname as child, p.relname as parent,
      array(select attname::text from unnest(conkey) with ordinality k (n, i)
        join pg_attribute on attrelid = conrelid and attnum = n order by i) as columns,
      array(select attname::text from unnest(confkey) with ordinality k (n, i)
        join pg_attribute on attrelid = confrelid and attnum = n order by i) as targets
    from pg_constraint join pg_class c on c.oid = conrelid join pg_class p on p.oid = confrelid
    where contype = 'f' and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    order by child, parent
  `
    .execute(db)
    .catch(() => ({ rows: [] }));
  const undeclared = UNDECLARED_REFERENCES.map(
    ([child, column, parent]): Reference => ({ child, parent, columns: [column], targets: ['id'] }),
  );
  return [...declared, ...undeclared].filter(({ child, parent }) => tables.includes(child) && tables.includes(parent));
}

/** Counts rows without their parent row. Foreign keys prevent them only in an undamaged database. */
async function findBroken(db: Db, { child, parent, columns, targets }: Reference): Promise<string[]> {
  const isGiven = sql.join(
    columns.map((column) => sql`c.${sql.ref(column)} is not null`),
    sql` and `,
  );
  const isMatch = sql.join(
    columns.map(
      (column, index) =>
        sql`c.${sql.ref(column)} = p.${sql.ref(expectPresent(targets[index], 'a key has as many columns as its target'))}`,
    ),
    sql` and `,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(child)} c where ${isGiven}
      and not exists (select from ${sql.table(parent)} p where ${isMatch})`.execute(db);
  const { count } = expectPresent(rows[0], 'an aggregate returns one row');
  return count === 0 ? [] : [`${child}: ${count} rows refer to missing rows of ${parent} (${columns.join(', ')})`];
}

async function compareProjects(db: Db, { projectIds }: KnownElsewhere): Promise<string[]> {
  const missing = await findMissingProjects(db, projectIds);
  const byDefault = await db.selectFrom('projects').select('id').where('name', '=', DEFAULT_PROJECT_NAME).execute();
  return [
    ...(byDefault.length === 1 ? [] : [`projects: there is no project '${DEFAULT_PROJECT_NAME}'`]),
    ...(missing.length === 0
      ? []
      : [
          `projects: spans belong to ${listed(missing)}, which it does not contain; the next start shows them as recovered`,
        ]),
  ];
}

async function compareModels(db: Db, modelIds: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${modelIds}::bigint[]) as given (id)
    where not exists (select from generative_models where generative_models.id = given.id) order by id`.execute(db);
  if (rows.length === 0) return [];
  return [`generative_models: spans have prices of ${listed(rows.map(({ id }) => id))}, which it does not contain`];
}

async function compareExamples(db: Db, newestSpanRowId: number): Promise<string[]> {
  const { count } = await db
    .selectFrom('dataset_examples')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('span_row_id', '>', newestSpanRowId)
    .executeTakeFirstOrThrow();
  return count === 0
    ? []
    : [`dataset_examples: ${count} were created from spans that the span store does not contain yet`];
}

async function compareDeletions(db: Db, journalEndPosition: number): Promise<string[]> {
  const { count } = await db
    .selectFrom('deleted_projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('position', '>', journalEndPosition)
    .executeTakeFirstOrThrow();
  return count === 0 ? [] : [`deleted_projects: ${count} were deleted at positions after the end of the journal`];
}

async function compareOwner(db: Db, installationId: string | undefined): Promise<string[]> {
  const owner = await findOwner(db);
  if (owner === installationId || owner === undefined) return [];
  return [
    `it belongs to the data directory ${owner}, but this one ${installationId === undefined ? 'has no ID' : `is ${installationId}`}`,
  ];
}

async function compareCheckpoint(db: Db, { journalEndPosition }: KnownElsewhere): Promise<string[]> {
  const problem = describeOlder(journalEndPosition, (await findCheckpoint(db))?.position ?? 0);
  return problem === undefined ? [] : [problem];
}

const SHOWN_COUNT_MAX = 10;
const listed = (ids: readonly number[]): string =>
  `${ids.slice(0, SHOWN_COUNT_MAX).join(', ')}${ids.length > SHOWN_COUNT_MAX ? ` and ${ids.length - SHOWN_COUNT_MAX} more` : ''}`;
