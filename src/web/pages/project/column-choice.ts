import { type ColumnChoice, isColumnChoice, NO_CHOICE } from '../../components/table/column.ts';
import { readStored, useStoredState } from '../../preferences/stored-state.ts';
import type { DataTab } from './project-tabs.ts';

/** The user's choice of columns of a tab, per project. */
export const useColumnChoice = (projectId: string, tab: DataTab) =>
  useStoredState(place(projectId, tab), NO_CHOICE, isColumnChoice);

export const readColumnChoice = (projectId: string, tab: DataTab): ColumnChoice =>
  readStored(place(projectId, tab), NO_CHOICE, isColumnChoice);

const place = (projectId: string, tab: DataTab): string => `columns.${projectId}.${tab}`;
