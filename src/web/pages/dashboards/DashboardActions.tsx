import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { navigate } from '../../router/location.ts';
import { linkToView } from '../../time-range/time-range.ts';
import { type Dashboard, dashboardPath, freeName } from './dashboard.ts';
import { exportDashboard } from './dashboard-file.ts';
import { createDashboard, deleteDashboard, projectDashboards } from './generated/dashboards.ts';
import { ImportDashboard } from './ImportDashboard.tsx';
import { NameDashboard } from './NameDashboard.tsx';

interface DashboardActionsProps {
  readonly projectId: string;
  readonly dashboard: Dashboard;
  readonly dashboards: readonly Dashboard[];
  readonly isEditing: boolean;
  readonly onChanged: () => void;
}

/** What can be done with the open dashboard, and new ones. */
export function DashboardActions({ projectId, dashboard, dashboards, isEditing, onChanged }: DashboardActionsProps) {
  const { may } = useAccess();
  const [opened, setOpened] = useState<'new' | 'rename' | 'import' | 'delete'>();
  const change = useChange([projectDashboards]);
  const close = () => setOpened(undefined);
  const mayEdit = may(createDashboard);
  const duplicate = () => {
    const name = freeName(dashboard.name, dashboards);
    let id = '';
    void change.run(
      async () => {
        const { description, panels } = dashboard;
        id = (await send(createDashboard, { input: { projectId, name, description, panels } })).createDashboard.id;
      },
      () => {
        toast(`${name} created.`);
        onChanged();
        navigate(dashboardPath(projectId, id));
      },
    );
  };
  return (
    <>
      {mayEdit && dashboard.isBuiltIn && (
        <button type="button" className="button" disabled={change.isBusy} onClick={duplicate}>
          <Icon name="copy" size={14} /> <span className="bar-label">Duplicate to edit</span>
        </button>
      )}
      {mayEdit && !isEditing && (
        <button type="button" className="button primary" onClick={() => setOpened('new')}>
          <Icon name="plus" size={14} /> <span className="bar-label">New dashboard</span>
        </button>
      )}
      <ActionMenu
        label="Actions of the dashboard"
        button={
          <button type="button" className="button icon-only">
            <Icon name="more" />
          </button>
        }
        actions={[
          {
            label: 'Copy link',
            onSelect: () => void copyWithToast(linkToView(), 'Copied the link to this dashboard and time range.'),
          },
          { label: 'Export as a JSON file', onSelect: () => exportDashboard(dashboard) },
          mayEdit && { label: 'Import from a file…', onSelect: () => setOpened('import') },
          mayEdit && { label: 'Duplicate', onSelect: duplicate },
          mayEdit && !dashboard.isBuiltIn && { label: 'Rename…', onSelect: () => setOpened('rename') },
          'line',
          mayEdit && !dashboard.isBuiltIn && { label: 'Delete…', isDanger: true, onSelect: () => setOpened('delete') },
        ]}
      />
      {(opened === 'new' || opened === 'rename') && (
        <NameDashboard
          projectId={projectId}
          dashboard={opened === 'rename' ? dashboard : undefined}
          onClose={close}
          onSaved={onChanged}
        />
      )}
      {opened === 'import' && (
        <ImportDashboard projectId={projectId} dashboards={dashboards} onClose={close} onSaved={onChanged} />
      )}
      {opened === 'delete' && (
        <DeleteDashboard
          dashboard={dashboard}
          onClose={close}
          onDeleted={() => {
            navigate(dashboardPath(projectId), { replaces: true });
            onChanged();
          }}
        />
      )}
    </>
  );
}

interface DeleteProps {
  readonly dashboard: Dashboard;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

function DeleteDashboard({ dashboard: { id, name }, onClose, onDeleted }: DeleteProps) {
  const { isBusy, problem, run } = useChange([projectDashboards]);
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isOpen
      onClose={onClose}
      consequence="This deletes the dashboard for all users. Spans stay. You cannot undo it; export it first to keep a copy."
      action="Delete dashboard"
      isBusy={isBusy}
      problem={problem}
      onConfirm={() =>
        void run(
          () => send(deleteDashboard, { id }),
          () => {
            toast(`${name} deleted.`);
            onClose();
            onDeleted();
          },
        )
      }
    />
  );
}
