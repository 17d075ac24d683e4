import { useState } from 'react';

/** Rows of a table by index, of which only some may be loaded. */
export interface RowList<Row> {
  readonly count: number;
  /** Undefined while the row is not loaded. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Index of a loaded row. -1 for another. */
  readonly indexOf: (id: string) => number;
}

/** A list with a known number of rows. The table reports which of them it shows, and only these are loaded. */
export interface SparseRows<Row> extends RowList<Row> {
  /** `end` is the index after the last row. */
  readonly onWindow: (first: number, end: number) => void;
}

export const toRowList = <Row>(rows: readonly Row[], rowId: (row: Row) => string): RowList<Row> => ({
  count: rows.length,
  rowAt: (index) => rows[index],
  indexOf: (id) => rows.findIndex((row) => rowId(row) === id),
});

/** Row that keys act on. A row without an ID is not loaded. */
interface CurrentRow {
  readonly id: string | undefined;
  readonly index: number;
}

/** State of the current row of a table. It keeps its row when rows are added above. */
export function useCurrentRow<Row>(list: RowList<Row>, rowId: (row: Row) => string, startId: string | undefined) {
  const [current, setCurrent] = useState<CurrentRow>({ id: startId, index: -1 });
  return {
    id: current.id,
    /** -1 if there is none. */
    index: () => {
      const at = current.id === undefined ? -1 : list.indexOf(current.id);
      if (at >= 0) return at;
      return current.index < list.count && list.rowAt(current.index) === undefined ? current.index : -1;
    },
    isAt: (index: number, row: Row | undefined): boolean =>
      current.id !== undefined && row !== undefined ? rowId(row) === current.id : index === current.index,
    setId: (id: string) => setCurrent({ id, index: list.indexOf(id) }),
    setIndex: (index: number) => {
      const row = list.rowAt(index);
      setCurrent({ id: row && rowId(row), index });
    },
  };
}
