import { useMemo } from 'react';
import type { SortState } from '../../../components/table/column.ts';
import { RequestFailure, send } from '../../../data/request.ts';
import { usePoll } from '../../../data/use-poll.ts';
import { useQuery, useRead } from '../../../data/use-query.ts';
import { type Rows, useRows } from '../../../data/use-rows.ts';
import { addGroupHeads, datasetOf, type Experiment, type ExperimentRow, isRunning } from './experiment-row.ts';
import {
  type ExperimentCostsData,
  experimentCosts,
  experimentGroups,
  experimentList,
} from './generated/experiments.ts';
import { toApiSort } from './read-sort.ts';

/** Experiments of a page of the list. */
const PAGE_COUNT = 50;
const POLL_MS = 3_000;

export type ExperimentCost = NonNullable<
  ReturnType<typeof datasetOf<ExperimentCostsData>>
>['experiments']['edges'][number]['node']['costSummary'];

export interface ExperimentList {
  readonly datasetId: string;
  readonly search: string;
  readonly sort: SortState | undefined;
  /** Key of the metadata by which the experiments are grouped. */
  readonly groupBy: string | undefined;
}

interface Experiments {
  readonly list: Rows<Experiment>;
  /** The experiments, with heads of groups. */
  readonly rows: readonly ExperimentRow[];
  /** Costs by ID. They are read after the experiments, because they come from the traces of every run. */
  readonly costs: ReadonlyMap<string, ExperimentCost>;
}

const experimentId = ({ id }: Experiment): string => id;

/** The experiments of a dataset. While runs may arrive, the list is read every three seconds. */
export function useExperiments({ datasetId, search, sort, groupBy }: ExperimentList): Experiments {
  const load = async (after: string | undefined, signal: AbortSignal) => {
    const variables = {
      id: datasetId,
      first: PAGE_COUNT,
      after: after ?? null,
      search: search || null,
      sort: toApiSort(sort),
      groupBy: groupBy ?? null,
      groupKey: groupBy ?? '',
    };
    const dataset = datasetOf(await send(experimentList, variables, signal));
    if (!dataset) throw new RequestFailure('notFound', 'The dataset does not exist any more.');
    const { edges, pageInfo } = dataset.experiments;
    return {
      rows: edges.map(({ node }) => node),
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  const list = useRows([experimentList.name, datasetId, search, sort, groupBy], load, experimentId);
  const groups = useQuery(experimentGroups, groupBy === undefined ? undefined : { id: datasetId, key: groupBy });
  const found = datasetOf(groups.data)?.experimentGroups;
  usePoll(
    () => {
      void list.reread();
      if (groupBy !== undefined) void groups.refetch();
    },
    list.rows.some((row) => isRunning(row)) ? POLL_MS : undefined,
  );
  const rows = useMemo(
    () => (groupBy === undefined ? list.rows : addGroupHeads(list.rows, groupBy, found ?? [])),
    [list.rows, groupBy, found],
  );
  return { list, rows, costs: useCosts(datasetId, list.rows) };
}

/** Costs of a page of experiments are one request. */
function useCosts(datasetId: string, rows: readonly Experiment[]): ReadonlyMap<string, ExperimentCost> {
  const ids = useMemo(() => rows.map(experimentId), [rows]);
  // More runs cost more.
  const runCounts = rows.map(({ runCount }) => runCount).join();
  const read = async (signal: AbortSignal) => {
    const costs: [string, ExperimentCost][] = [];
    for (let from = 0; from < ids.length; from += PAGE_COUNT) {
      const variables = { id: datasetId, ids: ids.slice(from, from + PAGE_COUNT) };
      const dataset = datasetOf(await send(experimentCosts, variables, signal));
      for (const { node } of dataset?.experiments.edges ?? []) costs.push([node.id, node.costSummary]);
    }
    return costs;
  };
  const { data } = useRead(ids.length === 0 ? undefined : [experimentCosts.name, ids, runCounts], read);
  return useMemo(() => new Map(data), [data]);
}
