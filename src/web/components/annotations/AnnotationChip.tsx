import { formatScore } from './format-score.ts';

interface AnnotationChipProps {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  /** Number of values that the chip summarizes. */
  readonly count?: number;
  readonly title?: string | undefined;
}

/** Name of an annotation with its label or score. */
export function AnnotationChip({ name, label, score, count = 1, title }: AnnotationChipProps) {
  const value = label ?? (score === null ? undefined : formatScore(score));
  return (
    <span className="annotation-chip" title={title ?? (value === undefined ? name : `${name}: ${value}`)}>
      <span>{name}</span>
      {value !== undefined && <strong>{value}</strong>}
      {count > 1 && <span className="muted">×{count}</span>}
    </span>
  );
}
