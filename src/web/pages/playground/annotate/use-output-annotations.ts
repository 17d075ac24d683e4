import { annotationsOfRun } from '../../../components/annotations/run/generated/run-annotations.ts';
import { usePersonAnnotations } from '../../../components/annotations/run/run-annotations.ts';
import { type Annotations, useAnnotations } from '../../../components/annotations/use-annotations.ts';
import { invalidate } from '../../../data/query-client.ts';
import { useQuery } from '../../../data/use-query.ts';
import type { CellFacts } from '../run/cell.ts';

const NONE: readonly never[] = [];

/** Annotations of an output: those of its run in an experiment, which comparisons show, else those of its span. */
export function useOutputAnnotations(facts: CellFacts | undefined): Annotations {
  const runId = facts?.runId ?? undefined;
  const spanId = runId === undefined ? (facts?.spanNodeId ?? undefined) : undefined;
  const ofSpan = useAnnotations(spanId === undefined ? undefined : { kind: 'span', id: spanId });
  const { data, failure, isLoading, isStale, refetch } = useQuery(
    annotationsOfRun,
    runId === undefined ? undefined : { id: runId },
  );
  const run = data?.node.__typename === 'ExperimentRun' && !isStale ? data.node : undefined;
  const ofRun = usePersonAnnotations({
    runId: run?.id,
    personAnnotations: run?.personAnnotations ?? NONE,
    viewerId: data?.viewer?.id,
    onSaved: () => void invalidate([annotationsOfRun]),
  });
  if (runId === undefined) return ofSpan;
  return {
    ...ofRun,
    isLoading: isLoading || ofRun.isLoading,
    failure: failure ?? ofRun.failure,
    refetch: () => {
      void refetch();
      ofRun.refetch();
    },
  };
}
