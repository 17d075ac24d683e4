import { useRef, useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Failure } from '../../../components/Failure.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { useQuery } from '../../../data/use-query.ts';
import { createOnlineEvaluator, type OnlineEvaluatorsData, onlineEvaluators } from './generated/online.ts';
import { OnlineCard } from './OnlineCard.tsx';
import { OnlineForm } from './OnlineForm.tsx';
import './online.css';

const REREAD_MS = 5_000;
/** People watch a backfill that they have started. */
const BACKFILL_REREAD_MS = 2_000;

/** Evaluators that annotate a project as its spans arrive. */
export function OnlineTab({ projectId }: { readonly projectId: string }) {
  const [isAdding, setAdding] = useState(false);
  const addedId = useRef<string>(undefined);
  const { may } = useAccess();
  const { data, failure, refetch } = useQuery(
    onlineEvaluators,
    { id: projectId },
    { intervalMs: (newest) => (isBackfilling(newest) ? BACKFILL_REREAD_MS : REREAD_MS) },
  );
  const evaluators = evaluatorsOf(data);
  if (failure) return <Failure failure={failure} onRetry={refetch} />;
  const add = may(createOnlineEvaluator) && (
    <button type="button" className="button primary" onClick={() => setAdding(true)}>
      <Icon name="plus" size={14} /> Add evaluator
    </button>
  );
  return (
    <div className="page-body" aria-busy={evaluators === undefined}>
      {evaluators?.length === 0 && (
        <div className="empty">
          <h2>No evaluator annotates this project</h2>
          <p>
            An online evaluator scores spans, traces or sessions as they arrive, by code or by a model, within a budget
            per day. What has arrived before can be scored by a backfill.
          </p>
          {add}
        </div>
      )}
      {evaluators && evaluators.length > 0 && (
        <div className="online">
          <header className="row">
            <p className="muted grow">Evaluators score what arrives in this project. Scores are annotations.</p>
            {add}
          </header>
          {evaluators.map((evaluator) => (
            <OnlineCard
              key={evaluator.id}
              projectId={projectId}
              evaluator={evaluator}
              isAdded={evaluator.id === addedId.current}
            />
          ))}
        </div>
      )}
      {isAdding && (
        <OnlineForm
          projectId={projectId}
          onClose={() => setAdding(false)}
          onAdded={(id) => {
            addedId.current = id;
          }}
        />
      )}
    </div>
  );
}

const evaluatorsOf = (data: OnlineEvaluatorsData | undefined) =>
  data?.node.__typename === 'Project' ? data.node.onlineEvaluators : undefined;

const isBackfilling = (data: OnlineEvaluatorsData | undefined): boolean =>
  evaluatorsOf(data)?.some(({ backfills }) => backfills.some(({ state }) => state === 'RUNNING')) === true;
