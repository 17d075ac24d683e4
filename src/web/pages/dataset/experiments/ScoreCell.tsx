import { formatScore } from '../../../components/annotations/format-score.ts';
import { Tooltip } from '../../../components/Tooltip.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { MISSING_CELL } from '../../project/spans/detail-columns.tsx';
import { formatShare, type ScoreSummary } from './experiment-row.ts';

/** Range of the scores of one annotation over all experiments. */
export interface ScoreRange {
  readonly low: number;
  readonly high: number;
}

/** Mean score with a bar, or the most frequent label. A tooltip shows the distribution. */
export function ScoreCell({
  summary,
  range,
}: {
  readonly summary: ScoreSummary | undefined;
  readonly range: ScoreRange;
}) {
  if (!summary) return MISSING_CELL;
  return (
    <Tooltip text={<Distribution summary={summary} />}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the tooltip also opens with the focus */}
      <span className="score-cell" tabIndex={0}>
        {summary.meanScore === null ? (
          <TopLabel summary={summary} />
        ) : (
          <ScoreBar mean={summary.meanScore} range={range} />
        )}
      </span>
    </Tooltip>
  );
}

/** A mean between the least and the greatest score. */
export function ScoreBar({ mean, range: { low, high } }: { readonly mean: number; readonly range: ScoreRange }) {
  const share = high > low ? Math.min(1, Math.max(0, (mean - low) / (high - low))) : 1;
  return (
    <>
      <span className="score-value">{formatScore(mean)}</span>
      <span className="score-bar" aria-hidden="true">
        <i style={{ width: `${share * 100}%` }} />
      </span>
    </>
  );
}

function TopLabel({ summary: { labelFractions, errorCount } }: { readonly summary: ScoreSummary }) {
  const [top] = labelFractions;
  if (top) {
    return (
      <span className="clip" dir="auto">
        {top.label} <span className="muted">{formatShare(top.fraction)}</span>
      </span>
    );
  }
  return errorCount > 0 ? <span className="error-text">failed</span> : MISSING_CELL;
}

const LABEL_COUNT_MAX = 5;

function Distribution({ summary }: { readonly summary: ScoreSummary }) {
  const { annotationName, minScore, meanScore, maxScore, percentiles, scoreBins, scoreCount } = summary;
  const { labelFractions, labelCount, errorCount } = summary;
  const [p10, p50, p90] = percentiles;
  const most = Math.max(1, ...scoreBins);
  return (
    <div className="distribution">
      <strong dir="auto">{annotationName}</strong>
      {scoreCount > 0 && (
        <>
          <svg viewBox={`0 0 ${scoreBins.length * 12} 40`} role="img" aria-label="Distribution of the scores">
            {scoreBins.map((count, index) => {
              const height = count === 0 ? 0.5 : Math.max(2, (count / most) * 40);
              // biome-ignore lint/suspicious/noArrayIndexKey: a bin is identified by its position
              return <rect key={index} x={index * 12} width={11} y={40 - height} height={height} />;
            })}
          </svg>
          <dl>
            {[
              ['Min', minScore],
              ['Mean', meanScore],
              ['Max', maxScore],
              ['P10', p10],
              ['P50', p50],
              ['P90', p90],
            ].map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value == null ? '' : formatScore(Number(value))}</dd>
              </div>
            ))}
          </dl>
          <span className="muted">
            {formatCount(scoreCount)} {scoreCount === 1 ? 'score' : 'scores'}
          </span>
        </>
      )}
      {labelFractions.slice(0, LABEL_COUNT_MAX).map(({ label, fraction }) => (
        <span key={label} dir="auto">
          {label} <span className="muted">{formatShare(fraction)}</span>
        </span>
      ))}
      {labelCount > 0 && <span className="muted">{formatCount(labelCount)} labels</span>}
      {errorCount > 0 && <span>{formatCount(errorCount)} failed evaluations</span>}
    </div>
  );
}
