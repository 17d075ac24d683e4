import type { Db } from './database.ts';

/** Functions of a repository for callers without a transaction: their database is bound. */
export type BoundToDatabase<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (db: Db, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

export function bindToDatabase<const Functions extends Readonly<Record<string, (db: Db, ...rest: never[]) => unknown>>>(
  db: Db,
  functions: Functions,
): BoundToDatabase<Functions> {
  const bound = Object.entries(functions).map(([name, run]) => [name, (...rest: never[]) => run(db, ...rest)]);
  return Object.fromEntries(bound);
}
