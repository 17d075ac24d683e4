import { formatScore } from '../../../components/annotations/format-score.ts';
import { Icon } from '../../../components/Icon.tsx';
import type { CellAnnotation, CellScore } from '../run/cell.ts';

interface CellScoresProps {
  readonly scores: readonly CellScore[];
  readonly annotations: readonly CellAnnotation[];
}

/** Results of the evaluators of an output, and the annotations of the user. */
export const CellScores = ({ scores, annotations }: CellScoresProps) => (
  <ul className="output-scores" aria-label="Scores">
    {scores.map(({ name, label, score, error, explanation }) => (
      <li
        key={name}
        className={error === null ? 'output-score' : 'output-score status-error'}
        title={error ?? explanation ?? name}
      >
        <span className="muted" dir="auto">
          {name}
        </span>{' '}
        <strong dir="auto">
          {error === null ? (label ?? (score === null ? '--' : formatScore(score))) : 'failed'}
        </strong>
        {error === null && label !== null && score !== null && <span className="muted"> {formatScore(score)}</span>}
      </li>
    ))}
    {annotations.map(({ name, label, score }) => (
      <li key={`you ${name}`} className="output-score output-own" title={`${name}: your annotation`}>
        <Icon name="user" size={11} />
        <span className="muted" dir="auto">
          {name}
        </span>{' '}
        <strong dir="auto">{label ?? (score === null ? 'text' : formatScore(score))}</strong>
      </li>
    ))}
  </ul>
);
