import { type ColumnType, type RawBuilder, sql } from 'kysely';
import { type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { nestsWithin } from '../../base/json-depth.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits.ts';

/** A column that is written as text and read as the driver parses it: select `column::text`. */
export type Json = ColumnType<unknown, string, string>;
export type JsonWithDefault = ColumnType<unknown, string | undefined, string>;

/** A json column as its text: pg would read it with doubles for numbers. `column` is a name of ours, `table.column`. */
export const jsonText = <Text extends string | null = string>(column: string): RawBuilder<Text> =>
  sql<Text>`${sql.ref(column)}::text`;

/** Reads what a json column holds; its numbers are as they were written. */
export const readJson = <Value>(text: string): Value =>
  // What is stored was checked before it was written.
  parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX }) as unknown as Value;

/**
 * Text for a json column.
 *
 * @throws {SpandrelError} `QUERY_INVALID` when it nests too deeply to be read again
 */
export function writeJson(value: object): string {
  if (!nestsWithin(value, BODY_JSON_DEPTH_MAX)) {
    throw new SpandrelError('QUERY_INVALID', `JSON must not be nested deeper than ${BODY_JSON_DEPTH_MAX} levels`);
  }
  return toExactJsonText(value as ExactJson);
}
