import { type RefObject, useRef } from 'react';
import { Icon } from '../Icon.tsx';
import { ColumnGrip } from './ColumnGrip.tsx';
import {
  type Column,
  type ColumnChoice,
  chosenWidth,
  isShown,
  moveColumn,
  orderColumns,
  type SortState,
} from './column.ts';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly onChange: (ids: ReadonlySet<string>) => void;
  /** Selection of all rows of a table of which only some are loaded. Default: selects `rows`. */
  readonly all?: { readonly isAll: boolean; readonly onToggle: () => void } | undefined;
}

export interface TableHeadProps<Row> {
  /** All columns, including hidden ones. */
  readonly columns: readonly Column<Row>[];
  /** Visible columns in order. */
  readonly shown: readonly Column<Row>[];
  readonly choice: ColumnChoice;
  readonly onChoice: (choice: ColumnChoice) => void;
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Absent: rows cannot be selected. */
  readonly selection?: Selection | undefined;
  readonly sort?: SortState | undefined;
  readonly onSort?: (sort: SortState) => void;
}

/** Header of a table. */
export function TableHead<Row>({ shown, ...props }: TableHeadProps<Row>) {
  const { columns, choice, rows, rowId, selection } = props;
  const ids = orderColumns(columns, choice).map(({ id }) => id);
  const drag = useRef<string>(undefined);
  return (
    <div role="rowgroup" className="table-head-group">
      <div className="table-head" role="row" aria-rowindex={1}>
        {selection && (
          <span role="columnheader" className="table-check">
            <SelectAll rows={rows} rowId={rowId} selection={selection} />
          </span>
        )}
        {shown.map((column) => (
          <HeadCell key={column.id} column={column} ids={ids} drag={drag} {...props} />
        ))}
      </div>
    </div>
  );
}

interface HeadCellProps<Row> extends Omit<TableHeadProps<Row>, 'shown'> {
  readonly column: Column<Row>;
  /** IDs of all columns in order, including hidden ones. */
  readonly ids: readonly string[];
  /** ID of the dragged column. */
  readonly drag: RefObject<string | undefined>;
}

/** Header of a column: sorts, is moved by dragging or by Alt and arrow keys, and is resized at its edge. */
function HeadCell<Row>({ column, ids, drag, ...props }: HeadCellProps<Row>) {
  const { sort, onSort, choice, onChoice } = props;
  const dir = sort && column.sort === sort.col ? sort.dir : undefined;
  return (
    <span
      role="columnheader"
      className={column.isNumber ? 'at-end' : undefined}
      {...(dir ? { 'aria-sort': dir === 'asc' ? 'ascending' : 'descending' } : {})}
      draggable
      onDragStart={(event) => {
        drag.current = column.id;
        event.dataTransfer.effectAllowed = 'move';
      }}
      onDragOver={(event) => {
        if (drag.current !== undefined) event.preventDefault();
      }}
      onDrop={(event) => {
        event.preventDefault();
        if (drag.current !== undefined && drag.current !== column.id) {
          onChoice(moveColumn(choice, ids, drag.current, ids.indexOf(column.id)));
        }
        drag.current = undefined;
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!event.altKey || step === undefined) return;
        event.preventDefault();
        const shownIds = ids.filter((id) => props.columns.some((each) => each.id === id && isShown(each, choice)));
        const next = shownIds[shownIds.indexOf(column.id) + step];
        if (next !== undefined) onChoice(moveColumn(choice, ids, column.id, ids.indexOf(next)));
      }}
    >
      {column.sort !== undefined && onSort ? (
        <button
          type="button"
          className="sort"
          onClick={() => onSort({ col: column.sort!, dir: dir === 'desc' ? 'asc' : 'desc' })}
        >
          {column.head ?? <span className="clip">{column.label}</span>}
          {dir && <Icon name={dir === 'asc' ? 'up' : 'down'} size={11} />}
        </button>
      ) : (
        (column.head ?? <span className="clip">{column.label}</span>)
      )}
      <ColumnGrip
        label={column.label}
        width={chosenWidth(choice, column.id) ?? column.width}
        onWidth={(width) => onChoice({ ...choice, widths: { ...choice.widths, [column.id]: width } })}
      />
    </span>
  );
}

interface SelectAllProps<Row> {
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly selection: Selection;
}

function SelectAll<Row>({ rows, rowId, selection }: SelectAllProps<Row>) {
  const { all } = selection;
  const isAll = all?.isAll ?? (rows.length > 0 && rows.every((row) => selection.ids.has(rowId(row))));
  return (
    <input
      type="checkbox"
      aria-label={all ? 'Select all rows' : 'Select all loaded rows'}
      checked={isAll}
      disabled={!all && rows.length === 0}
      onChange={all ? all.onToggle : () => selection.onChange(isAll ? new Set() : new Set(rows.map(rowId)))}
    />
  );
}
