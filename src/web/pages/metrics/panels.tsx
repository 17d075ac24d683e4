import type { ReactNode } from 'react';
import type { BinPlan } from '../../components/chart/bins.ts';
import type { ChartBins } from '../../components/chart/chart-series.ts';
import { Failure } from '../../components/Failure.tsx';
import { addCondition } from '../../components/filter/write-condition.ts';
import type { Operation } from '../../data/operation.ts';
import { type QueryResult, useQuery } from '../../data/use-query.ts';
import { navigate, setSearch } from '../../router/location.ts';
import { chooseRange } from '../../time-range/time-range.ts';
import { useOutdated } from '../project/row-scope.ts';
import { type RowsQuery, rowsPath } from './rows-path.ts';

/** Data selection that all panels of the page share. */
export interface PanelsProps {
  readonly projectId: string;
  /** Span filter, possibly empty. */
  readonly filter: string;
  readonly timeRange: { readonly start: string; readonly end: string };
  readonly plan: BinPlan;
  readonly timeZone: string;
}

type ProjectOf<Data> = Data extends { readonly node: infer Node }
  ? Extract<Node, { readonly __typename: 'Project' }>
  : never;

interface PanelQuery<Project> extends Pick<QueryResult<unknown>, 'failure' | 'isLoading' | 'refetch'> {
  readonly project: Project | undefined;
  /** Whether the data belongs to another filter. */
  readonly isOutdated: boolean;
  readonly isFiltered: boolean;
}

/** Reads the data of a group of panels. `more` adds variables to those that all groups have. */
export function usePanels<Data extends { readonly node: { readonly __typename: string } }, Variables>(
  operation: Operation<Data, Variables>,
  { projectId, filter, timeRange, plan, timeZone }: PanelsProps,
  more: object = {},
): PanelQuery<ProjectOf<Data>> {
  const { scale, scaleCount } = plan;
  const timeBinConfig = { scale, scaleCount, timeZone };
  const filterCondition = filter === '' ? null : filter;
  const variables = { id: projectId, timeRange, timeBinConfig, filterCondition, ...more };
  const { data, failure, isLoading, isStale, refetch } = useQuery(operation, variables as Variables);
  const isOutdated = useOutdated({ grain: 'traces', filter }, isStale);
  const project = data?.node.__typename === 'Project' ? (data.node as ProjectOf<Data>) : undefined;
  return { project, failure, isLoading, isOutdated, isFiltered: filter !== '', refetch };
}

/** Panels, or the reason why they cannot be shown. */
export function Panels<Project>({
  query,
  children,
}: {
  readonly query: PanelQuery<Project>;
  readonly children: ReactNode;
}) {
  if (!query.failure) return <div className={query.isOutdated ? 'panels is-outdated' : 'panels'}>{children}</div>;
  return (
    <section className="card chart-card">
      <Failure
        failure={query.failure}
        onRetry={query.refetch}
        onClearFilter={query.isFiltered ? () => setSearch({ spanFilterCondition: null }) : undefined}
      />
    </section>
  );
}

export const toBins = (points: readonly { readonly timestamp: string }[], { widthMs }: BinPlan): ChartBins => ({
  starts: points.map(({ timestamp }) => Date.parse(timestamp)),
  widthMs,
});

/** Drawing over a chart narrows the time range of the page. A click opens the matching rows behind a bin. */
export const chartActions = ({ projectId, filter }: PanelsProps, rows: RowsQuery = {}) => ({
  onBrush: (start: number, end: number) => chooseRange({ kind: 'fixed', start, end }),
  onOpen: (from: number, to: number) =>
    navigate(rowsPath(projectId, { ...rows, filter: narrowed(filter, rows.filter), from, to })),
  opens: rows.tab ?? 'spans',
});

/** Combines the filters of the page and of a panel. Undefined without either. */
export const narrowed = (filter: string, condition: string | undefined): string | undefined =>
  (condition === undefined ? filter : addCondition(filter, condition)) || undefined;
