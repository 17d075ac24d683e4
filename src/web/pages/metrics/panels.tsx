import type { ReactNode } from 'react';
import type { BinPlan } from '../../components/chart/bins.ts';
import type { ChartBins } from '../../components/chart/chart-series.ts';
import { Failure } from '../../components/Failure.tsx';
import type { Operation } from '../../data/operation.ts';
import { type QueryResult, useQuery } from '../../data/use-query.ts';
import { navigate } from '../../router/location.ts';
import { chooseRange } from '../../time-range/time-range.ts';
import { placeOfRows, type SpanPlace } from './place-of-rows.ts';

/** What every panel of the page is of. */
export interface PanelsProps {
  readonly projectId: string;
  readonly timeRange: { readonly start: string; readonly end: string };
  readonly plan: BinPlan;
  readonly timeZone: string;
}

type ProjectOf<Data> = Data extends { readonly node: infer Node }
  ? Extract<Node, { readonly __typename: 'Project' }>
  : never;

interface PanelQuery<Project> extends Pick<QueryResult<unknown>, 'failure' | 'isLoading' | 'refetch'> {
  readonly project: Project | undefined;
}

/** Asks for what a group of panels shows. */
export function usePanels<Data extends { readonly node: { readonly __typename: string } }, Variables>(
  operation: Operation<Data, Variables>,
  { projectId, timeRange, plan, timeZone }: PanelsProps,
): PanelQuery<ProjectOf<Data>> {
  const { scale, scaleCount } = plan;
  const variables = { id: projectId, timeRange, timeBinConfig: { scale, scaleCount, timeZone } };
  const { data, failure, isLoading, refetch } = useQuery(operation, variables as Variables);
  const project = data?.node.__typename === 'Project' ? (data.node as ProjectOf<Data>) : undefined;
  return { project, failure, isLoading, refetch };
}

/** Panels, or in their place why there are none. */
export function Panels<Project>({
  query,
  children,
}: {
  readonly query: PanelQuery<Project>;
  readonly children: ReactNode;
}) {
  if (!query.failure) return children;
  return (
    <section className="card chart-card">
      <Failure failure={query.failure} onRetry={query.refetch} />
    </section>
  );
}

export const toBins = (points: readonly { readonly timestamp: string }[], { widthMs }: BinPlan): ChartBins => ({
  starts: points.map(({ timestamp }) => Date.parse(timestamp)),
  widthMs,
});

/** Drawing over a chart narrows the page; a click opens the rows behind it. */
export const chartActions = (projectId: string, rows: SpanPlace = {}) => ({
  onBrush: (start: number, end: number) => chooseRange({ kind: 'fixed', start, end }),
  onOpen: (from: number, to: number) => navigate(placeOfRows(projectId, { ...rows, from, to })),
});
