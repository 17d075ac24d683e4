import { formatScore } from '../../../components/annotations/format-score.ts';
import type { CellScore } from '../run/cell.ts';

/** Results of the evaluators of an output. */
export const CellScores = ({ scores }: { readonly scores: readonly CellScore[] }) => (
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
  </ul>
);
