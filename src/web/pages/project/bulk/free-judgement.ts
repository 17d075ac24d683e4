import type { AnnotationValues } from '../../../components/annotations/annotation-changes.ts';
import type { Draft } from '../../../components/annotations/annotation-draft.ts';

/** What is said by no config, or what is wrong with it. */
export function toFreeJudgement(draft: Draft, name: string): AnnotationValues | string {
  const label = draft.label.trim() || null;
  const score = draft.score.trim() === '' ? null : Number(draft.score);
  if (score !== null && !Number.isFinite(score)) return 'The score is a number.';
  if (label === null && score === null) return 'Say a label, a score, or both.';
  return { name: name.trim(), label, score, explanation: draft.explanation.trim() || null };
}
