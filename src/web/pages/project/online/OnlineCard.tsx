import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { ActionMenu } from '../../../components/ActionMenu.tsx';
import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import { Link } from '../../../router/Link.tsx';
import { navigate } from '../../../router/location.ts';
import { evaluatorPath } from '../../evaluators/evaluator-row.ts';
import { BackfillDialog } from './BackfillDialog.tsx';
import { BackfillLine } from './BackfillLine.tsx';
import { DayBars } from './DayBars.tsx';
import {
  deleteOnlineEvaluator,
  patchOnlineEvaluator,
  retryOnlineItems,
  startOnlineBackfill,
  stopOnlineBackfill,
} from './generated/online.ts';
import { OnlineFailures } from './OnlineFailures.tsx';
import { OnlineForm } from './OnlineForm.tsx';
import {
  callsModel,
  describeBudget,
  describeSelection,
  type OnlineEvaluator,
  shownBackfill,
  sumDays,
} from './online-text.ts';

interface OnlineCardProps {
  readonly projectId: string;
  readonly evaluator: OnlineEvaluator;
  /** Whether the user has added it since the page was opened. */
  readonly isAdded: boolean;
}

/** An online evaluator: what it scores, its results, and its actions. */
export function OnlineCard({ projectId, evaluator, isAdded }: OnlineCardProps) {
  const [asks, setAsks] = useState<'edit' | 'backfill' | 'delete'>();
  const { may } = useAccess();
  const change = useChange();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // The button of an empty list disappears, and with it the focus that the dialog has returned.
    if (isAdded && document.activeElement === document.body) card.current?.focus();
  }, [isAdded]);
  const { id, name, description, isEnabled, filter, days, waitingCount } = evaluator;
  const failedCount = sumDays(days, (day) => day.failedCount);
  const backfill = shownBackfill(evaluator);
  const close = () => setAsks(undefined);
  return (
    <article ref={card} className="card online-card" aria-label={name} tabIndex={-1}>
      <header className="row">
        <h2 className="clip" dir="auto">
          {name}
        </h2>
        <Link to={evaluatorPageOf(evaluator)} className="clip" dir="auto">
          {evaluator.evaluator.name}
        </Link>
        <span className="grow" />
        <label className="row">
          <input
            type="checkbox"
            checked={isEnabled}
            disabled={change.isBusy || !may(patchOnlineEvaluator)}
            onChange={() =>
              void change.run(
                () => send(patchOnlineEvaluator, { input: { id, isEnabled: !isEnabled } }),
                () => toast(isEnabled ? `${name} is off.` : `${name} is on.`),
              )
            }
          />
          {isEnabled ? 'On' : 'Off'}
        </label>
        <ActionMenu
          label={`Actions for ${name}`}
          actions={[
            may(patchOnlineEvaluator) && { icon: 'edit', label: 'Edit evaluator', onSelect: () => setAsks('edit') },
            may(startOnlineBackfill) &&
              backfill?.state !== 'RUNNING' && {
                icon: 'clock',
                label: 'Score what has arrived before',
                onSelect: () => setAsks('backfill'),
              },
            {
              icon: 'tracing',
              label: 'Show spans of its runs',
              onSelect: () => navigate(`/projects/${encodeURIComponent(evaluator.traceProject.id)}/spans`),
            },
            'line',
            may(deleteOnlineEvaluator) && {
              icon: 'trash',
              label: 'Delete evaluator',
              isDanger: true,
              onSelect: () => setAsks('delete'),
            },
          ]}
        />
      </header>
      {description && (
        <p className="muted" dir="auto">
          {description}
        </p>
      )}
      <Problem text={change.problem} />
      <div className="online-body">
        <dl className="online-facts">
          <Fact name="Scores">{describeSelection(evaluator)}</Fact>
          {filter !== '' && (
            <Fact name="Filter">
              <code dir="auto">{filter}</code>
            </Fact>
          )}
          {callsModel(evaluator) && <Fact name="Budget">{describeBudget(evaluator)}</Fact>}
        </dl>
        <div className="online-results">
          <DayBars days={days} />
          <p className="online-counts">
            <span>{formatCount(sumDays(days, (day) => day.doneCount))} scored</span>
            <span>{formatCount(waitingCount)} waiting</span>
            <span>{formatCount(sumDays(days, (day) => day.sampledOutCount))} not in the sample</span>
            {callsModel(evaluator) && (
              <span>{formatCount(sumDays(days, (day) => day.overBudgetCount))} over budget</span>
            )}
            <span className={failedCount > 0 ? 'online-failed' : ''}>{formatCount(failedCount)} failed</span>
          </p>
        </div>
      </div>
      {backfill && (
        <BackfillLine
          evaluator={evaluator}
          backfill={backfill}
          isBusy={change.isBusy}
          onStop={
            may(stopOnlineBackfill)
              ? () =>
                  void change.run(
                    () => send(stopOnlineBackfill, { id }),
                    () => {
                      toast('Backfill stopped. Evaluations that have begun are completed.');
                      // The button disappears, and with it the focus.
                      card.current?.focus();
                    },
                  )
              : undefined
          }
          onRetry={
            may(retryOnlineItems)
              ? () =>
                  void change.run(
                    () => send(retryOnlineItems, { id }),
                    () => {
                      toast('Failed targets and those over the budget are scored again.');
                      card.current?.focus();
                    },
                  )
              : undefined
          }
        />
      )}
      {failedCount > 0 && <OnlineFailures projectId={projectId} evaluator={evaluator} />}
      {asks === 'edit' && <OnlineForm projectId={projectId} evaluator={evaluator} onClose={close} />}
      {asks === 'backfill' && <BackfillDialog evaluator={evaluator} onClose={close} />}
      {asks === 'delete' && <DeleteOnline evaluator={evaluator} onClose={close} />}
    </article>
  );
}

/** The page of the evaluator in a dataset, or its row in the list of all evaluators. */
function evaluatorPageOf({ evaluator: { name, datasetEvaluators } }: OnlineEvaluator): string {
  const [use] = datasetEvaluators;
  return use ? evaluatorPath(use) : `/evaluators?${new URLSearchParams({ search: name })}`;
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

interface DeleteOnlineProps {
  readonly evaluator: OnlineEvaluator;
  readonly onClose: () => void;
}

function DeleteOnline({ evaluator: { id, name }, onClose }: DeleteOnlineProps) {
  const change = useChange();
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isOpen
      onClose={onClose}
      consequence="This removes the evaluator from the project and deletes the traces of its runs. Its annotations stay. You cannot undo it."
      action="Delete evaluator"
      isBusy={change.isBusy}
      problem={change.problem}
      onConfirm={() =>
        void change.run(
          () => send(deleteOnlineEvaluator, { id }),
          () => {
            onClose();
            toast(`${name} deleted.`);
          },
        )
      }
    />
  );
}
