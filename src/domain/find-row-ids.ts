import type { RowRef } from '../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../span-store/contract/read-options.ts';
import { type RowReader, toRowIds } from '../span-store/contract/rows.ts';

type Kind = 'spans' | 'traces' | 'sessions';

/** Row ids in the order of the references, undefined where no row is stored. An ID of several spans names the newest. */
export async function findRowIds(
  spans: RowReader,
  of: Kind,
  refs: readonly RowRef[],
  options?: ReadOptions,
): Promise<(number | undefined)[]> {
  const rowIds = refs.flatMap((ref) => ('rowId' in ref ? ref.rowId : []));
  const ids = refs.flatMap((ref) => ('id' in ref ? ref.id : []));
  const [stored, byId] = await Promise.all([
    rowIds.length > 0 ? spans.get({ of, column: 'projects', rowIds }, options) : new Map<number, unknown>(),
    ids.length > 0 ? spans.findByIds({ of, ids }, options).then(toRowIds) : new Map<string, number>(),
  ]);
  return refs.map((ref) => ('id' in ref ? byId.get(ref.id) : stored.has(ref.rowId) ? ref.rowId : undefined));
}

/** Row id of a stored row. */
export const findRowId = async (
  spans: RowReader,
  of: Kind,
  ref: RowRef,
  options?: ReadOptions,
): Promise<number | undefined> => (await findRowIds(spans, of, [ref], options))[0];
