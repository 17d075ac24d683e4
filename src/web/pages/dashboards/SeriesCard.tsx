import type { ReactNode } from 'react';
import { type ChartSeries, distinctColors } from '../../components/chart/chart-series.ts';
import { TimeChart } from '../../components/chart/TimeChart.tsx';
import { formatCount } from '../../format/numbers.ts';
import { navigate } from '../../router/location.ts';
import { chooseRange } from '../../time-range/time-range.ts';
import { FailureCard } from './FailureCard.tsx';
import { formatOf } from './format-metric.ts';
import { AGGREGATES, aboutOf, isAdditive, METRICS, type Panel, titleOf } from './panel.ts';
import { spansPath } from './panel-links.ts';
import { type PanelScope, useMetric } from './use-panel.ts';

interface SeriesCardProps {
  readonly scope: PanelScope;
  readonly panel: Panel;
  readonly actions?: ReactNode;
}

/** Values over time, one line or segment for each aggregate or group. */
export function SeriesCard({ scope, panel, actions }: SeriesCardProps) {
  const { metric, isLoading, failure, refetch } = useMetric(scope, panel);
  if (failure) return <FailureCard panel={panel} failure={failure} onRetry={refetch} actions={actions} />;
  const starts = (metric?.timestamps ?? []).map((timestamp) => Date.parse(timestamp));
  const format = formatOf(panel);
  return (
    <TimeChart
      title={titleOf(panel)}
      about={noteOf(panel, metric)}
      kind={panel.style}
      isLoading={isLoading}
      isWhole={panel.aggregates[0] === 'count'}
      format={format}
      bins={{ starts, widthMs: scope.plan.widthMs }}
      series={metric ? toSeries(panel, metric) : []}
      onBrush={(start, end) => chooseRange({ kind: 'fixed', start, end })}
      onOpen={(from, to) => navigate(spansPath(scope.projectId, panel, { from, to }))}
      opens={panel.metric === 'traces' ? 'traces' : 'spans'}
      actions={actions}
    />
  );
}

type MetricData = NonNullable<ReturnType<typeof useMetric>['metric']>;

const AGGREGATE_COLORS = ['--kind-tool', '--kind-llm', '--accent-fill', '--kind-embedding'] as const;

function toSeries(panel: Panel, { groups, others, total }: MetricData): readonly ChartSeries[] {
  if (!panel.groupBy) {
    const isOne = panel.aggregates.length === 1;
    return panel.aggregates.map((aggregate, index) => ({
      id: aggregate,
      label: isOne ? METRICS[panel.metric].label : AGGREGATES[aggregate],
      color: isOne ? '--kind-retriever' : AGGREGATE_COLORS[index % AGGREGATE_COLORS.length]!,
      values: total.series[index] ?? [],
    }));
  }
  const colors = colorsOf(
    panel,
    groups.map(({ name }) => name),
  );
  const named = groups.map(({ name, trace, series }) => ({
    id: `group ${name}`,
    label: trace ? (trace.rootSpan?.name ?? trace.traceId) : name,
    color: colors.get(name)!,
    values: series[0] ?? [],
  }));
  // The mean or percentile of the rest is no line to compare with.
  if (!others || !isAdditive(panel)) return named;
  return [
    ...named,
    { id: 'others', label: `${formatCount(others.groupCount)} others`, color: '--bar', values: others.series[0] ?? [] },
  ];
}

const STATUS_COLORS: ReadonlyMap<string, `--${string}`> = new Map([
  ['OK', '--ok'],
  ['ERROR', '--error-fill'],
]);

/** Kinds and statuses have the colors that they have everywhere. */
function colorsOf({ groupBy }: Panel, names: readonly string[]): ReadonlyMap<string, `--${string}`> {
  const column = groupBy && 'column' in groupBy ? groupBy.column : undefined;
  if (column === 'kind') return new Map(names.map((name) => [name, `--kind-${name.toLowerCase()}`]));
  if (column === 'status') return new Map(names.map((name) => [name, STATUS_COLORS.get(name) ?? '--bar']));
  return distinctColors(names);
}

/** Says what a panel leaves out. */
export function noteOf(panel: Panel, metric: MetricData | undefined): string {
  const { ungroupedSpanCount = 0, others } = metric ?? {};
  const notes = [aboutOf(panel)];
  if (others && !isAdditive(panel)) notes.push(`${formatCount(others.groupCount)} more groups`);
  // Most spans have no model, so this says nothing about costs and tokens.
  if (panel.groupBy && 'attribute' in panel.groupBy && ungroupedSpanCount > 0) {
    notes.push(`${formatCount(ungroupedSpanCount)} spans without the attribute`);
  }
  return notes.filter((note) => note !== '').join(' · ');
}
