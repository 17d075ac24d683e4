import { type AnnotationTarget, NOTE_NAME } from '../../model/annotations/annotation.ts';
import { SpandrelError } from '../../model/errors.ts';

/** @throws {SpandrelError} `ANNOTATION_NAME_RESERVED`. Documents have no notes, so the name is free for them. */
export function checkAnnotationName(target: AnnotationTarget, name: string): void {
  if (target === 'document' || name !== NOTE_NAME) return;
  throw new SpandrelError('ANNOTATION_NAME_RESERVED', `The name '${NOTE_NAME}' is reserved for ${target} notes.`);
}

/** Same as `checkAnnotationName`, but also rejects an empty name of a document annotation, which only REST accepts. */
export function checkNonEmptyName(target: AnnotationTarget, name: string): void {
  checkAnnotationName(target, name);
  if (target !== 'document' || name.trim() !== '') return;
  throw new SpandrelError('ANNOTATION_INVALID', 'The name of an annotation must be non-empty.');
}
