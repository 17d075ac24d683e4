import { useEffect, useState } from 'react';
import { useStoredState } from '../../preferences/stored-state.ts';
import type { Panel } from './panel.ts';

/** Changes that are not saved, and the revision that they are based on. */
interface Draft {
  readonly revision: number;
  readonly panels: readonly Panel[];
}

const NONE = null;
const isDraft = (value: unknown): value is Draft | null =>
  value === null ||
  (typeof value === 'object' && 'revision' in value && 'panels' in value && Array.isArray(value.panels));

export interface DashboardDraft {
  readonly panels: readonly Panel[];
  /** Revision that the panels are based on. */
  readonly revision: number;
  readonly hasChanges: boolean;
  readonly isEditing: boolean;
  readonly setEditing: (isEditing: boolean) => void;
  readonly change: (panels: readonly Panel[]) => void;
  /** Drops the changes. */
  readonly discard: () => void;
}

interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly panels: readonly Panel[];
}

/**
 * State of a dashboard that is edited. Unsaved changes are stored in this browser, so that leaving the page loses none,
 * and are shown again when the user comes back.
 */
export function useDraft({ id, revision, panels }: Stored): DashboardDraft {
  const [draft, setDraft] = useStoredState<Draft | null>(`dashboard.${id}`, NONE, isDraft);
  const [isEditing, setEditing] = useState(draft !== null);
  const hasChanges = draft !== null && JSON.stringify(draft.panels) !== JSON.stringify(panels);
  useEffect(() => {
    if (!hasChanges) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [hasChanges]);
  return {
    panels: isEditing && draft ? draft.panels : panels,
    revision: draft?.revision ?? revision,
    hasChanges,
    isEditing,
    setEditing,
    change: (next) => setDraft({ revision: draft?.revision ?? revision, panels: next }),
    discard: () => setDraft(null),
  };
}
