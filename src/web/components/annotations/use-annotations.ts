import { send } from '../../data/request.ts';
import { forgetAnswers, useQuery } from '../../data/use-query.ts';
import { forgetRows } from '../../data/use-rows.ts';
import {
  type AnnotationsOfSpanData,
  addSpanAnnotation,
  addSpanNote,
  addTraceAnnotation,
  annotationsOfSpan,
  annotationsOfTrace,
  changeSpanAnnotation,
  changeTraceAnnotation,
  removeSpanAnnotation,
  removeTraceAnnotation,
} from './generated/annotations.ts';

type SpanNode = Extract<AnnotationsOfSpanData['node'], { readonly __typename: 'Span' }>;
export type Annotation = SpanNode['annotations'][number];
type AnyConfig = SpanNode['project']['annotationConfigs']['edges'][number]['node'];
export type AnnotationConfig = Exclude<AnyConfig, { readonly __typename: 'another' }>;

/** What is annotated, by global ID. */
export interface AnnotationTarget {
  readonly kind: 'span' | 'trace';
  readonly id: string;
}

/** What a person says of a target. */
export interface Judgement {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
}

export interface Annotations {
  readonly target: AnnotationTarget;
  readonly annotations: readonly Annotation[];
  readonly notes: readonly Annotation[];
  /** Of the project. */
  readonly configs: readonly AnnotationConfig[];
  readonly isLoading: boolean;
  readonly failure: ReturnType<typeof useQuery>['failure'];
  readonly refetch: () => void;
  /** @throws {RequestFailure} */
  readonly save: (judgement: Judgement, changed: Annotation | undefined) => Promise<void>;
  readonly remove: (annotation: Annotation) => Promise<void>;
  readonly addNote: (note: string) => Promise<void>;
}

const NOTE = 'note';
/**
 * Sets what people add here apart from what an application sent under the same name. A second one of a name replaces
 * the first, as long as the server knows nobody by name.
 */
const IDENTIFIER = 'interface';

/** Annotations of a span or trace, and what can be done to them. */
export function useAnnotations(target: AnnotationTarget | undefined): Annotations {
  const { kind, id = '' } = target ?? {};
  const ofSpan = useQuery(annotationsOfSpan, kind === 'span' ? { id } : undefined);
  const ofTrace = useQuery(annotationsOfTrace, kind === 'trace' ? { id } : undefined);
  const isSpan = kind !== 'trace';
  const { failure, isLoading, isStale, refetch } = isSpan ? ofSpan : ofTrace;
  const spanNode = ofSpan.data?.node;
  const traceNode = ofTrace.data?.node;
  const node =
    (isSpan ? spanNode?.__typename === 'Span' && spanNode : traceNode?.__typename === 'Trace' && traceNode) ||
    undefined;
  const all = (isStale ? undefined : node?.annotations) ?? NONE;
  const run = async (change: Promise<unknown>) => {
    await change;
    forgetAnswers();
    forgetRows();
    refetch();
  };
  return {
    target: { kind: kind ?? 'span', id },
    annotations: all.filter(({ name }) => name !== NOTE),
    notes: all.filter(({ name }) => name === NOTE),
    configs: (node?.project.annotationConfigs.edges ?? []).flatMap(({ node: config }) =>
      config.__typename === 'another' ? [] : [config],
    ),
    isLoading,
    failure,
    refetch,
    save(judgement, changed) {
      if (changed) {
        const input = { annotationId: changed.id, ...judgement };
        return run(isSpan ? send(changeSpanAnnotation, { input }) : send(changeTraceAnnotation, { input }));
      }
      const input = {
        ...judgement,
        annotatorKind: 'HUMAN',
        source: 'APP',
        metadata: {},
        identifier: IDENTIFIER,
      } as const;
      return run(
        isSpan
          ? send(addSpanAnnotation, { input: { ...input, spanId: id } })
          : send(addTraceAnnotation, { input: { ...input, traceId: id } }),
      );
    },
    remove: ({ id: gone }) =>
      run(isSpan ? send(removeSpanAnnotation, { id: gone }) : send(removeTraceAnnotation, { id: gone })),
    addNote: (note) => run(send(addSpanNote, { spanId: id, note })),
  };
}

const NONE: readonly Annotation[] = [];
