import { useState } from 'react';
import { formatScore } from '../../../components/annotations/format-score.ts';
import { FailureLine } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { send } from '../../../data/request.ts';
import { useRows } from '../../../data/use-rows.ts';
import { formatCount } from '../../../format/numbers.ts';
import { wordsOf } from '../../../format/words-of.ts';
import { Link } from '../../../router/Link.tsx';
import type { CalibrationItem, Report } from './calibration-data.ts';
import { type CalibrationItemsVariables, calibrationItems } from './generated/calibration.ts';
import type { MatrixCell } from './MeasuresView.tsx';

export type Part = 'all' | 'tuning' | 'heldOut';
type Kind = 'disagreements' | 'errors' | 'all';

interface CalibrationItemsProps {
  readonly calibration: Report;
  readonly part: Part;
  /** A cell of the confusion matrix, to which the list is limited. */
  readonly cell: MatrixCell | undefined;
  readonly onClearCell: () => void;
}

const PAGE_COUNT = 50;
const KINDS = [
  ['disagreements', 'Disagreements'],
  ['errors', 'Failed'],
  ['all', 'All'],
] as const satisfies readonly (readonly [Kind, string])[];

/** Targets of a calibration with both results, and links to the target and to the trace of the evaluation. */
export function CalibrationItems({ calibration, part, cell, onClearCell }: CalibrationItemsProps) {
  const [kind, setKind] = useState<Kind>('disagreements');
  const filter: NonNullable<CalibrationItemsVariables['filter']> = {
    ...(part !== 'all' && { isHeldOut: part === 'heldOut' }),
    ...(cell ?? (kind === 'errors' ? { hasError: true } : kind === 'disagreements' ? { isDisagreement: true } : {})),
  };
  const load = async (after: string | undefined, signal: AbortSignal) => {
    const variables = { id: calibration.id, first: PAGE_COUNT, after: after ?? null, filter };
    const { node } = await send(calibrationItems, variables, signal);
    if (node.__typename !== 'Calibration') return { rows: [], next: undefined };
    const { edges, pageInfo } = node.items;
    return {
      rows: edges.map((edge) => edge.node),
      next: pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined,
    };
  };
  const { doneCount } = calibration.progress;
  // The list is another one when more targets have results.
  const list = useRows([calibrationItems.name, calibration.id, JSON.stringify(filter), doneCount], load, idOf);
  return (
    <section className="calibration-items" aria-label="Targets">
      <header className="row">
        <h2 className="grow">Targets</h2>
        {cell ? (
          <button type="button" className="button small" onClick={onClearCell}>
            People {cell.humanLabel}, evaluator {cell.judgeLabel} <Icon name="close" size={11} />
          </button>
        ) : (
          <Switch label="Shown targets" values={KINDS} value={kind} onChange={setKind} />
        )}
      </header>
      {list.failure && <FailureLine failure={list.failure} onRetry={list.retry} />}
      {list.rows.length > 0 && (
        <div className="calibration-scroll">
          <table className="calibration-table is-items">
            <thead>
              <tr>
                <th scope="col">Target</th>
                <th scope="col">People</th>
                <th scope="col">Evaluator</th>
                <th scope="col">Explanation</th>
                <th scope="col">Trace</th>
              </tr>
            </thead>
            <tbody>
              {list.rows.map((item) => (
                <ItemRow key={item.id} item={item} calibration={calibration} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!list.isLoading && list.isComplete && list.rows.length === 0 && (
        <p className="muted">
          {kind !== 'disagreements' || cell
            ? 'No targets match.'
            : calibration[part].evaluatedCount === 0
              ? 'Disagreements are listed here as soon as targets are evaluated.'
              : 'The evaluator and people agree on every target of this part.'}
        </p>
      )}
      {!list.isComplete && list.rows.length > 0 && (
        <button type="button" className="button small" disabled={list.isLoading} onClick={list.loadMore}>
          Show more
        </button>
      )}
    </section>
  );
}

const idOf = ({ id }: CalibrationItem): string => id;

function ItemRow({ item, calibration }: { readonly item: CalibrationItem; readonly calibration: Report }) {
  const { humanLabel, humanScore, humanCount, judgeLabel, judgeScore, explanation, error, trace, isDisagreement } =
    item;
  return (
    <tr data-disagrees={isDisagreement}>
      <td>
        <Target item={item} calibration={calibration} />
        {item.isHeldOut && <span className="muted"> held out</span>}
      </td>
      <td>
        <Verdict label={humanLabel} score={humanScore} />
        {humanCount > 1 && <span className="muted"> of {formatCount(humanCount)}</span>}
      </td>
      <td>
        {error === null ? (
          item.isDone ? (
            <Verdict label={judgeLabel} score={judgeScore} />
          ) : (
            <span className="muted">not yet</span>
          )
        ) : (
          <span className="error-text">failed</span>
        )}
      </td>
      <td className="calibration-text" dir="auto">
        {error === null ? explanation : <span className="error-text">{error}</span>}
      </td>
      <td>
        {trace && (
          <Link to={`/projects/${encodeURIComponent(trace.projectId)}/traces/${trace.traceId}`}>Evaluation</Link>
        )}
      </td>
    </tr>
  );
}

const Verdict = ({ label, score }: { readonly label: string | null; readonly score: number | null }) => (
  <span dir="auto">
    {label}
    {label === null && (score === null ? <span className="muted">--</span> : formatScore(score))}
  </span>
);

function Target({ item: { target }, calibration }: { readonly item: CalibrationItem; readonly calibration: Report }) {
  if (target === null) return <span className="muted">deleted</span>;
  switch (target.__typename) {
    case 'Span': {
      const path = `/projects/${encodeURIComponent(target.project.id)}/traces/${target.context.traceId}`;
      return (
        <Link to={`${path}?${new URLSearchParams({ selectedSpanNodeId: target.id })}`} className="clip" dir="auto">
          {target.name}
        </Link>
      );
    }
    case 'Trace':
      return (
        <Link to={`/projects/${encodeURIComponent(target.projectId)}/traces/${target.traceId}`}>
          Trace {target.traceId.slice(0, 8)}
        </Link>
      );
    case 'ProjectSession':
      return (
        <Link
          to={`/projects/${encodeURIComponent(target.project.id)}/sessions/${encodeURIComponent(target.id)}`}
          dir="auto"
        >
          {target.sessionId}
        </Link>
      );
    case 'ExperimentRun': {
      const { trace, experimentId, output } = target;
      const path = trace
        ? `/projects/${encodeURIComponent(trace.projectId)}/traces/${trace.traceId}`
        : `/datasets/${encodeURIComponent(calibration.dataset?.id ?? '')}/experiments/${encodeURIComponent(experimentId)}`;
      return (
        <Link to={path} className="calibration-run" dir="auto">
          {previewOf(output)}
        </Link>
      );
    }
    default:
      return null;
  }
}

const PREVIEW_CHARS_MAX = 80;

/** The start of the words of an output, by which people recognize a run. */
function previewOf(output: unknown): string {
  const text = wordsOf(output);
  if (text === '') return 'Run without an output';
  return text.length > PREVIEW_CHARS_MAX ? `${text.slice(0, PREVIEW_CHARS_MAX)}…` : text;
}
