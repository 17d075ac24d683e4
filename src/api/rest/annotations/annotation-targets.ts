import type { TSchema } from '@sinclair/typebox';
import { expectPresent } from '../../../base/expect-present.ts';
import type { AnnotationTarget } from '../../../model/annotations/annotation.ts';
import type { GlobalIdType } from '../../contract/global-id.ts';

/** Names of a kind of target in paths, fields and texts. */
export interface TargetWords<Target extends AnnotationTarget = AnnotationTarget> {
  readonly target: Target;
  readonly idField: 'span_id' | 'trace_id' | 'session_id';
  readonly idDescription: string;
  readonly globalIdType: GlobalIdType;
  readonly example: string;
}

/** Targets that have notes, and whose annotations can be read. */
export type NotedTarget = Exclude<AnnotationTarget, 'document'>;

export const NOTED_TARGETS: readonly TargetWords<NotedTarget>[] = [
  {
    target: 'span',
    idField: 'span_id',
    idDescription: 'Span ID of OpenTelemetry.',
    globalIdType: 'SpanAnnotation',
    example: '1f6bd3dd0a4f1a70',
  },
  {
    target: 'trace',
    idField: 'trace_id',
    idDescription: 'Trace ID of OpenTelemetry.',
    globalIdType: 'TraceAnnotation',
    example: '8be60e2a3a2bb4c7a5fa0d6ab56a4e4b',
  },
  {
    target: 'session',
    idField: 'session_id',
    idDescription: 'Session ID of the application.',
    globalIdType: 'ProjectSessionAnnotation',
    example: 'chat-42',
  },
];

export const DOCUMENT_TARGET: TargetWords<'document'> = {
  ...expectPresent(NOTED_TARGETS[0], 'the list starts with spans'),
  target: 'document',
  globalIdType: 'DocumentAnnotation',
};

/** `spanAnnotations`, as a part of an operation's name. */
export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The property that names the target, with its schema: exactly one of the three is there. */
export const idProperty = <Schema extends TSchema>({ idField }: TargetWords, schema: Schema) =>
  ({ [idField]: schema }) as unknown as Readonly<Record<TargetWords['idField'], Schema>>;
