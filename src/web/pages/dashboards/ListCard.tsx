import type { ReactNode } from 'react';
import { BarList, type BarListRow } from '../../components/chart/BarList.tsx';
import { formatCount } from '../../format/numbers.ts';
import { FailureCard } from './FailureCard.tsx';
import { formatOf } from './format-metric.ts';
import { type Panel, titleOf } from './panel.ts';
import { groupPath, spansPath } from './panel-links.ts';
import { noteOf } from './SeriesCard.tsx';
import { type PanelScope, useMetric } from './use-panel.ts';

interface ListCardProps {
  readonly scope: PanelScope;
  readonly panel: Panel;
  readonly actions?: ReactNode;
}

/** Groups with the greatest values. Each links to its spans. */
export function ListCard({ scope, panel, actions }: ListCardProps) {
  const { metric, isLoading, failure, refetch } = useMetric(scope, panel);
  if (failure) return <FailureCard panel={panel} failure={failure} onRetry={refetch} actions={actions} />;
  const format = formatOf(panel);
  const rows = (metric?.groups ?? []).map(({ name, trace, values: [value = null] }): BarListRow => {
    const root = trace?.rootSpan?.name;
    return {
      id: `group ${name}`,
      // Traces share the names of their root spans.
      label: trace ? `${root ?? 'Trace'} ${trace.traceId.slice(0, 8)}` : name,
      value: value ?? 0,
      shown: format(value),
      to: groupPath(scope.projectId, panel, name, trace?.traceId),
    };
  });
  const { others } = metric ?? {};
  const rest: readonly BarListRow[] = others
    ? [
        {
          id: 'others',
          label: `${formatCount(others.groupCount)} others`,
          // The bars compare groups, and the rest is not one.
          value: 0,
          shown: format(others.values[0] ?? null),
          to: spansPath(scope.projectId, panel),
        },
      ]
    : [];
  return (
    <BarList
      title={titleOf(panel)}
      about={noteOf(panel, undefined)}
      color="--kind-retriever"
      isLoading={isLoading}
      rows={[...rows, ...rest]}
      actions={actions}
    />
  );
}
