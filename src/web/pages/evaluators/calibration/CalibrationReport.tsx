import { useEffect, useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { Switch } from '../../../components/values/Card.tsx';
import { RequestFailure, send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { useQuery } from '../../../data/use-query.ts';
import { formatCount, formatLatency, formatSmallCost } from '../../../format/numbers.ts';
import { useTimeFormat } from '../../../format/times.ts';
import { CalibrationItems, type Part } from './CalibrationItems.tsx';
import { describeSource, describeVersion, type Report, STATUS_NAMES } from './calibration-data.ts';
import {
  calibrationReport,
  deleteCalibration,
  type ResumeCalibrationVariables,
  resumeCalibration,
  stopCalibration,
} from './generated/calibration.ts';
import { type MatrixCell, MeasuresView } from './MeasuresView.tsx';

export type Credentials = ResumeCalibrationVariables['input']['credentials'];

interface CalibrationReportProps {
  readonly id: string;
  /** Keys of this browser, for a resumed run. */
  readonly credentials: Credentials;
  readonly onDeleted: () => void;
  /** Called when the status is read, and each time it changes. */
  readonly onStatus: (status: Report['status']) => void;
}

/** Interval of reads while a calibration runs. */
const INTERVAL_MS = 1_000;

const PARTS = [
  ['all', 'All'],
  ['tuning', 'For tuning'],
  ['heldOut', 'Held out'],
] as const satisfies readonly (readonly [Part, string])[];

/** A calibration: progress, agreement, and the targets on which the evaluator and people disagree. */
export function CalibrationReport({ id, credentials, onDeleted, onStatus }: CalibrationReportProps) {
  const [isRunning, setRunning] = useState(false);
  const { data, failure, refetch } = useQuery(
    calibrationReport,
    { id },
    isRunning ? { intervalMs: INTERVAL_MS } : undefined,
  );
  const [part, setPart] = useState<Part>('all');
  const [cell, setCell] = useState<MatrixCell>();
  const calibration = data?.node.__typename === 'Calibration' ? data.node : undefined;
  if (calibration && (calibration.status === 'RUNNING') !== isRunning) setRunning(!isRunning);
  const status = calibration?.status;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per status
  useEffect(() => {
    if (status) onStatus(status);
  }, [status]);
  const problem = failure ?? (data && !calibration ? NO_CALIBRATION : undefined);
  if (problem) return <Failure failure={problem} onRetry={() => void refetch()} />;
  if (!calibration) return <div aria-busy="true" />;
  const hasParts = calibration.heldOutShare > 0;
  return (
    <>
      <Head calibration={calibration} credentials={credentials} onDeleted={onDeleted} />
      {hasParts && (
        <div className="row calibration-parts">
          <Switch label="Part of the targets" values={PARTS} value={part} onChange={setPart} />
          <span className="muted">
            Improve the evaluator by looking at the targets for tuning. The held-out targets show how it does on others.
          </span>
        </div>
      )}
      <MeasuresView measures={calibration[hasParts ? part : 'all']} cell={cell} onCell={setCell} />
      <CalibrationItems
        calibration={calibration}
        part={hasParts ? part : 'all'}
        cell={cell}
        onClearCell={() => setCell(undefined)}
      />
    </>
  );
}

const NO_CALIBRATION = new RequestFailure(
  'notFound',
  'The calibration does not exist.',
  'The ID does not belong to a calibration. It may have been deleted.',
);

interface HeadProps extends Pick<CalibrationReportProps, 'credentials' | 'onDeleted'> {
  readonly calibration: Report;
}

function Head({ calibration, credentials, onDeleted }: HeadProps) {
  const times = useTimeFormat();
  const { may } = useAccess();
  const change = useChange();
  const [isDeleting, setDeleting] = useState(false);
  const { id, status, reason, progress, annotationName, createdAt, user } = calibration;
  const { targetCount, doneCount, errorCount, cost, promptTokens, completionTokens, remainingSeconds } = progress;
  const canResume = (status === 'STOPPED' || status === 'ERROR' || errorCount > 0) && status !== 'RUNNING';
  const tokens = promptTokens + completionTokens;
  return (
    <section className="card calibration-head" aria-label="Calibration">
      <header className="row">
        <strong className="calibration-status" data-status={status} role="status">
          {STATUS_NAMES[status]}
        </strong>
        <span className="clip" dir="auto">
          {describeSource(calibration)}, labelled as {annotationName}
        </span>
        <span className="grow" />
        {status === 'RUNNING' && may(stopCalibration) && (
          <button
            type="button"
            className="button small"
            disabled={change.isBusy}
            onClick={() =>
              void change.run(
                () => send(stopCalibration, { id }),
                () => toast('Calibration stopped.'),
              )
            }
          >
            Stop
          </button>
        )}
        {canResume && may(resumeCalibration) && (
          <button
            type="button"
            className="button small"
            disabled={change.isBusy}
            onClick={() =>
              void change.run(
                () => send(resumeCalibration, { input: { calibrationId: id, ...(credentials && { credentials }) } }),
                () => toast('Calibration resumed.'),
              )
            }
          >
            {status === 'COMPLETED' ? 'Try failed ones again' : 'Resume'}
          </button>
        )}
        {may(deleteCalibration) && (
          <button
            type="button"
            className="button bare small icon-only"
            aria-label="Delete calibration"
            onClick={() => setDeleting(true)}
          >
            <Icon name="trash" size={13} />
          </button>
        )}
      </header>
      {status === 'RUNNING' && (
        <progress max={Math.max(1, targetCount)} value={doneCount} aria-label="Progress of the calibration" />
      )}
      <p className="calibration-facts muted">
        {[
          describeVersion(calibration),
          `${formatCount(doneCount)} of ${formatCount(targetCount)} done`,
          errorCount > 0 ? `${formatCount(errorCount)} failed` : undefined,
          remainingSeconds === null ? undefined : `about ${formatLatency(remainingSeconds * 1_000)} left`,
          tokens > 0 ? `${formatCount(tokens)} tokens` : undefined,
          cost === null ? 'cost unknown' : cost > 0 ? formatSmallCost(cost) : undefined,
          `started ${times.short(createdAt)}${user ? ` by ${user.username}` : ''}`,
        ]
          .filter((fact) => fact !== undefined)
          .join(' · ')}
      </p>
      {reason !== null && <p className="error-text">{reason}</p>}
      <Problem text={change.problem} />
      {isDeleting && (
        <ConfirmDialog
          title="Delete the calibration?"
          isOpen
          onClose={() => setDeleting(false)}
          consequence="This deletes its results. Labels of people and traces of the evaluations stay. You cannot undo it."
          action="Delete calibration"
          isBusy={change.isBusy}
          problem={change.problem}
          onConfirm={() =>
            void change.run(
              () => send(deleteCalibration, { id }),
              () => {
                setDeleting(false);
                toast('Calibration deleted.');
                onDeleted();
              },
            )
          }
        />
      )}
    </section>
  );
}
