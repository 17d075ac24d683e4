import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  /** Content of the header if it shows more than the label. */
  readonly head?: ReactNode;
  /** Initial width in pixels. */
  readonly width: number;
  /** Share of the remaining width. */
  readonly grow?: number;
  readonly isNumber?: boolean;
  /** Sort column of the server. */
  readonly sort?: string;
  readonly isHiddenAtFirst?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

export interface SortState {
  readonly col: string;
  readonly dir: 'asc' | 'desc';
}

/** The user's choice of columns in a table. */
export interface ColumnChoice {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
  /** Whether rows have the height of three lines. */
  readonly wraps?: boolean;
}

export const NO_CHOICE: ColumnChoice = { order: [], hidden: [], widths: {} };

export function isColumnChoice(value: unknown): value is ColumnChoice {
  if (typeof value !== 'object' || value === null) return false;
  const { order, hidden, widths } = value as Record<string, unknown>;
  return areTexts(order) && areTexts(hidden) && areNumbers(widths);
}

const areTexts = (value: unknown): boolean => Array.isArray(value) && value.every((item) => typeof item === 'string');
const areNumbers = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((item) => typeof item === 'number');

/**
 * Returns all columns in the chosen order. A column that the choice does not contain keeps its position among its
 * neighbours.
 */
export function orderColumns<Row>(columns: readonly Column<Row>[], { order }: ColumnChoice): readonly Column<Row>[] {
  const place = new Map(order.map((id, index) => [id, index]));
  let last = -1;
  const placed = columns.map((column) => {
    last = place.get(column.id) ?? last + 0.001;
    return { column, place: last };
  });
  return placed.sort((a, b) => a.place - b.place).map(({ column }) => column);
}

/** Moves a column before or after another. `ids` are all columns in order. */
export function moveColumn(choice: ColumnChoice, ids: readonly string[], id: string, to: number): ColumnChoice {
  const order = ids.filter((each) => each !== id);
  order.splice(Math.max(0, to), 0, id);
  return { ...choice, order };
}

/** Whether a column is visible. `hidden` lists the columns whose visibility differs from the default. */
export const isShown = <Row>(column: Column<Row>, { hidden }: ColumnChoice): boolean =>
  hidden.includes(column.id) === (column.isHiddenAtFirst ?? false);

export const WIDTH_MIN = 44;

/** Width in pixels that the user chose. A column may be named like an annotation, for example `constructor`. */
export const chosenWidth = ({ widths }: ColumnChoice, id: string): number | undefined =>
  Object.hasOwn(widths, id) ? widths[id] : undefined;

/** Minimum width in pixels. A narrower table scrolls horizontally. */
export const widthMin = <Row>(columns: readonly Column<Row>[], choice: ColumnChoice): number =>
  columns.reduce((sum, { id, width }) => sum + (chosenWidth(choice, id) ?? width), 0);

/** Value of `grid-template-columns`. Columns without a width share the remaining width. */
export function toTemplate<Row>(columns: readonly Column<Row>[], choice: ColumnChoice): string {
  return columns
    .map(({ id, width, grow }) => {
      const chosen = chosenWidth(choice, id);
      if (chosen !== undefined) return `${chosen}px`;
      return grow === undefined ? `${width}px` : `minmax(${width}px, ${grow}fr)`;
    })
    .join(' ');
}
