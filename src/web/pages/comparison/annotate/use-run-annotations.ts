import { useCallback, useEffect, useMemo, useRef } from 'react';
import { identifierOf } from '../../../components/annotations/authorship.ts';
import type { Annotation, Annotations } from '../../../components/annotations/use-annotations.ts';
import { refetchShown } from '../../../data/query-client.ts';
import { send } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { comparedRows, experimentComparison } from '../generated/comparison.ts';
import { comparedExample } from '../row/generated/row.ts';
import type { WholeRun } from '../row/whole-run.ts';
import { annotateExperimentRun, deleteExperimentRunAnnotation, runAnnotationConfigs } from './generated/annotate.ts';

const NOTHING = {};
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
  const { data, failure, isLoading, refetch } = useQuery(runAnnotationConfigs, NOTHING, CONFIG_OPTIONS);
  const runId = run?.id;
  const { note } = useRereadAtEnd();
  const hasSaved = () => {
    note();
    void refetchShown([comparedExample]);
  };
  const annotations = useMemo(
    () =>
      (run?.personAnnotations ?? [])
        .filter(({ isMine }) => isMine)
        .map(
          (each): Annotation => ({
            // A person has one annotation of a name.
            id: each.name,
            name: each.name,
            label: each.label,
            score: each.score,
            explanation: each.explanation,
            annotatorKind: 'HUMAN',
            source: 'APP',
            identifier: identifierOf(viewerId),
            createdAt: '',
            // A change of the value is a newer annotation.
            updatedAt: JSON.stringify([each.label, each.score, each.explanation]),
            user: viewerId === undefined ? null : { id: viewerId, username: '' },
            viewerId,
          }),
        ),
    [run, viewerId],
  );
  return {
    target: runId === undefined ? undefined : { kind: 'run', id: runId },
    annotations,
    notes: NONE,
    projectId: undefined,
    configs: data?.annotationConfigs.edges.map(({ node }) => node) ?? NONE,
    isLoading,
    failure,
    refetch,
    save: async ({ name, score, label, explanation }) => {
      await send(annotateExperimentRun, { input: { runId: runId!, name, score, label, explanation } });
      hasSaved();
      return name;
    },
    remove: async (name) => {
      await send(deleteExperimentRunAnnotation, { runId: runId!, name });
      hasSaved();
    },
    addNote: undefined,
  };
}

const CONFIG_OPTIONS = { staleMs: 60_000 };
