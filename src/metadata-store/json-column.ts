import { type RawBuilder, sql } from 'kysely';
import { type ExactJson, parseExactJson, toExactJsonText } from '../base/exact-json.ts';
import { BODY_JSON_DEPTH_MAX } from '../model/limits.ts';

/** A json column as its text: pg would read it with doubles for numbers. `column` is a name of ours, `table.column`. */
export const jsonText = <Text extends string | null = string>(column: string): RawBuilder<Text> =>
  sql<Text>`${sql.ref(column)}::text`;

/** Reads what a json column holds; its numbers are as they were written. */
export const readJson = <Value>(text: string): Value =>
  // What is stored was checked before it was written.
  parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX }) as unknown as Value;

export const writeJson = (value: object): string => toExactJsonText(value as ExactJson);
