import { saveFile } from '../../data/download.ts';
import type { Dashboard } from './dashboard.ts';
import { FILE_KIND } from './parse-file.ts';

export const toFileText = ({ name, description, version, panels }: Dashboard): string =>
  `${JSON.stringify({ kind: FILE_KIND, version, name, description, panels }, undefined, 2)}\n`;

export function exportDashboard(dashboard: Dashboard): void {
  const name = dashboard.name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 60) || 'dashboard';
  saveFile(new Blob([toFileText(dashboard)], { type: 'application/json' }), `${name}.dashboard.json`);
}
