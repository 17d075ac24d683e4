import { useState } from 'react';
import { FormDialog } from '../../components/FormDialog.tsx';
import { InputField } from '../../components/fields.tsx';
import { Problem } from '../../components/Problem.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { formatCount } from '../../format/numbers.ts';
import { navigate } from '../../router/location.ts';
import { type Dashboard, dashboardPath, freeName } from './dashboard.ts';
import { createDashboard, projectDashboards } from './generated/dashboards.ts';
import { type DashboardFile, parseFile } from './parse-file.ts';

interface ImportDashboardProps {
  readonly projectId: string;
  readonly dashboards: readonly Dashboard[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Creates a dashboard from an exported file. The server checks the panels and names the field of each problem. */
export function ImportDashboard({ projectId, dashboards, onClose, onSaved }: ImportDashboardProps) {
  const [file, setFile] = useState<DashboardFile>();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const change = useChange([projectDashboards]);
  const read = async (chosen: File | undefined) => {
    setFile(undefined);
    setProblem(undefined);
    change.say(undefined);
    if (!chosen) return;
    try {
      const found = parseFile(await chosen.text());
      const isTaken = dashboards.some((each) => each.name === found.name.trim());
      setFile(found);
      setName(isTaken ? freeName(found.name.trim(), dashboards) : found.name.trim());
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  let id = '';
  const count = Array.isArray(file?.panels) ? file.panels.length : 0;
  return (
    <FormDialog
      title="Import a dashboard"
      change={change}
      action="Import"
      isReady={file !== undefined && name.trim() !== ''}
      className="import-dashboard"
      onClose={onClose}
      onSubmit={() =>
        void change.run(
          async () => {
            const { description, version, panels } = file!;
            const input = { projectId, name, description, version, panels };
            id = (await send(createDashboard, { input })).createDashboard.id;
          },
          () => {
            toast(`${name.trim()} imported.`);
            onSaved();
            onClose();
            navigate(dashboardPath(projectId, id));
          },
        )
      }
    >
      <label className="field">
        <span>File</span>
        <input
          className="input"
          type="file"
          accept=".json,application/json"
          onChange={(event) => void read(event.target.files?.[0])}
        />
        <span className="muted">
          {file ? `${formatCount(count)} ${count === 1 ? 'panel' : 'panels'}` : 'A dashboard that was exported as JSON'}
        </span>
      </label>
      <Problem text={problem} />
      {file && <InputField label="Name" value={name} maxLength={100} onChange={setName} />}
    </FormDialog>
  );
}
