import { authorOf } from '../../model/access/caller.ts';
import type { Dashboard, DashboardFields } from '../../model/dashboards/dashboard.ts';
import { SpandrelError } from '../../model/errors.ts';
import {
  DASHBOARD_COUNT_MAX,
  DASHBOARD_DESCRIPTION_LENGTH_MAX,
  DASHBOARD_NAME_LENGTH_MAX,
} from '../../model/limits/dashboards.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import { projectNotFound } from '../projects/get-project.ts';
import { parsePanels } from './parse-panels.ts';

type Parts = Pick<Ports, 'dashboards' | 'caller'>;

/** A dashboard as a client supplies it. Its panels are any JSON. */
export interface DashboardInput {
  readonly name: string;
  readonly description: string;
  readonly panels: unknown;
  /** Version of the form of the panels. */
  readonly version: number;
}

/** @throws {SpandrelError} `PROJECT_NOT_FOUND`, `DASHBOARD_INVALID`, `DASHBOARD_NAME_TAKEN` */
export async function createDashboard(
  { dashboards, caller }: Parts,
  projectId: number,
  input: DashboardInput,
): Promise<Dashboard> {
  const fields = toFields(input);
  if ((await dashboards.list(projectId)).length >= DASHBOARD_COUNT_MAX) {
    reject(`A project has at most ${DASHBOARD_COUNT_MAX} dashboards; delete one first`);
  }
  const created = await dashboards.create(projectId, fields, authorOf(caller));
  if (created) return created;
  throw projectNotFound(projectId);
}

export interface DashboardChange extends Partial<DashboardInput> {
  readonly rowId: number;
  /** Revision that the change is based on. */
  readonly revision: number;
}

/**
 * Changes a dashboard. Absent fields keep their values.
 *
 * @throws {SpandrelError} `DASHBOARD_NOT_FOUND`, `DASHBOARD_INVALID`, `DASHBOARD_NAME_TAKEN`, `DASHBOARD_CHANGED` if
 *   another user has saved it since that revision
 */
export async function patchDashboard(
  { dashboards, caller }: Parts,
  { rowId, revision, name, description, panels, version = 1 }: DashboardChange,
): Promise<Dashboard> {
  const stored = (await dashboards.find(rowId)) ?? dashboardNotFound(rowId);
  const fields = toFields({
    name: name ?? stored.name,
    description: description ?? stored.description,
    panels: panels ?? stored.panels,
    version,
  });
  const saved = await dashboards.replace({ rowId, revision }, fields, authorOf(caller));
  if (saved) return saved;
  const current = (await dashboards.find(rowId)) ?? dashboardNotFound(rowId);
  throw new SpandrelError(
    'DASHBOARD_CHANGED',
    `The dashboard was saved by someone else: its revision is ${current.revision}, and the change is of revision ${revision}`,
  );
}

/** @throws {SpandrelError} `DASHBOARD_NOT_FOUND` */
export const deleteDashboard = async ({ dashboards }: Parts, rowId: number): Promise<Dashboard> =>
  (await dashboards.delete(rowId)) ?? dashboardNotFound(rowId);

function toFields({ name: text, description, panels, version }: DashboardInput): DashboardFields {
  const name = text.trim();
  if (name === '') reject('A dashboard needs a name');
  if (name.length > DASHBOARD_NAME_LENGTH_MAX) reject(`A name has at most ${DASHBOARD_NAME_LENGTH_MAX} characters`);
  if (description.length > DASHBOARD_DESCRIPTION_LENGTH_MAX) {
    reject(`A description has at most ${DASHBOARD_DESCRIPTION_LENGTH_MAX} characters`);
  }
  return { name, description: description.trim(), panels: parsePanels(panels, version) };
}

const dashboardNotFound = (rowId: number): never => {
  throw new RowError('DASHBOARD_NOT_FOUND', 'Dashboard', [rowId], (id) => `Dashboard with ID ${id} not found`);
};

const reject = (message: string): never => {
  throw new SpandrelError('DASHBOARD_INVALID', message);
};
