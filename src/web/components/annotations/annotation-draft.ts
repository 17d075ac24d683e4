import type { AnnotationValues } from './annotation-changes.ts';
import type { Annotation, AnnotationConfig } from './use-annotations.ts';

/** Annotation as the user types it, possibly invalid. */
export interface Draft {
  readonly label: string;
  readonly score: string;
  readonly explanation: string;
}

export const EMPTY_DRAFT: Draft = { label: '', score: '', explanation: '' };

export const toDraft = (given: Annotation | undefined): Draft => ({
  label: given?.label ?? '',
  score: given?.score == null ? '' : String(given.score),
  explanation: given?.explanation ?? '',
});

export const isEmpty = ({ label, score, explanation }: Draft): boolean =>
  label.trim() === '' && score.trim() === '' && explanation.trim() === '';

/** Input of the mutation, or the problem of the draft. */
export function toAnnotationValues(draft: Draft, config: AnnotationConfig): AnnotationValues | string {
  const { name } = config;
  const label = draft.label.trim() || null;
  const explanation = draft.explanation.trim() || null;
  const score = draft.score.trim() === '' ? null : Number(draft.score);
  if (score !== null && !Number.isFinite(score)) return 'The score must be a number.';
  if (config.__typename === 'CategoricalAnnotationConfig') {
    if (label === null) return 'Choose a label.';
    return { name, label, score, explanation };
  }
  const { lowerBound: low, upperBound: high } = config;
  if (score !== null && ((low !== null && score < low) || (high !== null && score > high))) {
    return `The score must be ${boundsText(low, high)}.`;
  }
  if (config.__typename === 'ContinuousAnnotationConfig' && score === null) return 'Enter a score.';
  return { name, label, score, explanation };
}

/** For example `from 0 to 1`, `at least 0` or `at most 5`. Empty without bounds. */
export function boundsText(low: number | null, high: number | null): string {
  if (low !== null && high !== null) return `from ${low} to ${high}`;
  if (low !== null) return `at least ${low}`;
  return high === null ? '' : `at most ${high}`;
}
