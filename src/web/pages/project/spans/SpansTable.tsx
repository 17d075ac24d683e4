import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { AddToDatasetButton } from '../../../components/cases/AddToDatasetButton.tsx';
import { Failure, FailureLine } from '../../../components/Failure.tsx';
import { FilterField } from '../../../components/filter/FilterField.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { ColumnsMenu } from '../../../components/table/ColumnsMenu.tsx';
import { DataTable } from '../../../components/table/DataTable.tsx';
import { useRows } from '../../../data/use-rows.ts';
import { useStoredState } from '../../../preferences/stored-state.ts';
import { appUrl } from '../../../router/app-url.ts';
import { navigate, setSearch, useLocation } from '../../../router/location.ts';
import { boundsAt, type ChosenRange, toApiRange } from '../../../time-range/time-range.ts';
import { tableQuery } from '../../trace/order/table-address.ts';
import { lastOpened, SEARCHED_ROW_COUNT_MAX, setTraceOrder, toPlace } from '../../trace/order/trace-order.ts';
import { startQueue } from '../../trace/order/use-queue.ts';
import { BulkActions } from '../bulk/BulkActions.tsx';
import { ExportSpans } from '../bulk/ExportSpans.tsx';
import { SelectionBar } from '../bulk/SelectionBar.tsx';
import { useColumnChoice } from '../column-choice.ts';
import { EmptyRange, type LastEnd } from '../EmptyRange.tsx';
import { FacetPanel } from '../facets/FacetPanel.tsx';
import { readRowScope } from '../row-scope.ts';
import { useFollowing } from '../use-following.ts';
import type { Live } from '../use-live.ts';
import { ViewsMenu } from '../views/ViewsMenu.tsx';
import { CompareLink } from './CompareLink.tsx';
import { readSpans, spanListKey, toSpanList } from './span-list.ts';
import { toSpanOrder } from './span-order.ts';
import type { SpanRow, TraceRow } from './span-row.ts';
import { useExpandedTraces } from './use-expanded-traces.ts';
import { useSpanColumns } from './use-span-columns.ts';

interface SpansTableProps {
  readonly projectId: string;
  readonly tab: 'spans' | 'traces';
  readonly range: ChosenRange;
  readonly live: Live;
  readonly lastEnd: LastEnd;
  readonly tabs: ReactNode;
  /** Called when the first rows are loaded, or when there are none. */
  readonly onRows: (rowCount: number) => void;
}

/** Table of spans, or of traces by their root spans. */
export function SpansTable({ projectId, tab, range, live, lastEnd, tabs, onRows }: SpansTableProps) {
  const { path, search } = useLocation();
  const [choice, setChoice] = useColumnChoice(projectId, tab);
  const spanList = toSpanList({ projectId, tab, range, choice }, search);
  const { isRootsOnly, filter, sort, isDetailed } = spanList;
  const [hasFacets, setFacets] = useStoredState(
    `facets.${tab}`,
    tab === 'spans' && window.innerWidth > 1200,
    isBoolean,
  );
  const [isExporting, setExporting] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  const list = useRows(spanListKey(spanList), (after, signal) => readSpans(spanList, after, signal), spanId);
  const { refresh } = list;
  const expanded = useExpandedTraces(projectId, list.rows, isDetailed);
  const rows: readonly TraceRow[] = tab === 'traces' ? expanded.rows : list.rows;
  const following = useFollowing(list, live, selected.size > 0);
  useEffect(() => {
    if (!list.isLoading) onRows(rows.length);
  });

  const query = tableQuery(search);
  // biome-ignore lint/correctness/useExhaustiveDependencies: project, tab and query identify the list
  const order = useMemo(() => toSpanOrder(spanList, query), [projectId, tab, query]);
  const { entry } = order;
  // While new rows load, the current rows do not belong to the address.
  useEffect(() => {
    if (!list.isStale) setTraceOrder({ table: order.table, entries: rows.map(entry), next: list.next });
  }, [list.isStale, list.next, rows, entry, order]);
  const place = useCallback((row: SpanRow) => toPlace(entry(row)), [entry]);
  const tablePath = `/projects/${encodeURIComponent(projectId)}/${tab}`;
  const openTraceId = path.startsWith(`${tablePath}/`) ? path.slice(tablePath.length + 1) : undefined;
  const openNodeId = search.get('selectedSpanNodeId');
  const openRow =
    openTraceId === undefined
      ? undefined
      : (rows.find(({ id }) => id === openNodeId) ?? rows.find(({ context }) => context.traceId === openTraceId));
  // A link may name a row further down, and another filter may exclude the open row.
  const [linked] = useState({ table: order.table, traceId: openTraceId });
  const isLinked = openTraceId !== undefined && linked.traceId === openTraceId && linked.table === order.table;
  const isSearching = isLinked && !openRow && rows.length < SEARCHED_ROW_COUNT_MAX;
  useEffect(() => {
    if (isSearching && !list.isLoading && !list.failure) list.loadMore();
  });
  const { isExpanded, toggle } = expanded;
  const columns = useSpanColumns({ tab, isRootsOnly, rows, place, isExpanded, toggle });
  const open = (row: SpanRow, event: { readonly metaKey: boolean; readonly ctrlKey: boolean }) => {
    if (event.metaKey || event.ctrlKey) window.open(appUrl(place(row)), '_blank');
    else navigate(place(row));
  };
  const chosen = rows.filter((row) => selected.has(row.id));
  const traceIds = [...new Set(chosen.map(({ trace }) => trace.id))];
  const annotate = () => {
    // A trace that is selected together with its spans counts once.
    const toAnnotate =
      tab === 'traces' ? traceIds.flatMap((id) => chosen.find(({ trace }) => trace.id === id) ?? []) : chosen;
    void startQueue(toAnnotate.map(entry), tab === 'traces' ? 'trace' : 'span');
  };

  return (
    <>
      <div className="table-bar">
        {tabs}
        <button
          type="button"
          className="button icon-only"
          aria-label="Filters"
          title="Show values to filter by"
          aria-pressed={hasFacets}
          onClick={() => setFacets(!hasFacets)}
        >
          <Icon name="filter" size={14} />
        </button>
        <FilterField
          projectId={projectId}
          kind="span"
          value={filter}
          onApply={(condition, options) => setSearch({ spanFilterCondition: condition || null }, options)}
        />
        {list.isLoading && rows.length > 0 && list.isStale && (
          <button type="button" className="button bare" onClick={list.cancel}>
            Cancel
          </button>
        )}
        {tab === 'spans' && (
          <span className="segments" role="group" aria-label="Spans to list">
            <button type="button" aria-pressed={isRootsOnly} onClick={() => setSearch({ spans: null })}>
              Root spans
            </button>
            <button type="button" aria-pressed={!isRootsOnly} onClick={() => setSearch({ spans: 'all' })}>
              All spans
            </button>
          </span>
        )}
        {tab === 'traces' && (
          <button
            type="button"
            className="button icon-only"
            aria-label="Expand all traces"
            title="Expand all traces"
            aria-pressed={expanded.isAllExpanded}
            onClick={expanded.toggleAll}
          >
            <Icon name="list" size={14} />
          </button>
        )}
        <button
          type="button"
          className="button icon-only"
          aria-label="Export spans"
          title="Export the listed spans"
          onClick={() => setExporting(true)}
        >
          <Icon name="download" size={14} />
        </button>
        <AddToDatasetButton
          label={tab === 'traces' ? 'Add the listed traces to a dataset' : 'Add the listed spans to a dataset'}
          projectId={projectId}
          spans={{ filter, isRootsOnly, timeRange: toApiRange(boundsAt(range, Date.now())) }}
        />
        <ViewsMenu projectId={projectId} tab={tab} choice={choice} onChoice={setChoice} />
        <ColumnsMenu columns={columns} choice={choice} onChoice={setChoice} />
      </div>
      <div className="table-area">
        {hasFacets && (
          <FacetPanel
            projectId={projectId}
            range={range}
            scope={readRowScope(tab, search)}
            change={live.change}
            isWaiting={list.isLoading && rows.length === 0}
            onFilter={(condition) => setSearch({ spanFilterCondition: condition || null })}
            onClose={() => setFacets(false)}
          />
        )}
        {list.failure && rows.length === 0 ? (
          <Failure
            failure={list.failure}
            onRetry={() => refresh()}
            onClearFilter={filter === '' ? undefined : () => setSearch({ spanFilterCondition: null })}
          />
        ) : (
          <DataTable
            label={tab === 'traces' ? 'Traces' : 'Spans'}
            columns={columns}
            choice={choice}
            onChoice={setChoice}
            rows={rows}
            {...following}
            rowId={spanId}
            isBehind={openTraceId !== undefined}
            openId={openRow?.id}
            selection={{ ids: selected, onChange: setSelected }}
            sort={sort ?? { col: 'startTime', dir: 'desc' }}
            onSort={({ col, dir }) => setSearch({ sort: `${col}:${dir}` })}
            startId={lastOpened(order.table)}
            onOpen={open}
            onEnd={list.isLoading || list.failure ? undefined : list.loadMore}
            isBusy={list.isLoading && (rows.length === 0 || list.isStale)}
            foot={list.failure && <FailureLine failure={list.failure} onRetry={list.retry} />}
            empty={
              <EmptyRange
                what={tab === 'traces' ? 'traces' : isRootsOnly ? 'root spans' : 'spans'}
                isFiltered={filter !== ''}
                lastEnd={lastEnd}
              >
                {filter !== '' && tab === 'spans' && isRootsOnly && (
                  <button type="button" className="button" onClick={() => setSearch({ spans: 'all' })}>
                    Search all spans
                  </button>
                )}
              </EmptyRange>
            }
          />
        )}
      </div>
      {isExporting && (
        <ExportSpans
          projectId={projectId}
          what={filter === '' ? 'spans of the range' : 'spans that match the filter'}
          selection={{
            filter,
            isRootsOnly: tab === 'spans' && isRootsOnly,
            timeRange: toApiRange(boundsAt(range, Date.now())),
          }}
          onClose={() => setExporting(false)}
        />
      )}
      <SelectionBar
        count={tab === 'traces' ? traceIds.length : chosen.length}
        noun={tab === 'traces' ? 'trace' : 'span'}
        isOpen={openTraceId !== undefined}
        onQueue={annotate}
        onClear={() => setSelected(new Set())}
      >
        <CompareLink projectId={projectId} ids={isRootsOnly ? traceIds : [...selected]} />
        <BulkActions
          projectId={projectId}
          isOfTraces={tab === 'traces'}
          selected={{
            traceIds,
            spanIds: chosen.map(({ id }) => id),
            otelTraceIds: [...new Set(chosen.map(({ context }) => context.traceId))],
          }}
          onDone={() => {
            setSelected(new Set());
            refresh();
          }}
        />
      </SelectionBar>
    </>
  );
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

const spanId = ({ id }: SpanRow): string => id;
