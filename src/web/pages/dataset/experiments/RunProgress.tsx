import { RunningMark } from '../../../components/RunningMark.tsx';
import { formatCount } from '../../../format/numbers.ts';
import { type Experiment, isRunning } from './experiment-row.ts';

/** Number of runs. Of an incomplete experiment also the expected number, and the state of a run by the server. */
export function RunProgress({ experiment }: { readonly experiment: Experiment }) {
  const { runCount, expectedRunCount, job } = experiment;
  const state = job && JOB_STATES[job.status];
  if (runCount >= expectedRunCount && (!state || job.status === 'COMPLETED')) return <>{formatCount(runCount)}</>;
  const share = expectedRunCount === 0 ? 0 : runCount / expectedRunCount;
  const text = `${formatCount(runCount)} of ${formatCount(expectedRunCount)} runs`;
  return (
    <span
      className="run-progress"
      title={[text, state, job?.lastError?.message].filter(Boolean).join(' · ')}
      role="progressbar"
      aria-label={text}
      aria-valuenow={Math.round(share * 100)}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span className="row">
        {job?.status === 'RUNNING' && isRunning(experiment) && <RunningMark />}
        {formatCount(runCount)} <span className="muted">of {formatCount(expectedRunCount)}</span>
      </span>
      <i className="run-bar" aria-hidden="true">
        <b style={{ width: `${Math.min(1, share) * 100}%` }} />
      </i>
    </span>
  );
}

const JOB_STATES = { RUNNING: 'running', COMPLETED: 'completed', STOPPED: 'stopped', ERROR: 'failed' } as const;
