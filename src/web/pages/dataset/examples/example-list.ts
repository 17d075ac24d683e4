import type { SortState } from '../../../components/table/column.ts';
import { RequestFailure, send } from '../../../data/request.ts';
import type { RowBlock } from '../../../data/use-row-window.ts';
import { readPaths } from './example-paths.ts';
import { type ExampleRowsData, type ExampleRowsVariables, exampleRows } from './generated/examples.ts';

export type ExampleRow = Extract<
  ExampleRowsData['node'],
  { readonly __typename: 'Dataset' }
>['exampleRows']['rows'][number];

/** A list of examples, which is part of the address. */
export interface ExampleList {
  readonly versionId: string | null;
  readonly filter: string | null;
  readonly splitIds: readonly string[];
  readonly sort: SortState | undefined;
  /** Paths of the columns of values. */
  readonly paths: readonly (readonly string[])[];
}

const SORTS: readonly string[] = ['example', 'externalId', 'updatedAt'];

export function readList(search: URLSearchParams): ExampleList {
  const [col = '', dir] = (search.get('sort') ?? '').split(':');
  return {
    versionId: search.get('version'),
    filter: search.get('filter') || null,
    splitIds: (search.get('splits') ?? '').split(',').filter((id) => id !== ''),
    sort:
      SORTS.includes(col) || readPaths(col).length === 1 ? { col, dir: dir === 'desc' ? 'desc' : 'asc' } : undefined,
    paths: readPaths(search.get('columns')),
  };
}

/** The part of the variables that restricts and orders the list. */
export const toScope = ({ versionId, filter, splitIds, sort }: Omit<ExampleList, 'paths'>) => ({
  versionId,
  filter,
  splitIds: splitIds.length > 0 ? splitIds : null,
  sort: toSort(sort),
});

/** A column of values is sorted by its path. */
function toSort(sort: SortState | undefined): ExampleRowsVariables['sort'] | null {
  if (!sort) return null;
  const { col, dir } = sort;
  const [path] = SORTS.includes(col) ? [] : readPaths(col);
  return (path ? { path, dir } : { col, dir }) as ExampleRowsVariables['sort'];
}

export async function loadRows(
  datasetId: string,
  list: ExampleList,
  offset: number,
  limit: number,
  signal?: AbortSignal,
): Promise<RowBlock<ExampleRow>> {
  const { node } = await send(
    exampleRows,
    { id: datasetId, offset, limit, ...toScope(list), cells: list.paths },
    signal,
  );
  if (node.__typename !== 'Dataset') throw new RequestFailure('notFound', 'The dataset does not exist.');
  return node.exampleRows;
}
