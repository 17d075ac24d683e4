import { type ColumnType, type RawBuilder, sql } from 'kysely';
import { type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { nestsWithin } from '../../base/json-depth.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';

/** A column that is written as text and read as the driver parses it: select `column::text`. */
export type Json = ColumnType<unknown, string, string>;
export type JsonWithDefault = ColumnType<unknown, string | undefined, string>;

/** Selects a json column as text: pg would read its numbers as doubles. `column` is a constant, `table.column`. */
export const jsonText = <Text extends string | null = string>(column: string): RawBuilder<Text> =>
  sql<Text>`${sql.ref(column)}::text`;

/** Reads the value of a json column whose numbers are doubles. */
export const readDoubles = <Value>(text: string): Value => JSON.parse(text);

/** Reads the value of a json column. Its numbers stay as written. */
export const readJson = <Value>(text: string): Value =>
  // Stored values were checked before they were written.
  parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX }) as unknown as Value;

/**
 * Text for a json column.
 *
 * @throws {SpandrelError} `QUERY_INVALID` when it is nested too deeply to be read again
 */
export function writeJson(value: object): string {
  if (!nestsWithin(value, BODY_JSON_DEPTH_MAX)) {
    throw new SpandrelError('QUERY_INVALID', `JSON must not be nested deeper than ${BODY_JSON_DEPTH_MAX} levels`);
  }
  return toExactJsonText(value as ExactJson);
}
