import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Icon } from '../../../components/Icon.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import '../../project/bulk/bulk.css';
import { DeleteExperiments } from './DeleteExperiments.tsx';
import { COMPARED_COUNT_MAX, comparePath, type Experiment } from './experiment-row.ts';
import { deleteExperiments, setExperimentBaseline } from './generated/experiments.ts';

interface ExperimentActionsProps {
  readonly datasetId: string;
  readonly baselineId: string | undefined;
  /** The selected experiments. */
  readonly experiments: readonly Experiment[];
  readonly onClear: () => void;
  readonly onDeleted: () => void;
}

/** Actions on the selected experiments. */
export function ExperimentActions({ datasetId, baselineId, experiments, onClear, onDeleted }: ExperimentActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  const { isBusy, problem, run } = useChange();
  const { may } = useAccess();
  const [first] = experiments;
  if (!first) return null;
  const count = experiments.length;
  // Without a baseline, the others are compared with the oldest one.
  const ids = [...experiments].sort((a, b) => a.sequenceNumber - b.sequenceNumber).map(({ id }) => id);
  const setBaseline = () =>
    void run(
      () => send(setExperimentBaseline, { id: first.id, baseline: true }),
      () => {
        toast(`${first.name} is the baseline.`);
        onClear();
      },
    );
  return (
    <div className="selection-bar" role="region" aria-label="Selected experiments">
      <span>
        {formatCount(count)} {count === 1 ? 'experiment' : 'experiments'} selected
      </span>
      <CompareSelected datasetId={datasetId} ids={ids} baselineId={baselineId} />
      {count === 1 && !first.isBaseline && may(setExperimentBaseline) && (
        <button type="button" className="button" disabled={isBusy} onClick={setBaseline}>
          <Icon name="flag" size={14} /> Set as baseline
        </button>
      )}
      {may(deleteExperiments) && (
        <button type="button" className="button danger" onClick={() => setDeleting(true)}>
          <Icon name="trash" size={14} /> Delete
        </button>
      )}
      <button type="button" className="button bare" onClick={onClear}>
        Clear
      </button>
      <Problem text={problem} />
      {isDeleting && (
        <DeleteExperiments experiments={experiments} onClose={() => setDeleting(false)} onDeleted={onDeleted} />
      )}
    </div>
  );
}

interface CompareSelectedProps {
  readonly datasetId: string;
  readonly ids: readonly string[];
  readonly baselineId: string | undefined;
}

/** One selected experiment is compared with the baseline. */
function CompareSelected({ datasetId, ids, baselineId }: CompareSelectedProps) {
  const isWithBaseline = ids.length === 1 && baselineId !== undefined && ids[0] !== baselineId;
  const compared = isWithBaseline ? [baselineId, ...ids] : ids;
  if (compared.length > COMPARED_COUNT_MAX) {
    return <span className="muted">At most {COMPARED_COUNT_MAX} can be compared</span>;
  }
  if (compared.length < 2) return <span className="muted">Select another one to compare</span>;
  return (
    <Link to={comparePath(datasetId, compared, baselineId)} className="button primary">
      <Icon name="compare" size={14} /> {isWithBaseline ? 'Compare with the baseline' : 'Compare'}
    </Link>
  );
}
