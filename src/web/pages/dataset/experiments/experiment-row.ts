import { MISSING } from '../../../format/numbers.ts';
import type { ExperimentDetailsData, ExperimentGroupsData, ExperimentListData } from './generated/experiments.ts';

type DatasetOf<Data extends { readonly node: unknown }> = Extract<Data['node'], { readonly __typename: 'Dataset' }>;

export type Experiment = DatasetOf<ExperimentListData>['experiments']['edges'][number]['node'];
export type ScoreSummary = Experiment['annotationSummaries'][number];
export type ExperimentGroup = DatasetOf<ExperimentGroupsData>['experimentGroups'][number];

/** An experiment with what its page shows. */
export type ExperimentDetails = Extract<ExperimentDetailsData['node'], { readonly __typename: 'Experiment' }>;

/** A row of the table: an experiment, or the head of the group of the experiments below it. */
export type ExperimentRow =
  | Experiment
  | { readonly __typename: 'Group'; readonly id: string; readonly key: string; readonly group: ExperimentGroup };

/** The part of a response that belongs to the dataset. Undefined when the dataset has been deleted. */
export const datasetOf = <Data extends { readonly node: { readonly __typename: string } }>(
  data: Data | undefined,
): DatasetOf<Data> | undefined => (data?.node.__typename === 'Dataset' ? (data.node as DatasetOf<Data>) : undefined);

/** Puts a head above the first experiment of each group. The experiments are sorted by group. */
export function addGroupHeads(
  experiments: readonly Experiment[],
  key: string,
  groups: readonly ExperimentGroup[],
): ExperimentRow[] {
  const byValue = new Map(groups.map((group) => [group.value, group]));
  return experiments.flatMap((experiment, index) => {
    const value = experiment.group;
    if (index > 0 && experiments[index - 1]!.group === value) return [experiment];
    const group = byValue.get(value) ?? NO_FIGURES(value);
    return [{ __typename: 'Group', id: `group:${value ?? ''}:${value === null}`, key, group }, experiment];
  });
}

/** A group that appeared after the groups were read. */
const NO_FIGURES = (value: string | null): ExperimentGroup => ({
  value,
  experimentCount: 0,
  errorRate: null,
  averageRunLatencyMs: null,
  scores: [],
});

/** Whether runs may still arrive: the experiment is incomplete and not older than a day. */
export function isRunning({ job, runCount, expectedRunCount, createdAt }: Experiment, now = Date.now()): boolean {
  if (job) return job.status === 'RUNNING';
  return runCount < expectedRunCount && now - Date.parse(createdAt) < DAY_MS;
}

const DAY_MS = 86_400_000;

/** For example `2.5%`. */
export const formatShare = (share: number | null | undefined): string =>
  share == null ? MISSING : `${Number((share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0))}%`;

/** The comparison of experiments. The baseline comes first. */
export function comparePath(datasetId: string, ids: readonly string[], baselineId: string | undefined): string {
  const ordered = [...ids].sort((a, b) => Number(b === baselineId) - Number(a === baselineId));
  const query = ordered.map((id) => `experiment=${encodeURIComponent(id)}`).join('&');
  return `/datasets/${encodeURIComponent(datasetId)}/compare?${query}`;
}

/** Experiments that the comparison shows. */
export const COMPARED_COUNT_MAX = 8;
