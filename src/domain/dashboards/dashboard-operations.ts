import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { createDashboard, deleteDashboard, patchDashboard } from './save-dashboard.ts';

export const createDashboardOperations = (ports: Pick<Ports, 'dashboards' | 'caller'>) => ({
  ...pick(ports.dashboards, 'list'),
  ...bindToPorts(ports, { create: createDashboard, patch: patchDashboard, delete: deleteDashboard }),
});

export type DashboardOperations = ReturnType<typeof createDashboardOperations>;
