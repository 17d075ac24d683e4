import assert from 'node:assert/strict';
import type { Client } from 'pg';
import { ERROR_CODE_HEADER, ERROR_KINDS, type ErrorCode } from '../../../src/model/errors.ts';

/** The writes of a noun that both APIs have, and those that one of them has alone. */
export interface NounTwins {
  readonly twins: readonly WriteTwin[];
  /** Operations and mutations without a twin, each with the reason. A write that is in neither list fails the test. */
  readonly alone: Readonly<Record<string, string>>;
}

/** A REST operation and the mutation that does the same. */
export interface WriteTwin {
  readonly operation: string;
  readonly mutation: string;
  readonly cases: readonly TwinCase[];
}

/** Global IDs and other values that a set-up made, by name. */
export type Made = Readonly<Record<string, string>>;

export interface TwinCase {
  readonly title: string;
  readonly setUp?: (world: World) => Promise<Made>;
  readonly rest: (made: Made) => RestCall;
  readonly graphql: (made: Made) => GraphqlCall;
  /** The code with which both APIs reject the call. Absent when both accept it. */
  readonly code?: ErrorCode;
  /** The contracts of the APIs differ: why, and the code of each, undefined when it accepts the call. */
  readonly differs?: { readonly why: string; readonly rest?: ErrorCode; readonly graphql?: ErrorCode };
  /** Reads what is stored in the span store, without values that differ from run to run. */
  readonly read?: (world: World, made: Made) => Promise<unknown>;
  /** Columns of the rows that must be stored, checked against all rows of the table. */
  readonly stores?: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

export interface RestCall {
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

export interface GraphqlCall {
  readonly query: string;
  readonly variables: object;
}

export type Outcome = Pick<TwinCase, 'code' | 'differs' | 'stores'>;

/** Cases that have a set-up and calls in common and differ in the fields of the input. */
export const over = <Fields extends object>(
  setUp: (world: World) => Promise<Made>,
  calls: {
    readonly rest: (made: Made, fields: Fields) => RestCall;
    readonly graphql: (made: Made, fields: Fields) => GraphqlCall;
  },
  cases: readonly (Outcome & { readonly title: string; readonly fields: Fields })[],
): TwinCase[] =>
  cases.map(({ fields, ...outcome }) => ({
    ...outcome,
    setUp,
    rest: (made) => calls.rest(made, fields),
    graphql: (made) => calls.graphql(made, fields),
  }));

/** Call of a mutation whose only argument is `input`. */
export const mutation = (name: string, inputType: string, fields: string, input: object): GraphqlCall => ({
  query: `mutation ($input: ${inputType}!) { ${name}(input: $input) { ${fields} } }`,
  variables: { input },
});

/** Row id that no row of a set-up has. */
export const UNKNOWN_ROW_ID = 999;

/** The server, and its metadata database on a connection of the test. */
export class World {
  readonly #url: string;
  readonly #client: Client;
  #emptyTables: Promise<string> | undefined;

  constructor(url: string, client: Client) {
    this.#url = url;
    this.#client = client;
  }

  /** Empties the tables of the nouns and lets row ids begin at 1 again, so that both APIs meet the same rows. */
  async reset(): Promise<void> {
    this.#emptyTables ??= emptyTables(this.#client);
    await this.#client.query(await this.#emptyTables);
  }

  async snapshot(): Promise<Snapshot> {
    const tables: Record<string, Record<string, unknown>[]> = {};
    for (const table of SNAPSHOT_TABLES) {
      const { rows } = await this.#client.query<{ row: Record<string, unknown> }>(
        `select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`,
      );
      tables[table] = rows.map(({ row }) => withoutVolatile(row));
    }
    return tables;
  }

  async rest({ method, path, body }: RestCall): Promise<Reply> {
    const response = await fetch(this.#url + path, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const code = response.headers.get(ERROR_CODE_HEADER) ?? undefined;
    assert.equal(response.ok, code === undefined, `${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
    return { code, text: text.slice(0, 500), data: text.startsWith('{') ? JSON.parse(text).data : undefined };
  }

  async graphql({ query, variables }: GraphqlCall): Promise<Reply> {
    const response = await fetch(`${this.#url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    const { data, errors } = JSON.parse(text);
    return { code: errors?.[0].extensions.code, text: text.slice(0, 500), data };
  }

  async get(path: string): Promise<unknown> {
    return (await fetch(this.#url + path)).json();
  }
}

type Snapshot = Readonly<Record<string, readonly Record<string, unknown>[]>>;

interface Reply {
  readonly code: string | undefined;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the call says what comes back
  readonly data: any;
}

/** Runs a case over each API, each on the same set-up, and compares the error codes and what is stored. */
export async function checkTwin(
  world: World,
  { setUp, rest, graphql, code, differs, read, stores }: TwinCase,
): Promise<void> {
  const run = async (call: (made: Made) => Promise<Reply>) => {
    await world.reset();
    const made = (await setUp?.(world)) ?? {};
    const reply = await call(made);
    return { reply, stored: { ...(await world.snapshot()), spanStore: await read?.(world, made) } };
  };
  const overRest = await run((made) => world.rest(rest(made)));
  const overGraphql = await run((made) => world.graphql(graphql(made)));

  const expected = differs ?? { rest: code, graphql: code };
  assertCode(overRest.reply, expected.rest, 'REST');
  assertCode(overGraphql.reply, expected.graphql, 'GraphQL');
  if (!differs) assert.deepEqual(overGraphql.stored, overRest.stored);
  for (const [table, rows] of Object.entries(stores ?? {})) {
    const found = (overRest.stored as Snapshot)[table]?.map((row) => pick(row, Object.keys(rows[0] ?? {})));
    assert.deepEqual(found, rows, table);
  }
}

/** The schema of a route rejects some input before the operation sees it, with one code for all of them. */
function assertCode({ code, text }: Reply, expected: ErrorCode | undefined, api: string): void {
  if (code === 'REQUEST_INVALID' && expected !== undefined) assert.equal(ERROR_KINDS[expected], 'invalid', text);
  else assert.equal(code, expected, `${api}: ${text}`);
}

/**
 * Statements that empty the root tables and all tables that refer to them. `truncate` would take 30 ms, because it replaces
 * every file of every table.
 */
async function emptyTables(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string; sequence: string | null }>(
    `with recursive emptied (id) as (
       select unnest($1::text[])::regclass::oid
       union
       select conrelid from pg_constraint join emptied on confrelid = id where contype = 'f'
     )
     select id::regclass::text as name, pg_get_serial_sequence(id::regclass::text, attname) as sequence
     from emptied left join pg_attribute on attrelid = id and attname = 'id'`,
    [ROOT_TABLES],
  );
  return [
    // Without triggers and checks of references, as in `truncate`.
    'begin; set local session_replication_role = replica',
    ...rows.map(({ name }) => `delete from ${name}`),
    'commit',
    // The default project stays: the span store knows it.
    'delete from projects where id > 1',
    ...rows.flatMap(({ sequence }) => (sequence === null ? [] : [`select setval('${sequence}', 1, false)`])),
    `select setval(pg_get_serial_sequence('projects', 'id'), 1)`,
  ].join(';\n');
}

/** Tables whose references no foreign key declares, and those to which the others refer: the rest is emptied with them. */
const ROOT_TABLES = [
  'annotation_configs',
  'datasets',
  'dataset_examples',
  'dataset_example_revisions',
  'dataset_splits',
  'dataset_labels',
  'experiments',
  'prompts',
  'prompt_labels',
  'secrets',
] as const;

const SNAPSHOT_TABLES = [
  'projects',
  'annotation_configs',
  'project_annotation_configs',
  'datasets',
  'dataset_versions',
  'dataset_examples',
  'dataset_example_revisions',
  'dataset_splits',
  'dataset_split_examples',
  'dataset_labels',
  'datasets_dataset_labels',
  'experiments',
  'experiment_examples',
  'experiment_splits',
  'experiment_tags',
  'experiment_runs',
  'experiment_evaluations',
  'prompts',
  'prompt_versions',
  'prompt_version_tags',
  'prompt_tag_moves',
  'prompt_labels',
  'prompts_prompt_labels',
  'secrets',
] as const;

/** Columns that differ from run to run; `value` is encrypted. */
const VOLATILE = new Set(['value', 'created_at', 'updated_at', 'project_name']);

const withoutVolatile = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) => (VOLATILE.has(name) ? [] : [[name, withoutRandom(value)]])),
  );

/** Names of projects of experiments and evaluators end with random bytes. */
const withoutRandom = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/^(Experiment|Evaluator)-[0-9a-f]{24}$/, '$1-…') : value;

const pick = (row: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, row[name]]));
