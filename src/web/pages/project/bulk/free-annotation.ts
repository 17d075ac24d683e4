import type { AnnotationValue } from '../../../components/annotations/annotation-changes.ts';
import type { Draft } from '../../../components/annotations/annotation-draft.ts';

/** Returns an annotation without a config, or the reason why the draft is invalid. */
export function toFreeAnnotation(draft: Draft, name: string): AnnotationValue | string {
  const label = draft.label.trim() || null;
  const score = draft.score.trim() === '' ? null : Number(draft.score);
  if (score !== null && !Number.isFinite(score)) return 'The score must be a number.';
  if (label === null && score === null) return 'Enter a label, a score, or both.';
  return { name: name.trim(), label, score, explanation: draft.explanation.trim() || null };
}
