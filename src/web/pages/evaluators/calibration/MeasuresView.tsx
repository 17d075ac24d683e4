import type { CSSProperties, ReactNode } from 'react';
import { formatCount } from '../../../format/numbers.ts';
import { formatMeasure, formatShare, type LabelMeasures, type Measures, wordForKappa } from './calibration-data.ts';

/** A cell of the confusion matrix. */
export interface MatrixCell {
  readonly humanLabel: string;
  readonly judgeLabel: string;
}

interface MeasuresViewProps {
  readonly measures: Measures;
  /** The cell whose targets are listed. */
  readonly cell: MatrixCell | undefined;
  readonly onCell: (cell: MatrixCell | undefined) => void;
}

/** Agreement of an evaluator with people: its size, where it is missing, and by label. */
export function MeasuresView({ measures, cell, onCell }: MeasuresViewProps) {
  const { labels, scores, evaluatedCount, errorCount } = measures;
  return (
    <>
      <dl className="calibration-tiles">
        {labels && (
          <>
            <Tile name="Agreement" value={formatShare(labels.share)}>
              {formatCount(labels.agreedCount)} of {formatCount(labels.count)}, 95% interval{' '}
              {formatShare(labels.shareInterval.low)} to {formatShare(labels.shareInterval.high)}
            </Tile>
            <Tile name="Cohen’s kappa" value={labels.kappa === null ? '--' : formatMeasure(labels.kappa)}>
              {labels.kappa === null
                ? 'All labels are the same'
                : labels.kappaInterval
                  ? `${wordForKappa(labels.kappa)}, 95% interval ${formatMeasure(labels.kappaInterval.low)} to ${formatMeasure(labels.kappaInterval.high)}`
                  : wordForKappa(labels.kappa)}
            </Tile>
          </>
        )}
        {scores && (
          <>
            <Tile name="Correlation" value={scores.correlation === null ? '--' : formatMeasure(scores.correlation)}>
              of {formatCount(scores.count)} scores
            </Tile>
            <Tile name="Difference of scores" value={formatMeasure(scores.meanDifference)}>
              on average; without its sign {formatMeasure(scores.meanAbsoluteDifference)}
            </Tile>
          </>
        )}
        <Tile name="Evaluated" value={formatCount(evaluatedCount)}>
          of {formatCount(measures.targetCount)} targets{errorCount > 0 ? `, ${formatCount(errorCount)} failed` : ''}
        </Tile>
      </dl>
      {labels ? (
        <div className="calibration-tables">
          <ConfusionMatrix labels={labels} cell={cell} onCell={onCell} />
          <LabelTable labels={labels} />
        </div>
      ) : (
        !scores && <p className="muted">No target of this part has a result of both sides yet.</p>
      )}
    </>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly children: ReactNode;
}

const Tile = ({ name, value, children }: TileProps) => (
  <div className="card calibration-tile">
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong>
      <span className="muted">{children}</span>
    </dd>
  </div>
);

interface MatrixProps extends Omit<MeasuresViewProps, 'measures'> {
  readonly labels: LabelMeasures;
}

/** Numbers of targets by label of people (rows) and of the evaluator (columns). A cell lists its targets. */
function ConfusionMatrix({ labels: { labels, matrix }, cell, onCell }: MatrixProps) {
  const largest = Math.max(1, ...matrix.flat());
  return (
    <div className="calibration-scroll">
      <table className="calibration-matrix">
        <caption>Confusion matrix: human labels (rows), evaluator labels (columns)</caption>
        <thead>
          <tr>
            <td />
            {labels.map(({ label }) => (
              <th key={label} scope="col" dir="auto">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map(({ label: humanLabel }, row) => (
            <tr key={humanLabel}>
              <th scope="row" dir="auto">
                {humanLabel}
              </th>
              {labels.map(({ label: judgeLabel }, column) => {
                const count = matrix[row]?.[column] ?? 0;
                const isChosen = cell?.humanLabel === humanLabel && cell.judgeLabel === judgeLabel;
                return (
                  <td key={judgeLabel}>
                    <button
                      type="button"
                      className={row === column ? 'is-agreed' : 'is-missed'}
                      style={{ '--share': count / largest } as CSSProperties}
                      disabled={count === 0}
                      aria-pressed={isChosen}
                      aria-label={`${formatCount(count)}: people ${humanLabel}, evaluator ${judgeLabel}`}
                      onClick={() => onCell(isChosen ? undefined : { humanLabel, judgeLabel })}
                    >
                      {formatCount(count)}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const LabelTable = ({ labels: { labels } }: { readonly labels: LabelMeasures }) => (
  <div className="calibration-scroll">
    <table className="calibration-table">
      <caption>By label</caption>
      <thead>
        <tr>
          <th scope="col">Label</th>
          <th scope="col">People</th>
          <th scope="col">Evaluator</th>
          <th scope="col" title="Part of the labels of the evaluator that people gave, too">
            Precision
          </th>
          <th scope="col" title="Part of the labels of people that the evaluator gave, too">
            Recall
          </th>
          <th scope="col">F1</th>
        </tr>
      </thead>
      <tbody>
        {labels.map(({ label, humanCount, judgeCount, precision, recall, f1 }) => (
          <tr key={label}>
            <th scope="row" dir="auto">
              {label}
            </th>
            <td>{formatCount(humanCount)}</td>
            <td>{formatCount(judgeCount)}</td>
            <td>{precision === null ? '--' : formatShare(precision)}</td>
            <td>{recall === null ? '--' : formatShare(recall)}</td>
            <td>{f1 === null ? '--' : formatMeasure(f1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
