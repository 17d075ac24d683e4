import { VECTOR_ROW_COUNT } from './chunk-writer.ts';
import type { Parameters } from './sql.ts';

/** Row ids that one statement names; more are taken in turns, so that a list stays a few hundred KB. */
const IDS_PER_STATEMENT = 16 * VECTOR_ROW_COUNT;

export function* inTurns<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += IDS_PER_STATEMENT) yield rows.slice(from, from + IDS_PER_STATEMENT);
}

/** The condition, with the range of the ids for the zone maps. `rowIds` is not empty. */
export function rowIdIn(parameters: Parameters, column: string, rowIds: readonly number[]): string {
  let least = rowIds[0]!;
  let greatest = least;
  for (const rowId of rowIds) {
    if (rowId < least) least = rowId;
    if (rowId > greatest) greatest = rowId;
  }
  return `${column} BETWEEN ${parameters.bigint(least)} AND ${parameters.bigint(greatest)}
    AND ${parameters.bigintIn(column, rowIds)}`;
}
