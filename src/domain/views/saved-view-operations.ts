import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { deleteSavedView, saveView } from './save-view.ts';

export const createSavedViewOperations = (ports: Pick<Ports, 'savedViews' | 'caller'>) => ({
  ...pick(ports.savedViews, 'list'),
  ...bindToPorts(ports, { save: saveView, delete: deleteSavedView }),
});

export type SavedViewOperations = ReturnType<typeof createSavedViewOperations>;
