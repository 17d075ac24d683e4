import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Failure, FailureLine } from '../../../components/Failure.tsx';
import { FilterField } from '../../../components/filter/FilterField.tsx';
import { ColumnsMenu } from '../../../components/table/ColumnsMenu.tsx';
import type { Column } from '../../../components/table/column.ts';
import { DataTable } from '../../../components/table/DataTable.tsx';
import { useRows } from '../../../data/use-rows.ts';
import { shownName } from '../../../format/names.ts';
import { formatCount, formatLatency } from '../../../format/numbers.ts';
import { type TimeFormat, useTimeFormat } from '../../../format/times.ts';
import { appUrl } from '../../../router/app-url.ts';
import { Link } from '../../../router/Link.tsx';
import { navigate, setSearch, useLocation } from '../../../router/location.ts';
import { tableQuery } from '../../trace/order/table-address.ts';
import { lastOpened, setTraceOrder, toPlace } from '../../trace/order/trace-order.ts';
import { startQueue } from '../../trace/order/use-queue.ts';
import { SelectionBar } from '../bulk/SelectionBar.tsx';
import { useColumnChoice } from '../column-choice.ts';
import { EmptyRange, type LastEnd } from '../EmptyRange.tsx';
import { MISSING_CELL } from '../spans/detail-columns.tsx';
import { Cost } from '../spans/span-columns.tsx';
import { useFollowing } from '../use-following.ts';
import type { Live } from '../use-live.ts';
import { ViewsMenu } from '../views/ViewsMenu.tsx';
import { readSessions, type SessionRow, sessionListKey, toSessionList, toSessionOrder } from './session-list.ts';

interface SessionsTableProps {
  readonly projectId: string;
  readonly live: Live;
  readonly lastEnd: LastEnd;
  readonly tabs: ReactNode;
  /** Called when the first rows are loaded, or when there are none. */
  readonly onRows: (rowCount: number) => void;
}

export function SessionsTable({ projectId, live, lastEnd, tabs, onRows }: SessionsTableProps) {
  const { search } = useLocation();
  const times = useTimeFormat();
  const sessionList = toSessionList(projectId, search);
  const { filter, sort } = sessionList;
  const [choice, setChoice] = useColumnChoice(projectId, 'sessions');
  const load = (after: string | undefined, signal: AbortSignal) => readSessions(sessionList, after, signal);
  const list = useRows(sessionListKey(sessionList), load, sessionId);
  const { rows, refresh } = list;
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const chosen = rows.filter(({ id }) => selected.has(id));
  const following = useFollowing(list, live, selected.size > 0);
  useEffect(() => {
    if (!list.isLoading) onRows(rows.length);
  });
  const query = tableQuery(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: project and query identify the list
  const order = useMemo(() => toSessionOrder(sessionList, query), [projectId, query]);
  useEffect(() => {
    if (!list.isStale) setTraceOrder({ table: order.table, entries: rows.map(order.entry), next: list.next });
  }, [list.isStale, list.next, rows, order]);
  const place = (row: SessionRow) => toPlace(order.entry(row));
  const columns = sessionColumns(times, place);
  return (
    <>
      <div className="table-bar">
        {tabs}
        <FilterField
          projectId={projectId}
          kind="session"
          value={filter}
          onApply={(condition, options) => setSearch({ sessionFilterCondition: condition || null }, options)}
        />
        <ViewsMenu projectId={projectId} tab="sessions" choice={choice} onChoice={setChoice} />
        <ColumnsMenu columns={columns} choice={choice} onChoice={setChoice} />
      </div>
      {list.failure && rows.length === 0 ? (
        <Failure
          failure={list.failure}
          onRetry={() => refresh()}
          onClearFilter={filter === '' ? undefined : () => setSearch({ sessionFilterCondition: null })}
        />
      ) : (
        <DataTable
          label="Sessions"
          columns={columns}
          choice={choice}
          onChoice={setChoice}
          rows={rows}
          {...following}
          rowId={sessionId}
          selection={{ ids: selected, onChange: setSelected }}
          sort={sort}
          onSort={({ col, dir }) => setSearch({ sort: `${col}:${dir}` })}
          startId={lastOpened(order.table)}
          onOpen={(row, event) => {
            if (event.metaKey || event.ctrlKey) window.open(appUrl(place(row)), '_blank');
            else navigate(place(row));
          }}
          onEnd={list.isLoading || list.failure ? undefined : list.loadMore}
          isBusy={list.isLoading && (rows.length === 0 || list.isStale)}
          foot={list.failure && <FailureLine failure={list.failure} onRetry={list.retry} />}
          empty={<NoSessions isFiltered={filter !== ''} lastEnd={lastEnd} />}
        />
      )}
      <SelectionBar
        count={chosen.length}
        noun="session"
        onQueue={() => void startQueue(chosen.map(order.entry), 'session')}
        onClear={() => setSelected(new Set())}
      />
    </>
  );
}

const sessionId = ({ id }: SessionRow): string => id;

function NoSessions({ isFiltered, lastEnd }: { readonly isFiltered: boolean; readonly lastEnd: LastEnd }) {
  return (
    <>
      <EmptyRange what="sessions" isFiltered={isFiltered} lastEnd={lastEnd} />
      <div className="empty" style={{ paddingTop: 0 }}>
        <p>
          A session contains the traces whose spans have the same <code>session.id</code> attribute. Set it in your
          application.
        </p>
      </div>
    </>
  );
}

const sessionColumns = (times: TimeFormat, place: (row: SessionRow) => string): readonly Column<SessionRow>[] => [
  {
    id: 'sessionId',
    label: 'Session',
    width: 80,
    grow: 1,
    cell: (row) => <Link to={place(row)}>{shownName(row.sessionId)}</Link>,
  },
  {
    id: 'firstInput',
    label: 'First input',
    width: 80,
    grow: 2,
    cell: (row) => row.firstInputPreview ?? MISSING_CELL,
  },
  {
    id: 'lastOutput',
    label: 'Last output',
    width: 80,
    grow: 2,
    cell: (row) => row.lastOutputPreview ?? MISSING_CELL,
  },
  { id: 'user', label: 'User', width: 72, grow: 0.5, cell: (row) => row.userId ?? MISSING_CELL },
  {
    id: 'traces',
    label: 'Traces',
    width: 66,
    isNumber: true,
    sort: 'numTraces',
    cell: (row) => formatCount(row.numTraces),
  },
  {
    id: 'errors',
    label: 'Errors',
    width: 52,
    isNumber: true,
    cell: (row) =>
      row.numTracesWithError > 0 ? <span className="status-error">{formatCount(row.numTracesWithError)}</span> : '',
  },
  { id: 'p50', label: 'P50', width: 62, isNumber: true, cell: (row) => formatLatency(row.p50) },
  { id: 'p99', label: 'P99', width: 62, isNumber: true, cell: (row) => formatLatency(row.p99) },
  {
    id: 'tokens',
    label: 'Tokens',
    width: 70,
    isNumber: true,
    sort: 'tokenCountTotal',
    cell: (row) => formatCount(row.tokenUsage.total || undefined),
  },
  {
    id: 'cost',
    label: 'Cost',
    width: 64,
    isNumber: true,
    sort: 'costTotal',
    cell: (row) => <Cost value={row.costSummary.total.cost} />,
  },
  { id: 'start', label: 'Started', width: 128, sort: 'startTime', cell: (row) => times.short(row.startTime) },
  { id: 'end', label: 'Last trace', width: 128, sort: 'endTime', cell: (row) => times.short(row.endTime) },
];
