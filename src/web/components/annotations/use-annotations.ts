import { invalidate, refetchShown } from '../../data/query-client.ts';
import { send } from '../../data/request.ts';
import { useQuery } from '../../data/use-query.ts';
import { type AnnotatedObject, type AnnotationTarget, type AnnotationValue, changesOf } from './annotation-changes.ts';
import { identifierOf } from './authorship.ts';
import {
  type AnnotationsOfSpanData,
  annotationsOfDocuments,
  annotationsOfSession,
  annotationsOfSpan,
  annotationsOfTrace,
} from './generated/annotations.ts';

type SpanNode = Extract<AnnotationsOfSpanData['node'], { readonly __typename: 'Span' }>;
export type Annotation = SpanNode['annotations'][number] & {
  /** ID of the user of this page. Undefined while sign-in is off, and where only names are shown. */
  readonly viewerId?: string | undefined;
};
export type AnnotationConfig = SpanNode['project']['annotationConfigs']['edges'][number]['node'];

export interface Annotations {
  /** Undefined without an object to annotate. */
  readonly target: AnnotatedObject | undefined;
  readonly annotations: readonly Annotation[];
  readonly notes: readonly Annotation[];
  readonly projectId: string | undefined;
  /** Configs of the project, or all configs for runs of experiments. */
  readonly configs: readonly AnnotationConfig[];
  readonly isLoading: boolean;
  readonly failure: ReturnType<typeof useQuery>['failure'];
  readonly refetch: () => void;
  /**
   * Adds an annotation, or changes the annotation with an ID.
   *
   * @returns Its ID.
   * @throws {RequestFailure}
   */
  readonly save: (value: AnnotationValue, changedId: string | undefined) => Promise<string>;
  readonly remove: (annotationId: string) => Promise<void>;
  /** Absent if the target cannot have notes. */
  readonly addNote: ((note: string) => Promise<void>) | undefined;
}

const NOTE = 'note';
const READS = {
  span: annotationsOfSpan,
  trace: annotationsOfTrace,
  session: annotationsOfSession,
  document: annotationsOfDocuments,
} as const;

/** Reads annotations and configs again in all parts of the page. */
export const refetchAnnotations = (): Promise<void> => refetchShown(Object.values(READS));

/** Call it after a change of an annotation or a config. */
export const invalidateAnnotations = (): Promise<void> => invalidate(Object.values(READS));

/** Annotations of a span, trace, session or document, with functions to change them. Empty without a target. */
export function useAnnotations(target: AnnotationTarget | undefined): Annotations {
  const kind = target?.kind ?? 'span';
  const { data, failure, isLoading, isStale, refetch } = useQuery(
    READS[kind] as typeof annotationsOfSpan,
    target && { id: target.id },
  );
  // The four responses have the same shape except for the names of their types.
  const node = target && data && 'annotations' in data.node && !isStale ? data.node : undefined;
  const viewerId = data?.viewer?.id;
  const all = (node?.annotations ?? [])
    .filter(
      (each) => kind !== 'document' || (each as { documentPosition?: number }).documentPosition === target?.position,
    )
    .map((each): Annotation => ({ ...each, viewerId }));
  const changes = changesOf(target ?? NOTHING);
  const run = async (change: Promise<unknown>) => {
    await change;
    void invalidateAnnotations();
  };
  return {
    target,
    annotations: all.filter(({ name }) => name !== NOTE),
    notes: all.filter(({ name }) => name === NOTE),
    projectId: node?.project.id,
    configs: (node?.project.annotationConfigs.edges ?? []).map(({ node: config }) => config),
    isLoading,
    failure,
    refetch,
    save: async (value, changedId) => {
      const id = changedId ?? (await changes.add(value, identifierOf(viewerId)));
      if (changedId !== undefined) await changes.change(changedId, value);
      void invalidateAnnotations();
      return id;
    },
    remove: (annotationId) => run(send(changes.remove, { id: annotationId })),
    addNote: target && changes.addNote && ((note) => run(send(changes.addNote!, { id: target.id, note }))),
  };
}

const NOTHING: AnnotationTarget = { kind: 'span', id: '' };
