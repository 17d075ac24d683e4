import { useState } from 'react';
import { FormDialog } from '../../components/FormDialog.tsx';
import { InputField, TextAreaField } from '../../components/fields.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { navigate } from '../../router/location.ts';
import { type Dashboard, dashboardPath } from './dashboard.ts';
import { createDashboard, patchDashboard, projectDashboards } from './generated/dashboards.ts';

interface NameDashboardProps {
  readonly projectId: string;
  /** Absent: creates a dashboard. */
  readonly dashboard: Dashboard | undefined;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Name and description of a new or stored dashboard. */
export function NameDashboard({ projectId, dashboard, onClose, onSaved }: NameDashboardProps) {
  const [name, setName] = useState(dashboard?.name ?? '');
  const [description, setDescription] = useState(dashboard?.description ?? '');
  const change = useChange([projectDashboards]);
  let id = dashboard?.id ?? '';
  const save = async () => {
    if (dashboard) {
      const { revision } = dashboard;
      await send(patchDashboard, { input: { id, revision, name, description } });
    } else {
      id = (await send(createDashboard, { input: { projectId, name, description, panels: [] } })).createDashboard.id;
    }
  };
  return (
    <FormDialog
      title={dashboard ? 'Rename dashboard' : 'New dashboard'}
      change={change}
      action={dashboard ? 'Save' : 'Create'}
      isReady={name.trim() !== ''}
      onClose={onClose}
      onSubmit={() =>
        void change.run(save, () => {
          onSaved();
          onClose();
          if (!dashboard) navigate(dashboardPath(projectId, id));
        })
      }
    >
      <InputField label="Name" value={name} maxLength={100} onChange={setName} />
      <TextAreaField label="Description" rows={3} maxLength={2000} value={description} onChange={setDescription} />
    </FormDialog>
  );
}
