import { formatScore } from './format-score.ts';

interface AnnotationChipProps {
  readonly name: string;
  readonly label: string | null;
  readonly score: number | null;
  /** Number of annotations that the chip aggregates. */
  readonly count?: number;
  readonly title?: string | undefined;
}

/** Short form of an annotation: its name, and its label or score. */
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
