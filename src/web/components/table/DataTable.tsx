import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { usePreferences } from '../../preferences/preferences.ts';
import { isTyping } from '../../shell/use-hotkeys.ts';
import { Icon } from '../Icon.tsx';
import { isShown, orderColumns, toTemplate, widthMin } from './column.ts';
import { type SparseRows, toRowList, useCurrentRow } from './row-list.ts';
import { TableHead, type TableHeadProps } from './TableHead.tsx';
import { TableRow, WaitingRow } from './TableRow.tsx';
import { useScaledRows } from './use-scaled-rows.ts';
import { useStableCallback } from './use-stable-callback.ts';
import { useRowHeight, useVisibleRows } from './use-visible-rows.ts';
import './table.css';

interface DataTableProps<Row> extends Omit<TableHeadProps<Row>, 'shown'> {
  readonly label: string;
  /** Rows by index, of which only some are loaded. Then `rows` is empty. */
  readonly sparse?: SparseRows<Row> | undefined;
  /** Whether another panel covers the table and handles its keys. Default false. */
  readonly isBehind?: boolean;
  /** ID of the row that is open beside the table. */
  readonly openId?: string | undefined;
  /** Initial current row: the row that was open before the user returned to the table. */
  readonly startId?: string | undefined;
  readonly onOpen: (row: Row, event: { readonly metaKey: boolean; readonly ctrlKey: boolean }) => void;
  /** Height of a row in pixels. Default: one line, or three if rows wrap. */
  readonly rowPx?: number | undefined;
  /** Whether J and K also move to the next and previous row. Default false. */
  readonly movesByLetters?: boolean;
  /** Called for a key that the table does not use, with the current row. Returns whether the key was used. */
  readonly onRowKey?: ((row: Row, key: string) => boolean) | undefined;
  /** Called when the last rows become visible. Must be the same function until there is another page to load. */
  readonly onEnd?: (() => void) | undefined;
  readonly isBusy: boolean;
  /** Called when the user leaves the top of the table or returns to it. */
  readonly onAway?: (isAway: boolean) => void;
  /** Reports unseen rows above. A click scrolls to them. */
  readonly notice?: { readonly text: string; readonly onShow: () => void } | undefined;
  readonly foot?: ReactNode;
  /** Shown if there are no rows. */
  readonly empty: ReactNode;
}

/** Delay if the end is near but not visible, so that other requests of the page are sent first. */
const END_DELAY_MS = 1_000;

/** Table with rows of equal height. Only visible rows are rendered. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, choice, rows, rowId, selection, onEnd, isBusy, sparse } = props;
  const { density } = usePreferences();
  const linePx = useRowHeight(density, choice.wraps ?? false);
  const rowHeight = props.rowPx ?? linePx;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useMemo(() => sparse ?? toRowList(rows, rowId), [sparse, rows, rowId]);
  const visible = useVisibleRows(scroller, rows.length, rowHeight);
  const scaled = useScaledRows(scroller, sparse?.count ?? 0, rowHeight);
  const { first, end } = sparse ? scaled : visible;
  const showRow = (index: number) => {
    if (sparse) scaled.scrollToRow(index);
    else scrollTo(scroller.current, index, rowHeight);
  };
  const onWindow = sparse?.onWindow;
  useEffect(() => onWindow?.(first, end), [onWindow, first, end]);
  const { openId, startId } = props;
  const current = useCurrentRow(list, rowId, startId);
  const anchor = useRef<string>(undefined);
  useKeptPosition(scroller, rows, rowId, rowHeight);
  // The current row follows the row that is open beside the table.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows must not scroll
  useEffect(() => {
    const id = openId ?? current.id;
    if (id === undefined) return;
    current.setId(id);
    const at = list.indexOf(id);
    if (at >= 0) showRow(at);
  }, [openId]);

  const { onAway, notice } = props;
  const isAway = useRef(false);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !onAway) return;
    const report = () => {
      const next = element.scrollTop >= rowHeight;
      if (next !== isAway.current) onAway(next);
      isAway.current = next;
    };
    element.addEventListener('scroll', report, { passive: true });
    return () => element.removeEventListener('scroll', report);
  }, [onAway, rowHeight]);
  const showNew = () => {
    scroller.current?.scrollTo({ top: 0 });
    notice?.onShow();
  };

  const isAtEnd = end >= rows.length;
  const isNearEnd = end >= rows.length - 20;
  useEffect(() => {
    if (!isNearEnd || rows.length === 0 || !onEnd) return;
    if (isAtEnd) return onEnd();
    const timer = setTimeout(onEnd, END_DELAY_MS);
    return () => clearTimeout(timer);
  }, [isAtEnd, isNearEnd, rows.length, onEnd]);

  const shown = useMemo(
    () => orderColumns(columns, choice).filter((column) => isShown(column, choice)),
    [columns, choice],
  );
  const style = {
    '--columns': (selection ? '30px ' : '') + toTemplate(shown, choice),
    '--row-height': `${rowHeight}px`,
    '--width-min': `${(selection ? 30 : 0) + widthMin(shown, choice)}px`,
  };

  const select = (row: Row, isRange: boolean) => {
    if (!selection) return;
    const ids = new Set(selection.ids);
    const id = rowId(row);
    const from = anchor.current === undefined ? -1 : list.indexOf(anchor.current);
    const to = list.indexOf(id);
    if (isRange && from >= 0) {
      for (let at = Math.min(from, to); at <= Math.max(from, to); at++) {
        const each = list.rowAt(at);
        if (each !== undefined) ids.add(rowId(each));
      }
    } else if (!ids.delete(id)) ids.add(id);
    anchor.current = id;
    current.setId(id);
    selection.onChange(ids);
  };

  const press = (event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'metaKey' | 'ctrlKey' | 'preventDefault'>) => {
    const index = current.index();
    const row = list.rowAt(index);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 20,
      PageUp: -20,
      Home: -list.count,
      End: list.count,
      ...(props.movesByLetters ? { j: 1, k: -1 } : {}),
    };
    const step = steps[event.key];
    if (step !== undefined) {
      const from = index < 0 && event.key !== 'End' ? -step : index;
      const next = Math.min(list.count - 1, Math.max(0, from + step));
      if (next >= 0) current.setIndex(next);
      showRow(next);
    } else if (event.key === 'Enter' && row) props.onOpen(row, event);
    else if (event.key.toLowerCase() === 'x' && row) select(row, event.shiftKey);
    else if (!row || !props.onRowKey?.(row, event.key)) return;
    event.preventDefault();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The focused header, checkbox or link in the table handles its own keys first.
    if (event.defaultPrevented || isTyping(event.target) || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === 'Enter' && event.target !== scroller.current) return;
    // React also bubbles key events of menus that were opened from here, although they are outside of the table.
    if (!event.currentTarget.contains(event.target as Node)) return;
    press(event);
  };

  const click = (row: Row, event: MouseEvent) => {
    // React also bubbles clicks in menus and dialogs that were opened from a row, although they are outside of it.
    if (!event.currentTarget.contains(event.target as Node)) return;
    if ((event.target as HTMLElement).closest('a, button, input')) return;
    if (window.getSelection()?.toString()) return;
    if (event.shiftKey && selection) return select(row, true);
    current.setId(rowId(row));
    props.onOpen(row, event);
  };
  const onRowClick = useStableCallback(click);
  const onRowSelect = useStableCallback(select);
  const onPagePress = useEffectEvent(press);
  const { isBehind = false, movesByLetters = false } = props;
  useEffect(() => {
    if (isBehind) return;
    // Without a focused element, such as on a new page, keys are for the table. J and K are for it wherever the focus is.
    const onPageKey = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.target !== document.body) {
        const isInside =
          event.target instanceof HTMLElement && event.target.closest('.table, [role=dialog], [role=menu]');
        if (!movesByLetters || !/^[jk]$/.test(event.key) || isTyping(event.target) || isInside) return;
        scroller.current?.focus({ preventScroll: true });
      }
      onPagePress(event);
    };
    window.addEventListener('keydown', onPageKey);
    return () => window.removeEventListener('keydown', onPageKey);
  }, [isBehind, movesByLetters]);

  return (
    <div className="table-frame">
      {isBusy && <div className="table-busy" role="progressbar" aria-label="Loading" />}
      {notice && (
        <button type="button" className="table-notice" onClick={showNew}>
          <Icon name="up" size={12} /> {notice.text}
        </button>
      )}
      <div
        className="table"
        ref={scroller}
        role="table"
        aria-label={props.label}
        aria-rowcount={list.count + 1}
        aria-busy={isBusy}
        data-wraps={props.rowPx === undefined && (choice.wraps ?? false)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move in it
        tabIndex={0}
        onKeyDown={onKeyDown}
        style={style as React.CSSProperties}
      >
        <TableHead {...props} shown={shown} />
        {list.count === 0 && !isBusy ? (
          <div role="rowgroup">
            <div role="row">
              <div role="cell" className="table-empty">
                {props.empty}
              </div>
            </div>
          </div>
        ) : (
          <div
            className="table-body"
            role="rowgroup"
            style={{ height: sparse ? scaled.bodyPx : rows.length * rowHeight }}
          >
            {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
              const index = first + offset;
              const row = list.rowAt(index);
              const top = index * rowHeight - (sparse ? scaled.shiftPx : 0);
              if (row === undefined) return <WaitingRow key={index} index={index} top={top} />;
              const id = rowId(row);
              return (
                <TableRow
                  key={id}
                  row={row}
                  index={index}
                  top={top}
                  columns={shown}
                  isCurrent={current.isAt(index, row)}
                  isSelected={selection?.ids.has(id)}
                  onClick={onRowClick}
                  onSelect={onRowSelect}
                />
              );
            })}
          </div>
        )}
        {props.foot && <div className="table-foot">{props.foot}</div>}
      </div>
    </div>
  );
}

/** Keeps the visible rows in place when rows are added on top, except at the very top. */
function useKeptPosition<Row>(
  scroller: React.RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  rowId: (row: Row) => string,
  rowHeight: number,
): void {
  const before = useRef<string>(undefined);
  const top = rows[0] === undefined ? undefined : rowId(rows[0]);
  useEffect(() => {
    const was = before.current;
    before.current = top;
    const element = scroller.current;
    if (!element || was === undefined || was === top || element.scrollTop < rowHeight) return;
    const added = rows.findIndex((row) => rowId(row) === was);
    if (added > 0) element.scrollTop += added * rowHeight;
  }, [top, rows, rowId, rowHeight, scroller]);
}

function scrollTo(element: HTMLElement | null, index: number, rowHeight: number): void {
  if (!element) return;
  const top = index * rowHeight;
  const head = 28;
  if (top < element.scrollTop) element.scrollTop = top;
  else if (top + rowHeight + head > element.scrollTop + element.clientHeight) {
    element.scrollTop = top + rowHeight + head - element.clientHeight;
  }
}
