import { useMemo } from 'react';
import { RequestFailure } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import type { Compared } from '../compared.ts';
import { comparedExample, usedRevision } from './generated/row.ts';

/** An example with all its runs in the compared experiments, with whole texts. */
export function useComparedExample(exampleId: string, compared: readonly Compared[]) {
  const variables = useMemo(
    () => ({ id: exampleId, experimentIds: compared.map(({ id }) => id) }),
    [exampleId, compared],
  );
  const { data, failure, isStale, refetch } = useQuery(comparedExample, variables);
  const example = !isStale && data?.example.__typename === 'DatasetExample' ? data.example : undefined;
  const runs = useMemo(() => (example?.experimentRuns.edges ?? []).map(({ node }) => node), [example]);
  // The example may have changed since the baseline used it.
  const baseRun = runs.find(({ experimentId }) => experimentId === compared[0]?.id) ?? runs[0];
  const used = useQuery(usedRevision, baseRun && { runId: baseRun.id });
  const usedRun = !used.isStale && used.data?.run.__typename === 'ExperimentRun' ? used.data.run : undefined;
  return {
    example,
    revision: usedRun?.example.revision ?? example?.revision,
    runs,
    viewerId: data?.viewer?.id,
    failure: failure ?? (data && !isStale && !example ? NO_EXAMPLE : undefined),
    refetch,
  };
}

const NO_EXAMPLE = new RequestFailure(
  'notFound',
  'The example does not exist.',
  'The ID does not belong to an example.',
);
