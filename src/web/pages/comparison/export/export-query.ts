import type { ComparisonAddress, RowSort } from '../address.ts';

/** Query of a route that exports a comparison, with the filter and the order of the grid. */
export function toExportQuery(
  { experimentIds, splitIds, filter, groupKey }: ComparisonAddress,
  sort: RowSort | 'none',
  file: 'csv' | 'report',
): string {
  const query = new URLSearchParams();
  const add = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== '') query.append(name, String(value));
  };
  for (const id of experimentIds) add('experiment_id', id);
  for (const id of splitIds) add('split_id', id);
  add('regressed_on', filter.regressedOn);
  add('improved_on', filter.improvedOn);
  add('disagree_on', filter.disagreeOn);
  add('filter_experiment_id', filter.experimentId);
  if (filter.hasError) add('has_error', 'true');
  if (filter.isMissing) add('is_missing', 'true');
  add('slower_than_ms', filter.slowerThanMs);
  add('condition', filter.condition.trim());
  add('text', filter.text.trim());
  if (sort !== 'none') {
    add('sort', sort.by);
    add('order', sort.order);
    add('sort_experiment_id', sort.experimentId);
  }
  if (file === 'report') add('metadata_key', groupKey);
  return query.toString();
}
