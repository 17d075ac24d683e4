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

/** Object that has annotations, by global ID. */
export interface AnnotatedObject {
  /** `run`: a run of an experiment, whose annotations have operations of their own. */
  readonly kind: AnnotationTarget['kind'] | 'run';
  readonly id: string;
  readonly position?: number;
}

/** Annotated object of a trace, by global ID. A document has the ID of its span. */
export interface AnnotationTarget {
  readonly kind: 'span' | 'trace' | 'session' | 'document';
  readonly id: string;
  /** Position of a document in its span. Absent for other objects. */
  readonly position?: number;
}

/** Content of an annotation. */
export interface AnnotationValue {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  readonly explanation: string | null;
}

/** Mutations for one kind of target. */
export interface AnnotationChanges {
  /** @returns ID of the annotation. It replaces an annotation of the same name and identifier. */
  add(value: AnnotationValue, identifier: string): Promise<string>;
  change(annotationId: string, value: AnnotationValue): Promise<unknown>;
  readonly remove: Operation<unknown, { readonly id: string }>;
  readonly addNote: Operation<unknown, { readonly id: string; readonly note: string }> | undefined;
}

const BY_PERSON = { annotatorKind: 'HUMAN', source: 'APP', metadata: {} } as const;

export function changesOf({ kind, id, position = 0 }: AnnotationTarget): AnnotationChanges {
  switch (kind) {
    case 'span':
      return {
        add: async (value, identifier) =>
          idOf(await send(addSpanAnnotation, { input: { ...BY_PERSON, ...value, identifier, spanId: id } })),
        change: (annotationId, value) => send(changeSpanAnnotation, { input: { annotationId, ...value } }),
        remove: removeSpanAnnotation,
        addNote: addSpanNote,
      };
    case 'trace':
      return {
        add: async (value, identifier) =>
          idOf(await send(addTraceAnnotation, { input: { ...BY_PERSON, ...value, identifier, traceId: id } })),
        change: (annotationId, value) => send(changeTraceAnnotation, { input: { annotationId, ...value } }),
        remove: removeTraceAnnotation,
        addNote: addTraceNote,
      };
    case 'session':
      return {
        add: async (value, identifier) => {
          const input = { ...BY_PERSON, ...value, identifier, projectSessionId: id };
          return (await send(addSessionAnnotation, { input })).added.annotation.id;
        },
        change: (annotationId, value) =>
          send(changeSessionAnnotation, { input: { ...BY_PERSON, ...value, id: annotationId } }),
        remove: removeSessionAnnotation,
        addNote: addSessionNote,
      };
    case 'document':
      return {
        add: async (value, identifier) => {
          const input = { ...BY_PERSON, ...value, identifier, spanId: id, documentPosition: position };
          return idOf(await send(addDocumentAnnotation, { input }));
        },
        change: (annotationId, value) => send(changeDocumentAnnotation, { input: { annotationId, ...value } }),
        remove: removeDocumentAnnotation,
        addNote: undefined,
      };
  }
}

const idOf = ({ added }: { readonly added: { readonly annotations: readonly { readonly id: string }[] } }): string =>
  added.annotations[0]!.id;
