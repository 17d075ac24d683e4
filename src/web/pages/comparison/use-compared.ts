import { useMemo } from 'react';
import { RequestFailure } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { type ComparisonAddress, toComparisonInput } from './address.ts';
import { toCompared } from './compared.ts';
import { comparableExperiments, experimentComparison } from './generated/comparison.ts';

/** The dataset and the experiments that an address names. */
export function useCompared(datasetId: string, experimentIds: readonly string[]) {
  const key = experimentIds.join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the experiments
  const variables = useMemo(() => ({ datasetId, ids: experimentIds }), [datasetId, key]);
  const { data, failure, isStale, refetch } = useQuery(comparableExperiments, variables);
  const dataset = data?.dataset.__typename === 'Dataset' ? data.dataset : undefined;
  const compared = useMemo(
    () =>
      toCompared(
        variables.ids,
        (dataset?.chosen.edges ?? []).map(({ node }) => node),
      ),
    [dataset, variables],
  );
  return {
    dataset,
    compared,
    /** Whether `compared` says which experiments exist. */
    isKnown: dataset !== undefined && !isStale,
    failure: failure ?? (data && !dataset ? NO_DATASET : undefined),
    refetch,
  };
}

const NO_DATASET = new RequestFailure(
  'notFound',
  'The dataset does not exist.',
  'The ID does not belong to a dataset. It may have been deleted.',
);

/** Measures of all experiments, with their differences to the baseline. Reads nothing for fewer than two. */
export function useComparison(
  address: Pick<ComparisonAddress, 'experimentIds' | 'splitIds' | 'groupKey'>,
  isReady: boolean,
) {
  const isComparable = isReady && address.experimentIds.length > 1;
  const query = useQuery(experimentComparison, isComparable ? { input: toComparisonInput(address) } : undefined);
  return { ...query, comparison: query.data?.comparison };
}
