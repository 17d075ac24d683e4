import type { AnnotationReader } from '../../contract/annotations.ts';
import type { ReadsOf } from '../read-context.ts';
import { aggregateAnnotations, findDocumentScores } from './aggregate-annotations.ts';
import { countAnnotations } from './count-annotations.ts';
import { findAnnotations, findWrittenAnnotations } from './find-annotations.ts';
import { findTargets } from './find-targets.ts';

/** Implementations of `AnnotationReader`. */
export const ANNOTATION_READS: ReadsOf<AnnotationReader> = {
  findAnnotations,
  findWrittenAnnotations,
  countAnnotations,
  aggregateAnnotations,
  findDocumentScores,
  findTargets,
};
