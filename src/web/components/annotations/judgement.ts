import type { AnnotationConfig, Judgement } from './use-annotations.ts';

/** What is typed, before it is known to be right. */
export interface Draft {
  readonly name: string;
  readonly label: string;
  readonly score: string;
  readonly explanation: string;
}

/** A draft as it can be saved, or what is wrong with it. */
export function toJudgement(draft: Draft, config: AnnotationConfig | undefined): Judgement | string {
  const name = draft.name.trim();
  const label = draft.label.trim() || null;
  const explanation = draft.explanation.trim() || null;
  const score = draft.score.trim() === '' ? null : Number(draft.score);
  if (name === '') return 'Give it a name.';
  if (score !== null && !Number.isFinite(score)) return 'The score is a number.';
  if (config?.__typename === 'CategoricalAnnotationConfig' && label === null) return 'Choose a label.';
  if (label === null && score === null && explanation === null) return 'Give a label, a score or an explanation.';
  if (score !== null && config && config.__typename !== 'CategoricalAnnotationConfig') {
    const { lowerBound: low, upperBound: high } = config;
    if ((low !== null && score < low) || (high !== null && score > high)) {
      return `The score lies ${boundsText(low, high)}.`;
    }
  }
  return { name, label, score, explanation };
}

/** `from 0 to 1`, `from 0 up`, `up to 5`; nothing without bounds. */
export function boundsText(low: number | null, high: number | null): string {
  if (low !== null && high !== null) return `from ${low} to ${high}`;
  if (low !== null) return `from ${low} up`;
  return high === null ? '' : `up to ${high}`;
}
