import type { Generated, GeneratedAlways, Kysely } from 'kysely';

/** The metadata tables as they are after every migration. A row id is a bigint in Postgres and stays below 2^53. */
export interface Database {
  readonly projects: ProjectTable;
}

export interface ProjectTable {
  readonly id: GeneratedAlways<number>;
  readonly name: string;
  readonly description: string | null;
  readonly gradient_start_color: Generated<string>;
  readonly gradient_end_color: Generated<string>;
  readonly created_at: Generated<Date>;
  readonly updated_at: Generated<Date>;
}

/** A pool or, inside a transaction, its one connection. */
export type Db = Kysely<Database>;

/** Every table, and each after those that it refers to: the order in which rows can be copied. */
export const TABLE_NAMES = ['projects'] as const satisfies readonly (keyof Database)[];
