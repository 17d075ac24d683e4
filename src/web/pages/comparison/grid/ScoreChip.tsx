import { formatScore } from '../../../components/annotations/format-score.ts';
import type { ComparedScore, Measure } from '../compared.ts';
import { isBetter } from '../format-measure.ts';

interface ScoreChipProps {
  readonly of: ComparedScore;
  /** Undefined while the measures load. */
  readonly measure: Pick<Measure, 'direction'> | undefined;
  /** Whether there is space for the size of the difference. */
  readonly hasSize: boolean;
}

/**
 * A score of a run with its difference to the baseline. Arrow and color say whether it is better. A label has no size, so
 * the tooltip has its difference.
 */
export function ScoreChip({ of, measure, hasSize }: ScoreChipProps) {
  const { name, score, label, explanation, annotatorKind, difference } = of;
  const value = label ?? (score === null ? '–' : formatScore(score));
  const better = measure && difference !== null ? isBetter(measure, difference) : undefined;
  const state = better === undefined ? '' : better ? ' is-better' : ' is-worse';
  const size = formatScore(Math.abs(difference ?? 0));
  const change = difference === null || difference === 0 ? undefined : `${difference > 0 ? '+' : '−'}${size}`;
  const title = [
    `${name}: ${[label, score === null ? undefined : formatScore(score)].filter(Boolean).join(' ')}`,
    change && `${change} to the baseline`,
    ANNOTATORS[annotatorKind],
    explanation?.slice(0, 300),
  ]
    .filter(Boolean)
    .join('\n');
  return (
    <span className={`annotation-chip score-chip${state}`} title={title}>
      <span dir="auto">{name}</span>
      <strong dir="auto">{value}</strong>
      {change && (
        <span>{better === undefined ? change : `${better ? '▲' : '▼'}${hasSize && label === null ? size : ''}`}</span>
      )}
    </span>
  );
}

const ANNOTATORS = { LLM: 'by a model', CODE: 'by code', HUMAN: 'by a person' } as const;
