import type { Panel } from '../../model/dashboards/dashboard.ts';

type Metric = Pick<Panel, 'metric' | 'aggregates' | 'annotationName' | 'groupBy'>;

/** Why a metric has no meaning with its groups. Undefined if it has one. */
export function findMetricIssue({ metric, aggregates, annotationName, groupBy }: Metric): string | undefined {
  const isByAnnotation = groupBy !== null && 'column' in groupBy && groupBy.column === 'annotation';
  if (metric !== 'annotation' && isByAnnotation) return 'only the metric annotation can be grouped by annotation';
  if (metric !== 'annotation' && annotationName !== null) return 'only the metric annotation has an annotationName';
  if (metric === 'annotation' && annotationName === null && !isByAnnotation) {
    return 'the metric annotation needs an annotationName, or groupBy annotation';
  }
  return aggregates.length > 1 && groupBy ? 'a panel with groups has one aggregate' : undefined;
}

/** Why the fields of a panel, each of which is valid, have no meaning together. */
export function findCombinationIssue(panel: Panel): string | undefined {
  const { kind, aggregates, groupBy, style } = panel;
  if (kind === 'figure' && groupBy) return 'a figure has no groupBy';
  if (kind === 'list' && !groupBy) return 'a list needs a groupBy';
  if (kind !== 'series' && aggregates.length > 1) return `a ${kind} has one aggregate`;
  if (kind === 'series' && style === 'bars' && aggregates.some((each) => each !== 'count' && each !== 'sum')) {
    return 'stacked bars need the aggregate count or sum; use the style lines';
  }
  return findMetricIssue(panel);
}
