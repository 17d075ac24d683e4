import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { LinkedCharts } from '../../components/chart/chart-cursor.tsx';
import { Icon } from '../../components/Icon.tsx';
import { toast } from '../../components/toasts.tsx';
import { useCurrentInView } from '../../components/use-current-in-view.ts';
import { Link } from '../../router/Link.tsx';
import { useChosenRange, useRangeInAddress } from '../../time-range/time-range.ts';
import { useNow } from '../project/statistics/use-now.ts';
import { useLive } from '../project/use-live.ts';
import { DashboardActions } from './DashboardActions.tsx';
import { type Dashboard, dashboardPath } from './dashboard.ts';
import { patchDashboard } from './generated/dashboards.ts';
import { PanelForm } from './PanelForm.tsx';
import { PanelGrid } from './PanelGrid.tsx';
import { newId, newPanel, type Panel, titleOf } from './panel.ts';
import { SaveBar } from './SaveBar.tsx';
import { useDraft } from './use-draft.ts';
import { usePanelScope } from './use-panel.ts';

interface DashboardViewProps {
  readonly projectId: string;
  readonly dashboard: Dashboard;
  /** All dashboards of the project. */
  readonly dashboards: readonly Dashboard[];
  readonly onChanged: () => void;
}

const PANEL_COUNT_MAX = 40;

/** A dashboard that is shown or edited, and the list of the others. */
export function DashboardView({ projectId, dashboard, dashboards, onChanged }: DashboardViewProps) {
  useRangeInAddress();
  const range = useChosenRange();
  const nav = useCurrentInView(`${dashboard.id} ${dashboards.length}`);
  const { change } = useLive(projectId);
  const scope = usePanelScope(projectId, range, useNow(range, change));
  const { may } = useAccess();
  const mayEdit = may(patchDashboard) && !dashboard.isBuiltIn;
  const draft = useDraft(dashboard);
  const isEditing = mayEdit && draft.isEditing;
  const panels = isEditing ? draft.panels : dashboard.panels;
  const [form, setForm] = useState<{ readonly panel: Panel; readonly isNew: boolean }>();
  const add = () => setForm({ panel: newPanel(panels), isNew: true });
  const remove = (panel: Panel) => {
    const before = panels;
    draft.change(panels.filter((each) => each !== panel));
    toast(`${titleOf(panel)} deleted.`, { label: 'Undo', run: () => draft.change(before) });
  };
  const duplicate = (panel: Panel) => {
    const at = panels.indexOf(panel) + 1;
    const copy = { ...panel, id: newId(panels), title: panel.title && `${panel.title} (copy)`.slice(0, 120) };
    draft.change([...panels.slice(0, at), copy, ...panels.slice(at)]);
  };
  return (
    <div className="project">
      <div className="table-bar dashboard-bar">
        <nav className="tabs" aria-label="Dashboards of the project" ref={nav}>
          {dashboards.map(({ id, name }) => (
            <Link
              key={id}
              to={dashboardPath(projectId, id)}
              className="clip"
              dir="auto"
              title={name}
              {...(id === dashboard.id ? { 'aria-current': 'page' } : {})}
            >
              {name}
            </Link>
          ))}
        </nav>
        <span className="grow" />
        {isEditing && (
          <button type="button" className="button" disabled={panels.length >= PANEL_COUNT_MAX} onClick={add}>
            <Icon name="plus" size={14} /> Add panel
          </button>
        )}
        {mayEdit && !isEditing && (
          <button type="button" className="button" onClick={() => draft.setEditing(true)}>
            <Icon name="edit" size={14} /> <span className="bar-label">Edit</span>
          </button>
        )}
        {isEditing && !draft.hasChanges && (
          <button
            type="button"
            className="button"
            onClick={() => {
              draft.discard();
              draft.setEditing(false);
            }}
          >
            Done
          </button>
        )}
        <DashboardActions
          projectId={projectId}
          dashboard={dashboard}
          dashboards={dashboards}
          isEditing={isEditing}
          onChanged={onChanged}
        />
      </div>
      <div className="page-body">
        {dashboard.description !== '' && (
          <p className="dashboard-about muted" dir="auto">
            {dashboard.description}
          </p>
        )}
        <LinkedCharts isFiltered={false}>
          <PanelGrid
            scope={scope}
            panels={panels}
            edits={
              isEditing
                ? {
                    onChange: draft.change,
                    onEdit: (panel) => setForm({ panel, isNew: false }),
                    onDuplicate: duplicate,
                    onDelete: remove,
                  }
                : undefined
            }
          />
        </LinkedCharts>
        {panels.length === 0 && (
          <div className="empty">
            <h2>This dashboard has no panels yet</h2>
            <p>A panel shows a number, a chart or a top list of the spans of the project.</p>
            {mayEdit && (
              <button
                type="button"
                className="button primary"
                onClick={() => {
                  draft.setEditing(true);
                  add();
                }}
              >
                <Icon name="plus" size={14} /> Add panel
              </button>
            )}
          </div>
        )}
      </div>
      {isEditing && draft.hasChanges && (
        <SaveBar
          projectId={projectId}
          dashboard={dashboard}
          dashboards={dashboards}
          draft={draft}
          onSaved={onChanged}
        />
      )}
      {form && (
        <PanelForm
          scope={scope}
          panel={form.panel}
          isNew={form.isNew}
          onClose={() => setForm(undefined)}
          onApply={(panel) => {
            draft.change(form.isNew ? [...panels, panel] : panels.map((each) => (each.id === panel.id ? panel : each)));
            setForm(undefined);
          }}
        />
      )}
    </div>
  );
}
