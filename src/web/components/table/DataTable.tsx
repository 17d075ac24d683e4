import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { usePreferences } from '../../preferences/preferences.ts';
import { isTyping } from '../../shell/use-hotkeys.ts';
import { Icon } from '../Icon.tsx';
import { isShown, orderColumns, toTemplate, widthMin } from './column.ts';
import { TableHead, type TableHeadProps } from './TableHead.tsx';
import { TableRow } from './TableRow.tsx';
import { useStableCallback } from './use-stable-callback.ts';
import { useRowHeight, useRowWindow } from './use-window.ts';
import './table.css';

interface DataTableProps<Row> extends Omit<TableHeadProps<Row>, 'shown'> {
  readonly label: string;
  /** Whether another panel covers the table and handles its keys. Default false. */
  readonly isBehind?: boolean;
  /** ID of the row that is open beside the table. */
  readonly openId?: string | undefined;
  /** Initial current row: the row that was open before the user returned to the table. */
  readonly startId?: string | undefined;
  readonly onOpen: (row: Row, event: { readonly metaKey: boolean; readonly ctrlKey: boolean }) => void;
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
  const { columns, choice, rows, rowId, selection, onEnd, isBusy } = props;
  const { density } = usePreferences();
  const rowHeight = useRowHeight(density, choice.wraps ?? false);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end } = useRowWindow(scroller, rows.length, rowHeight);
  const { openId, startId } = props;
  const [current, setCurrent] = useState(startId);
  const anchor = useRef<string>(undefined);
  useKeptPosition(scroller, rows, rowId, rowHeight);
  // The current row follows the row that is open beside the table.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows must not scroll
  useEffect(() => {
    const id = openId ?? current;
    if (id === undefined) return;
    setCurrent(id);
    const at = rows.findIndex((row) => rowId(row) === id);
    if (at >= 0) scrollTo(scroller.current, at, rowHeight);
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
    const from = rows.findIndex((each) => rowId(each) === anchor.current);
    const to = rows.indexOf(row);
    if (isRange && from >= 0) {
      for (const each of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(rowId(each));
    } else if (!ids.delete(id)) ids.add(id);
    anchor.current = id;
    setCurrent(id);
    selection.onChange(ids);
  };

  const press = (event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'metaKey' | 'ctrlKey' | 'preventDefault'>) => {
    const index = rows.findIndex((row) => rowId(row) === current);
    const row = rows[index];
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 20,
      PageUp: -20,
      Home: -rows.length,
      End: rows.length,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      const next = index < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, index + step));
      if (rows[next]) setCurrent(rowId(rows[next]));
      scrollTo(scroller.current, next, rowHeight);
    } else if (event.key === 'Enter' && row) props.onOpen(row, event);
    else if (event.key.toLowerCase() === 'x' && row) select(row, event.shiftKey);
    else return;
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
    if ((event.target as HTMLElement).closest('a, button, input')) return;
    if (window.getSelection()?.toString()) return;
    if (event.shiftKey && selection) return select(row, true);
    setCurrent(rowId(row));
    props.onOpen(row, event);
  };
  const onRowClick = useStableCallback(click);
  const onRowSelect = useStableCallback(select);
  const onPagePress = useEffectEvent(press);
  const { isBehind = false } = props;
  useEffect(() => {
    if (isBehind) return;
    // Without a focused element, such as on a new page, keys are for the table.
    const onPageKey = (event: globalThis.KeyboardEvent) => {
      if (event.target !== document.body || event.defaultPrevented) return;
      if (!event.metaKey && !event.ctrlKey && !event.altKey) onPagePress(event);
    };
    window.addEventListener('keydown', onPageKey);
    return () => window.removeEventListener('keydown', onPageKey);
  }, [isBehind]);

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
        aria-rowcount={rows.length + 1}
        aria-busy={isBusy}
        data-wraps={choice.wraps ?? false}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move in it
        tabIndex={0}
        onKeyDown={onKeyDown}
        style={style as React.CSSProperties}
      >
        <TableHead {...props} shown={shown} />
        {rows.length === 0 && !isBusy ? (
          <div role="rowgroup">
            <div role="row">
              <div role="cell" className="table-empty">
                {props.empty}
              </div>
            </div>
          </div>
        ) : (
          <div className="table-body" role="rowgroup" style={{ height: rows.length * rowHeight }}>
            {rows.slice(first, end).map((row, offset) => {
              const id = rowId(row);
              return (
                <TableRow
                  key={id}
                  row={row}
                  index={first + offset}
                  height={rowHeight}
                  columns={shown}
                  isCurrent={id === current}
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
