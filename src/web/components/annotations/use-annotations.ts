import { useEffect } from 'react';
import { useOnChange } from '../../data/change-context.ts';
import { send } from '../../data/request.ts';
import { forgetAnswers, useQuery } from '../../data/use-query.ts';
import { forgetRows } from '../../data/use-rows.ts';
import { type AnnotationTarget, type AnnotationValues, changesOf } from './annotation-changes.ts';
import { IDENTIFIER } from './authorship.ts';
import {
  type AnnotationsOfSpanData,
  annotationsOfDocuments,
  annotationsOfSession,
  annotationsOfSpan,
  annotationsOfTrace,
} from './generated/annotations.ts';

type SpanNode = Extract<AnnotationsOfSpanData['node'], { readonly __typename: 'Span' }>;
export type Annotation = SpanNode['annotations'][number];
export type AnnotationConfig = SpanNode['project']['annotationConfigs']['edges'][number]['node'];

export interface Annotations {
  /** Undefined without an object to annotate. */
  readonly target: AnnotationTarget | undefined;
  readonly annotations: readonly Annotation[];
  readonly notes: readonly Annotation[];
  readonly projectId: string | undefined;
  /** Annotation configs of the project. */
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
  readonly save: (values: AnnotationValues, changedId: string | undefined) => Promise<string>;
  readonly remove: (annotationId: string) => Promise<void>;
  /** Absent for targets without notes. */
  readonly addNote: ((note: string) => Promise<void>) | undefined;
}

const NOTE = 'note';
const READS = {
  span: annotationsOfSpan,
  trace: annotationsOfTrace,
  session: annotationsOfSession,
  document: annotationsOfDocuments,
} as const;

const readers = new Set<() => void>();

/** Refetches annotations and configs in all parts of the page. Call it after a change of either. */
export function refetchAnnotations(): void {
  forgetAnswers();
  forgetRows();
  for (const refetch of readers) refetch();
}

/** Calls `refetch` after each change in this browser tab. */
export function useAnnotationChanges(refetch: () => void): void {
  useEffect(() => {
    readers.add(refetch);
    return () => void readers.delete(refetch);
  }, [refetch]);
}

/** Annotations of a span, trace, session or document, with functions to change them. Empty without a target. */
export function useAnnotations(target: AnnotationTarget | undefined): Annotations {
  const kind = target?.kind ?? 'span';
  const { data, failure, isLoading, isStale, refetch } = useQuery(
    READS[kind] as typeof annotationsOfSpan,
    target && { id: target.id },
  );
  useAnnotationChanges(refetch);
  useOnChange(refetch);
  // The four responses have the same shape except for the names of their types.
  const node = target && data && 'annotations' in data.node && !isStale ? data.node : undefined;
  const all = (node?.annotations ?? NONE).filter(
    (each) => kind !== 'document' || (each as { documentPosition?: number }).documentPosition === target?.position,
  );
  const changes = changesOf(target ?? NOTHING);
  const run = async (change: Promise<unknown>) => {
    await change;
    refetchAnnotations();
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
    save: async (values, changedId) => {
      const id = changedId ?? (await changes.add(values, IDENTIFIER));
      if (changedId !== undefined) await changes.change(changedId, values);
      refetchAnnotations();
      return id;
    },
    remove: (annotationId) => run(send(changes.remove, { id: annotationId })),
    addNote: target && changes.addNote && ((note) => run(send(changes.addNote!, { id: target.id, note }))),
  };
}

const NOTHING: AnnotationTarget = { kind: 'span', id: '' };
const NONE: readonly Annotation[] = [];
