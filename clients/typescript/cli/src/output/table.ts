import { toLine } from './text.ts';

/** A column of a list that people read. */
export interface Column<Item> {
  readonly title: string;
  readonly isRight?: boolean;
  readonly text: (item: Item) => string | number | null | undefined;
}

/** Puts text in bold on a terminal. */
interface Painter {
  paint(color: 'bold', text: string): string;
}

const CELL_LENGTH_MAX = 60;

/** Rows below aligned titles. Without colours the titles are plain. */
export function toTable(
  columns: readonly Pick<Column<never>, 'title' | 'isRight'>[],
  rows: readonly (readonly string[])[],
  { isFirst, output }: { readonly isFirst: boolean; readonly output: Painter },
): string {
  const cells = rows.map((row) => row.map((cell) => toLine(cell, CELL_LENGTH_MAX)));
  const widths = columns.map(({ title }, index) =>
    Math.max(title.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const layOut = (row: readonly string[]) =>
    row
      .map((cell, index) =>
        columns[index]?.isRight ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  const head = isFirst ? [output.paint('bold', layOut(columns.map(({ title }) => title)))] : [];
  return [...head, ...cells.map(layOut)].join('\n');
}

/** `name: value` lines with aligned values; rows without a value are left out. */
export function toFacts(rows: readonly (readonly [string, string | number | null | undefined])[]): string {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(...shown.map(([name]) => name.length), 0);
  return shown.map(([name, value]) => `${`${name}:`.padEnd(width + 1)} ${value}`).join('\n');
}
