import { useMemo } from 'react';
import { send } from '../../../data/request.ts';
import { useQuery } from '../../../data/use-query.ts';
import { identifierOf } from '../authorship.ts';
import type { Annotation, Annotations } from '../use-annotations.ts';
import {
  type AnnotationsOfRunData,
  annotateExperimentRun,
  deleteExperimentRunAnnotation,
  runAnnotationConfigs,
} from './generated/run-annotations.ts';

export type PersonAnnotation = Extract<
  AnnotationsOfRunData['node'],
  { readonly __typename: 'ExperimentRun' }
>['personAnnotations'][number];

interface RunOfPerson {
  /** Undefined without a run to annotate. */
  readonly runId: string | undefined;
  readonly personAnnotations: readonly PersonAnnotation[];
  readonly viewerId: string | undefined;
  /** Called after each change. */
  readonly onSaved: () => void;
}

const NOTHING = {};
const NONE: readonly never[] = [];
const CONFIG_OPTIONS = { staleMs: 60_000 };

/** The user's annotations of a run of an experiment, in the form that the scorecard takes. */
export function usePersonAnnotations({ runId, personAnnotations, viewerId, onSaved }: RunOfPerson): Annotations {
  const { data, failure, isLoading, refetch } = useQuery(runAnnotationConfigs, NOTHING, CONFIG_OPTIONS);
  const annotations = useMemo(
    () => personAnnotations.filter(({ isMine }) => isMine).map((each) => toAnnotation(each, viewerId)),
    [personAnnotations, viewerId],
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
      onSaved();
      return name;
    },
    remove: async (name) => {
      await send(deleteExperimentRunAnnotation, { runId: runId!, name });
      onSaved();
    },
    addNote: undefined,
  };
}

function toAnnotation({ name, label, score, explanation }: PersonAnnotation, viewerId: string | undefined): Annotation {
  return {
    // A person has one annotation of a name.
    id: name,
    ...{ name, label, score, explanation },
    annotatorKind: 'HUMAN',
    source: 'APP',
    identifier: identifierOf(viewerId),
    createdAt: '',
    // A change of the value is a newer annotation.
    updatedAt: JSON.stringify([label, score, explanation]),
    user: viewerId === undefined ? null : { id: viewerId, username: '' },
    viewerId,
  };
}
