import { useCallback, useEffect, useRef } from 'react';
import { usePersonAnnotations } from '../../../components/annotations/run/run-annotations.ts';
import type { Annotations } from '../../../components/annotations/use-annotations.ts';
import { refetchShown } from '../../../data/query-client.ts';
import { comparedRows, experimentComparison } from '../generated/comparison.ts';
import { comparedExample } from '../row/generated/row.ts';
import type { WholeRun } from '../row/whole-run.ts';

const NONE: readonly never[] = [];

/** Reads rows and summary again when the user stops annotating. Until then, each annotation only reads its example. */
export function useRereadAtEnd(): { readonly note: () => void; readonly reread: () => void } {
  const hasChanged = useRef(false);
  const reread = useCallback(() => {
    if (hasChanged.current) void refetchShown([comparedRows, experimentComparison]);
    hasChanged.current = false;
  }, []);
  useEffect(() => reread, [reread]);
  const note = useCallback(() => {
    hasChanged.current = true;
  }, []);
  return { note, reread };
}

/** A person's annotations of a run, in the form that the scorecard of the tracing pages takes. */
export function useRunAnnotations(run: WholeRun | undefined, viewerId: string | undefined): Annotations {
  const { note } = useRereadAtEnd();
  return usePersonAnnotations({
    runId: run?.id,
    personAnnotations: run?.personAnnotations ?? NONE,
    viewerId,
    onSaved: () => {
      note();
      void refetchShown([comparedExample]);
    },
  });
}
