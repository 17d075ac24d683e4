export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page. Undefined on the last page. */
  readonly next: string | undefined;
}

/** Pages of a list that are loaded so far. */
export interface RowList<Row> extends RowPage<Row> {
  /** Number of rows on top that the user has not seen. `many`: more than one page, which are not loaded. */
  readonly newCount: number | 'many';
}

type RowId<Row> = (row: Row) => string;

/** Rows that a list keeps while the user stays at its top, so that it does not grow for hours. */
const UNREAD_COUNT_MAX = 600;

/**
 * Merges a new first page into a list. The rows after the last row of the page stay. If the list does not contain that
 * row, its rows are outdated and are dropped, unless the user reads them (`isHeld`): then the list stays as it is.
 */
export function mergeFirstPage<Row>(
  page: RowPage<Row>,
  before: RowList<Row>,
  rowId: RowId<Row>,
  isHeld: boolean,
): RowList<Row> {
  const { rows, next, newCount } = before;
  const known = new Map(rows.map((row, index) => [rowId(row), index]));
  const last = page.rows.at(-1);
  const meets = last === undefined ? undefined : known.get(rowId(last));
  if (isHeld && meets === undefined && rows.length > 0) {
    return newCount === 'many' ? before : { ...before, newCount: 'many' };
  }
  const added = page.rows.filter((row) => !known.has(rowId(row))).length;
  const first = keepIdentities(rows, page.rows, rowId);
  const count = !isHeld ? 0 : newCount === 'many' ? newCount : newCount + added;
  const isOver = meets === undefined || rows.length <= meets + 1 || (!isHeld && rows.length > UNREAD_COUNT_MAX);
  if (isOver) return { rows: first, next: page.next, newCount: count };
  return { rows: [...first, ...rows.slice(meets + 1)], next, newCount: count };
}

/** Appends the page after a cursor, unless the list ends at another cursor by now. */
export function appendPage<Row>(
  page: RowPage<Row>,
  before: RowList<Row>,
  after: string | undefined,
  rowId: RowId<Row>,
): RowList<Row> {
  if (before.next !== after) return before;
  const known = new Set(before.rows.map(rowId));
  const added = page.rows.filter((row) => !known.has(rowId(row)));
  return { ...before, rows: [...before.rows, ...added], next: page.next };
}

/** Replaces all rows of a list. */
export const replaceRows = <Row>(
  before: RowList<Row>,
  { rows, next }: RowPage<Row>,
  rowId: RowId<Row>,
): RowList<Row> => ({
  ...before,
  rows: keepIdentities(before.rows, rows, rowId),
  next,
});

/** An equal row keeps its object identity, so that it is not rendered again. */
function keepIdentities<Row>(before: readonly Row[], rows: readonly Row[], rowId: RowId<Row>): readonly Row[] {
  const known = new Map(before.map((row) => [rowId(row), row]));
  return rows.map((row) => {
    const same = known.get(rowId(row));
    return same !== undefined && JSON.stringify(same) === JSON.stringify(row) ? same : row;
  });
}
