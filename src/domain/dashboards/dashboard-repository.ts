import type { Dashboard, DashboardFields } from '../../model/dashboards/dashboard.ts';

export interface DashboardRepository {
  /** Dashboards of a project by name. */
  list(projectId: number): Promise<Dashboard[]>;
  find(rowId: number): Promise<Dashboard | undefined>;
  /**
   * Undefined when there is no such project.
   *
   * @throws {SpandrelError} `DASHBOARD_NAME_TAKEN`
   */
  create(projectId: number, fields: DashboardFields, userId: number | null): Promise<Dashboard | undefined>;
  /**
   * Replaces a dashboard of this revision. Undefined when there is none, also because another revision is stored.
   *
   * @throws {SpandrelError} `DASHBOARD_NAME_TAKEN`
   */
  replace(
    ref: { readonly rowId: number; readonly revision: number },
    fields: DashboardFields,
    userId: number | null,
  ): Promise<Dashboard | undefined>;
  /** Returns the deleted dashboard. Undefined when there is none. */
  delete(rowId: number): Promise<Dashboard | undefined>;
}
