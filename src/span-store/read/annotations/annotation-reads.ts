import type { AnnotationReader } from '../../contract/annotations.ts';
import type { ReadsOf } from '../read-context.ts';
import { countMatchingAnnotations } from './count-matching-annotations.ts';
import {
  findAnnotations,
  findAnnotationsByRowIds,
  findAnnotationsOfTargets,
  findWrittenAnnotations,
} from './find-annotations.ts';
import { findTargets } from './find-targets.ts';
import { countAnnotations, findDocumentScores, sumUpAnnotations } from './sum-up-annotations.ts';

/** Implementations of `AnnotationReader`. */
export const ANNOTATION_READS: ReadsOf<AnnotationReader> = {
  findAnnotations,
  findAnnotationsByRowIds,
  findAnnotationsOfTargets,
  findWrittenAnnotations,
  countAnnotations,
  countMatchingAnnotations,
  sumUpAnnotations,
  findDocumentScores,
  findTargets,
};
