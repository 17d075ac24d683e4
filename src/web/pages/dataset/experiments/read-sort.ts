import type { ExperimentListVariables } from './generated/experiments.ts';

type Sort = NonNullable<ExperimentListVariables['sort']>;

/** Order of the table, as its head states it. */
interface TableSort {
  readonly col: string;
  readonly dir: Sort['dir'];
}

/** Sort columns of the table: fields of the server, or `score.` with the name of an annotation. */
export function toApiSort(sort: TableSort | undefined): Sort | null {
  if (!sort) return null;
  const { col, dir } = sort;
  if (col.startsWith(SCORE)) return { col: { annotationName: col.slice(SCORE.length) }, dir };
  return { col: { field: col as SortField }, dir };
}

const SCORE = 'score.';
type SortField = NonNullable<Sort['col']['field']>;
const FIELDS: ReadonlySet<string> = new Set<SortField>([
  'createdAt',
  'name',
  'repetitions',
  'runCount',
  'errorRate',
  'averageRunLatencyMs',
]);

/** Reads `column:asc` of the address. Undefined for an unknown column, so that a wrong address shows the newest first. */
export function readSort(text: string | null): TableSort | undefined {
  const [, col, dir] = /^(.+):(asc|desc)$/s.exec(text ?? '') ?? [];
  if (col === undefined || !(FIELDS.has(col) || col.startsWith(SCORE))) return undefined;
  return { col, dir: dir as Sort['dir'] };
}
