import { type MouseEvent, memo } from 'react';
import type { Column } from './column.ts';

interface TableRowProps<Row> {
  readonly row: Row;
  /** Index of the row. */
  readonly index: number;
  /** Position in the body of the table in pixels. */
  readonly top: number;
  /** Visible columns in order. */
  readonly columns: readonly Column<Row>[];
  readonly isCurrent: boolean;
  /** Undefined if rows cannot be selected. */
  readonly isSelected: boolean | undefined;
  readonly onClick: (row: Row, event: MouseEvent) => void;
  readonly onSelect: (row: Row, isRange: boolean) => void;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { row, index, top, columns, isCurrent, isSelected, onClick, onSelect } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table takes the keys
    <div
      role="row"
      className="table-row"
      aria-rowindex={index + 2}
      data-current={isCurrent}
      aria-selected={isSelected}
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => onClick(row, event)}
    >
      {isSelected !== undefined && (
        <span role="cell" className="table-check">
          <input
            type="checkbox"
            aria-label="Select row"
            checked={isSelected}
            onClick={(event) => onSelect(row, event.shiftKey)}
            readOnly
          />
        </span>
      )}
      {columns.map((column) => (
        <span
          key={column.id}
          role="cell"
          className={column.isNumber ? 'at-end' : undefined}
          dir={column.isNumber ? undefined : 'auto'}
        >
          {column.cell(row)}
        </span>
      ))}
    </div>
  );
}

/** A row that is not loaded yet. */
export function WaitingRow({ index, top }: { readonly index: number; readonly top: number }) {
  return (
    <div
      role="row"
      className="table-row waiting"
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span role="cell">
        <span className="table-waiting" />
      </span>
    </div>
  );
}

/** Memoized: rendered again when its properties change, not when other rows scroll in. */
export const TableRow = memo(PlainTableRow) as typeof PlainTableRow;
