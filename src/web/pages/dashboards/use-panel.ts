import { type BinPlan, planBins } from '../../components/chart/bins.ts';
import { useQuery } from '../../data/use-query.ts';
import { useTimeFormat } from '../../format/times.ts';
import { boundsAt, type ChosenRange, chartedBounds } from '../../time-range/time-range.ts';
import { zoneName } from '../../time-range/zoned-text.ts';
import { panelFigure, panelMetric } from './generated/dashboards.ts';
import type { Panel } from './panel.ts';

/** Data selection that all panels of a dashboard share. */
export interface PanelScope {
  readonly projectId: string;
  readonly start: number;
  readonly end: number;
  readonly plan: BinPlan;
  readonly timeZone: string;
}

/** Maximum number of bins that a reader can tell apart in a panel. */
const BIN_COUNT_MAX = 48;

export function usePanelScope(projectId: string, range: ChosenRange, now: number): PanelScope {
  const { timeZone } = useTimeFormat();
  const { start, end } = chartedBounds(boundsAt(range, now), now);
  return { projectId, start, end, plan: planBins(end - start, BIN_COUNT_MAX), timeZone: zoneName(timeZone) };
}

const toApi = (start: number, end: number) => ({
  start: new Date(start).toISOString(),
  end: new Date(end).toISOString(),
});

function variablesOf({ projectId, start, end, plan, timeZone }: PanelScope, panel: Panel) {
  return {
    id: projectId,
    metric: panel.metric,
    aggregates: panel.aggregates,
    annotationName: panel.annotationName,
    filterCondition: panel.filter === '' ? null : panel.filter,
    timeRange: toApi(start, end),
    timeBinConfig: { scale: plan.scale, scaleCount: plan.scaleCount, timeZone },
  };
}

export function useMetric(scope: PanelScope, panel: Panel) {
  const { timeBinConfig, ...variables } = variablesOf(scope, panel);
  const query = useQuery(panelMetric, {
    ...variables,
    groupBy: panel.groupBy,
    first: panel.groupCount,
    timeBinConfig: panel.kind === 'series' ? timeBinConfig : null,
  });
  const node = query.data?.node;
  return { ...query, metric: node?.__typename === 'Project' ? node.spanMetric : undefined };
}

/** A figure, its series, and the value of the range before, which has the same length. */
export function useFigure(scope: PanelScope, panel: Panel) {
  const { start, end } = scope;
  const query = useQuery(panelFigure, {
    ...variablesOf(scope, panel),
    previousRange: toApi(start - (end - start), start),
  });
  const node = query.data?.node;
  const found = node?.__typename === 'Project' ? node : undefined;
  return { ...query, current: found?.current, previous: found?.previous.total.values[0] ?? null };
}
