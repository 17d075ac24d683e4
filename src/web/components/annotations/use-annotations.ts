import { useOnChange } from '../../data/change-context.ts';
import { send } from '../../data/request.ts';
import { forgetAnswers, useQuery } from '../../data/use-query.ts';
import { forgetRows } from '../../data/use-rows.ts';
import { type AnnotationTarget, changesOf, type Judgement } from './annotation-changes.ts';
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
  readonly target: AnnotationTarget;
  readonly annotations: readonly Annotation[];
  readonly notes: readonly Annotation[];
  readonly projectId: string | undefined;
  /** Of the project. */
  readonly configs: readonly AnnotationConfig[];
  readonly isLoading: boolean;
  readonly failure: ReturnType<typeof useQuery>['failure'];
  readonly refetch: () => void;
  /** @throws {RequestFailure} */
  readonly save: (judgement: Judgement, changed: Annotation | undefined) => Promise<void>;
  readonly remove: (annotation: Annotation) => Promise<void>;
  /** Absent where there are no notes. */
  readonly addNote: ((note: string) => Promise<void>) | undefined;
}

const NOTE = 'note';
const READS = {
  span: annotationsOfSpan,
  trace: annotationsOfTrace,
  session: annotationsOfSession,
  document: annotationsOfDocuments,
} as const;

/** Annotations of a span, trace, session or document, and what can be done to them. */
export function useAnnotations(target: AnnotationTarget): Annotations {
  const { kind, id } = target;
  const { data, failure, isLoading, isStale, refetch } = useQuery(READS[kind] as typeof annotationsOfSpan, { id });
  useOnChange(refetch);
  // The four answers have the same shape but for their types' names.
  const node = data && 'annotations' in data.node && !isStale ? data.node : undefined;
  const all = (node?.annotations ?? NONE).filter(
    (each) => kind !== 'document' || (each as { documentPosition?: number }).documentPosition === target.position,
  );
  const changes = changesOf(target);
  const run = async (change: Promise<unknown>) => {
    await change;
    forgetAnswers();
    forgetRows();
    refetch();
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
    save: (judgement, changed) =>
      run(changed ? changes.change(changed.id, judgement) : changes.add(judgement, IDENTIFIER)),
    remove: (annotation) => run(send(changes.remove, { id: annotation.id })),
    addNote: changes.addNote && ((note) => run(send(changes.addNote!, { id, note }))),
  };
}

const NONE: readonly Annotation[] = [];
