import { useState } from 'react';
import { Icon } from '../../../components/Icon.tsx';
import { formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import type { Content } from '../address.ts';
import type { ComparedRow, ComparedRun, Measure } from '../compared.ts';
import { scoreKey } from '../compared.ts';
import { CellText } from './CellText.tsx';
import { ScoreChip } from './ScoreChip.tsx';

interface RunCellProps {
  readonly cell: ComparedRow['cells'][number] | undefined;
  /** Cell of the baseline. Undefined for the baseline itself. */
  readonly base: ComparedRow['cells'][number] | undefined;
  readonly content: Content;
  readonly measures: ReadonlyMap<string, Measure>;
  /** Whether the keys H and L have moved here. */
  readonly isCurrent: boolean;
}

/** The runs of one example in one experiment: one repetition at a time, with its scores and figures. */
export function RunCell({ cell, base, content, measures, isCurrent }: RunCellProps) {
  const [index, setIndex] = useState(0);
  const runs = cell?.runs ?? [];
  const run = runs[Math.min(index, runs.length - 1)];
  if (!run)
    return (
      <div className="run-cell is-missing" data-current={isCurrent}>
        No run
      </div>
    );
  const baseRun = base?.runs.find((each) => each.repetitionNumber === run.repetitionNumber) ?? base?.runs[0];
  return (
    <div className="run-cell" data-current={isCurrent}>
      <div className="cell-text" dir="auto">
        <RunOutput run={run} base={baseRun} content={content} />
      </div>
      <div className="run-chips">
        {run.scores.slice(0, CHIP_COUNT_MAX).map((score) => (
          <ScoreChip
            key={`${score.name} ${score.annotatorKind}`}
            of={score}
            measure={measures.get(scoreKey(score))}
            hasSize={run.scores.length < CHIP_COUNT_MAX}
          />
        ))}
        <MoreScores count={run.scores.length - CHIP_COUNT_MAX} className="more-scores" />
        <MoreScores count={run.scores.length - NARROW_CHIP_COUNT_MAX} className="more-scores is-narrow" />
      </div>
      <div className="run-figures">
        <span>{formatLatency(run.latencyMs)}</span>
        {run.totalTokens !== null && <span>{formatCount(run.totalTokens)} tokens</span>}
        {run.totalCost !== null && <span>{formatSmallCost(run.totalCost)}</span>}
        {runs.length > 1 && (
          <Repetitions index={Math.min(index, runs.length - 1)} count={runs.length} onIndex={setIndex} />
        )}
      </div>
    </div>
  );
}

/** More would not fit into a cell. A narrow one hides the last. */
const CHIP_COUNT_MAX = 3;
const NARROW_CHIP_COUNT_MAX = CHIP_COUNT_MAX - 1;

const MoreScores = ({ count, className }: { readonly count: number; readonly className: string }) =>
  count > 0 && <span className={`muted ${className}`}>+{count}</span>;

interface RunOutputProps {
  readonly run: ComparedRun;
  readonly base: ComparedRun | undefined;
  readonly content: Content;
}

function RunOutput({ run, base, content }: RunOutputProps) {
  if (run.error !== null) {
    return (
      <span title={run.error.slice(0, 1_000)}>
        <span className="status-error">Error</span> {run.error.slice(0, 300)}
      </span>
    );
  }
  return (
    <>
      {run.toolCalls.length > 0 && (
        <span className="tool-calls">
          <Icon name="tool" size={12} /> {run.toolCalls.join(', ')}{' '}
        </span>
      )}
      {run.output ? (
        <CellText of={run.output} content={content} base={base?.output ?? undefined} />
      ) : (
        run.toolCalls.length === 0 && <span className="muted">No output</span>
      )}
    </>
  );
}

interface RepetitionsProps {
  readonly index: number;
  readonly count: number;
  readonly onIndex: (index: number) => void;
}

/** Steps through the repetitions of a run. */
export function Repetitions({ index, count, onIndex }: RepetitionsProps) {
  return (
    <span className="repetitions" role="group" aria-label="Repetition">
      <button
        type="button"
        className="button bare small icon-only"
        aria-label="Previous repetition"
        onClick={() => onIndex((index + count - 1) % count)}
      >
        <Icon name="left" size={11} />
      </button>
      <span>
        {index + 1}/{count}
      </span>
      <button
        type="button"
        className="button bare small icon-only"
        aria-label="Next repetition"
        onClick={() => onIndex((index + 1) % count)}
      >
        <Icon name="right" size={11} />
      </button>
    </span>
  );
}
