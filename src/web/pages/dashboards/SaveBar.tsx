import { useState } from 'react';
import { Problem } from '../../components/Problem.tsx';
import { toast } from '../../components/toasts.tsx';
import { send, toFailure } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { useTimeFormat } from '../../format/times.ts';
import { navigate } from '../../router/location.ts';
import { type Dashboard, dashboardPath, freeName } from './dashboard.ts';
import { createDashboard, patchDashboard, projectDashboards } from './generated/dashboards.ts';
import type { DashboardDraft } from './use-draft.ts';

interface SaveBarProps {
  readonly projectId: string;
  /** The stored dashboard. */
  readonly dashboard: Dashboard;
  readonly dashboards: readonly Dashboard[];
  readonly draft: DashboardDraft;
  readonly onSaved: () => void;
}

/**
 * Bar of unsaved changes. If another user has saved the dashboard since, the user decides which state stays. If another user has
 * deleted it, the changes can be saved as a copy.
 */
export function SaveBar({ projectId, dashboard, dashboards, draft, onSaved }: SaveBarProps) {
  const { isBusy, problem, run } = useChange([projectDashboards]);
  const times = useTimeFormat();
  const [isDeleted, setDeleted] = useState(false);
  const isConflict = dashboard.revision > draft.revision;
  const finish = (text: string) => {
    draft.discard();
    draft.setEditing(false);
    onSaved();
    toast(text);
  };
  const save = (revision: number) =>
    void run(
      async () => {
        try {
          await send(patchDashboard, { input: { id: dashboard.id, revision, panels: draft.panels } });
        } catch (error) {
          if (toFailure(error).kind === 'notFound') setDeleted(true);
          // The newest revision tells whether another user has saved the dashboard.
          else onSaved();
          throw error;
        }
      },
      () => finish(`${dashboard.name} saved.`),
    );
  const saveCopy = () => {
    const name = freeName(dashboard.name, dashboards);
    let id = '';
    void run(
      async () => {
        const input = { projectId, name, description: dashboard.description, panels: draft.panels };
        id = (await send(createDashboard, { input })).createDashboard.id;
      },
      () => {
        finish(`Saved as ${name}.`);
        navigate(dashboardPath(projectId, id));
      },
    );
  };
  const { user, updatedAt } = dashboard;
  return (
    <div className="save-bar" role="region" aria-label="Unsaved changes">
      {isConflict ? (
        <p role="alert">
          <strong>{user?.username ?? 'Another user'} has saved this dashboard</strong>
          {updatedAt === null ? '' : `, ${times.minute(Date.parse(updatedAt))}`}. Your changes are based on the state
          before. Nothing is lost until you decide.
        </p>
      ) : (
        <strong>Unsaved changes</strong>
      )}
      {!isConflict && <Problem text={problem} />}
      {isDeleted && <span>Another user has deleted the dashboard. You can save your changes as a copy.</span>}
      <span className="grow" />
      <button
        type="button"
        className="button"
        disabled={isBusy}
        onClick={() => {
          draft.discard();
          if (isDeleted) onSaved();
        }}
      >
        {isConflict ? 'Load their state' : 'Discard'}
      </button>
      {isConflict && (
        <button type="button" className="button" disabled={isBusy} onClick={() => save(dashboard.revision)}>
          Overwrite
        </button>
      )}
      <button
        type="button"
        className="button primary"
        disabled={isBusy}
        onClick={() => (isConflict || isDeleted ? saveCopy() : save(draft.revision))}
      >
        {isConflict || isDeleted ? 'Save as a copy' : 'Save'}
      </button>
    </div>
  );
}
