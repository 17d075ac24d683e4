import type { Operation } from '../../data/operation.ts';
import { send } from '../../data/request.ts';
import {
  addDocumentAnnotation,
  addSessionAnnotation,
  addSessionNote,
  addSpanAnnotation,
  addSpanNote,
  addTraceAnnotation,
  addTraceNote,
  changeDocumentAnnotation,
  changeSessionAnnotation,
  changeSpanAnnotation,
  changeTraceAnnotation,
  removeDocumentAnnotation,
  removeSessionAnnotation,
  removeSpanAnnotation,
  removeTraceAnnotation,
} from './generated/annotations.ts';

/** Global ID of the annotated object. A document has the ID of its span. */
export interface AnnotationTarget {
  readonly kind: 'span' | 'trace' | 'session' | 'document';
  readonly id: string;
  /** Position among the documents of the span. Absent for other targets. */
  readonly position?: number;
}

/** Annotation of a target by a user. */
export interface AnnotationValues {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
}

/** Mutations of one kind of target. */
export interface AnnotationChanges {
  /** @returns ID of the annotation. It replaces an annotation of the same name and identifier. */
  add(values: AnnotationValues, identifier: string): Promise<string>;
  change(annotationId: string, values: AnnotationValues): Promise<unknown>;
  readonly remove: Operation<unknown, { readonly id: string }>;
  readonly addNote: Operation<unknown, { readonly id: string; readonly note: string }> | undefined;
}

const BY_PERSON = { annotatorKind: 'HUMAN', source: 'APP', metadata: {} } as const;

export function changesOf({ kind, id, position = 0 }: AnnotationTarget): AnnotationChanges {
  switch (kind) {
    case 'span':
      return {
        add: async (values, identifier) =>
          idOf(await send(addSpanAnnotation, { input: { ...BY_PERSON, ...values, identifier, spanId: id } })),
        change: (annotationId, values) => send(changeSpanAnnotation, { input: { annotationId, ...values } }),
        remove: removeSpanAnnotation,
        addNote: addSpanNote,
      };
    case 'trace':
      return {
        add: async (values, identifier) =>
          idOf(await send(addTraceAnnotation, { input: { ...BY_PERSON, ...values, identifier, traceId: id } })),
        change: (annotationId, values) => send(changeTraceAnnotation, { input: { annotationId, ...values } }),
        remove: removeTraceAnnotation,
        addNote: addTraceNote,
      };
    case 'session':
      return {
        add: async (values, identifier) => {
          const input = { ...BY_PERSON, ...values, identifier, projectSessionId: id };
          return (await send(addSessionAnnotation, { input })).added.annotation.id;
        },
        change: (annotationId, values) =>
          send(changeSessionAnnotation, { input: { ...BY_PERSON, ...values, id: annotationId } }),
        remove: removeSessionAnnotation,
        addNote: addSessionNote,
      };
    case 'document':
      return {
        add: async (values, identifier) => {
          const input = { ...BY_PERSON, ...values, identifier, spanId: id, documentPosition: position };
          return idOf(await send(addDocumentAnnotation, { input }));
        },
        change: (annotationId, values) => send(changeDocumentAnnotation, { input: { annotationId, ...values } }),
        remove: removeDocumentAnnotation,
        addNote: undefined,
      };
  }
}

const idOf = ({ added }: { readonly added: { readonly annotations: readonly { readonly id: string }[] } }): string =>
  added.annotations[0]!.id;
