import { SpandrelError } from '../../../model/errors.ts';
import {
  type CellPath,
  EXAMPLE_FIELDS,
  type ExampleExcerpt,
  type ExampleListing,
} from '../../../model/example-rows.ts';
import {
  EXAMPLE_CELL_COUNT_MAX,
  EXAMPLE_CELL_SOURCE_CHARS_MAX,
  EXAMPLE_EXCERPT_CHARS,
  EXAMPLE_KEY_SAMPLE_COUNT,
  EXAMPLE_SELECTION_COUNT_MAX,
  EXAMPLE_WINDOW_ROW_COUNT_MAX,
} from '../../../model/limits/examples.ts';
import type { Ports } from '../../ports.ts';
import { type ExampleKey, listKeys, parseStored, toExcerpt, valueAt } from './cell-path.ts';

type Datasets = Pick<Ports, 'datasets'>;

/** A row of a table of examples. */
export interface ExampleTableRow extends ExampleExcerpt {
  /** Beginning of the value at each requested path. Null if there is none, or if the field is too long to look it up. */
  readonly cells: readonly (string | null)[];
}

/** Part of a list of examples by index. Any part costs the same. @throws {SpandrelError} `QUERY_INVALID` */
export async function readExampleRows(
  { datasets }: Datasets,
  listing: ExampleListing,
  { offset, limit, cells }: { readonly offset: number; readonly limit: number; readonly cells: readonly CellPath[] },
): Promise<{ readonly count: number; readonly rows: readonly ExampleTableRow[] }> {
  checkCount('offset', offset, Number.MAX_SAFE_INTEGER);
  checkCount('limit', limit, EXAMPLE_WINDOW_ROW_COUNT_MAX);
  checkCount('cells', cells.length, EXAMPLE_CELL_COUNT_MAX);
  const { count, rowIds } = await datasets.readExampleWindow(listing, offset, limit);
  const chars = cells.length === 0 ? EXAMPLE_EXCERPT_CHARS : EXAMPLE_CELL_SOURCE_CHARS_MAX;
  const excerpts = await datasets.findExcerpts({ ...listing, rowIds, chars });
  return { count, rows: excerpts.map((excerpt) => toRow(excerpt, cells)) };
}

function toRow(excerpt: ExampleExcerpt, cells: readonly CellPath[]): ExampleTableRow {
  const contents = new Map(
    EXAMPLE_FIELDS.filter((name) => cells.some(({ field }) => field === name)).map((name) => [
      name,
      parseStored(excerpt[name], EXAMPLE_CELL_SOURCE_CHARS_MAX),
    ]),
  );
  return {
    ...excerpt,
    input: excerpt.input.slice(0, EXAMPLE_EXCERPT_CHARS),
    output: excerpt.output.slice(0, EXAMPLE_EXCERPT_CHARS),
    metadata: excerpt.metadata.slice(0, EXAMPLE_EXCERPT_CHARS),
    cells: cells.map(({ field, keys }) => {
      const content = contents.get(field);
      return content === undefined ? null : toExcerpt(valueAt(content, keys));
    }),
  };
}

/** Row ids of a list, to select all of them. @throws {SpandrelError} `QUERY_INVALID` */
export async function listExampleIds(
  { datasets }: Datasets,
  listing: ExampleListing,
  limit: number,
): Promise<{ readonly count: number; readonly rowIds: readonly number[] }> {
  checkCount('limit', limit, EXAMPLE_SELECTION_COUNT_MAX);
  return datasets.readExampleWindow(listing, 0, limit);
}

/** Paths of values in a sample of a version's examples, for columns of a table. */
export async function listExampleKeys(
  { datasets }: Datasets,
  listing: Pick<ExampleListing, 'datasetRowId' | 'versionRowId'>,
): Promise<ExampleKey[]> {
  const { rowIds } = await datasets.readExampleWindow(listing, 0, EXAMPLE_KEY_SAMPLE_COUNT);
  const excerpts = await datasets.findExcerpts({ ...listing, rowIds, chars: EXAMPLE_CELL_SOURCE_CHARS_MAX });
  const read = (text: string) => parseStored(text, EXAMPLE_CELL_SOURCE_CHARS_MAX) ?? null;
  return listKeys(
    excerpts.map(({ input, output, metadata }) => ({
      input: read(input),
      output: read(output),
      metadata: read(metadata),
    })),
  );
}

function checkCount(name: string, value: number, max: number): void {
  if (value >= 0 && value <= max) return;
  throw new SpandrelError('QUERY_INVALID', `${name} must be between 0 and ${max}, but received ${value}`);
}
