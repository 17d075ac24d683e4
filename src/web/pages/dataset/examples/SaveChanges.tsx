import { useState } from 'react';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import { type SaveExamplesData, saveExamples } from './generated/examples.ts';
import { type ChangeCounts, countChanges, toInput } from './pending-changes.ts';
import type { PendingChanges } from './pending-store.ts';

export type Conflict = SaveExamplesData['saveDatasetExamples']['conflicts'][number];

const summary = ({ edited, deleted, added }: ChangeCounts): string =>
  [
    [edited, 'edited'],
    [deleted, 'deleted'],
    [added, 'added'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, verb]) => `${formatCount(count as number)} ${verb}`)
    .join(', ');

interface PendingBarProps {
  readonly datasetId: string;
  readonly pending: PendingChanges;
  readonly onSaved: () => void;
  readonly onConflicts: (conflicts: readonly Conflict[]) => void;
}

/** Number of unsaved changes, with undo, discard and save. */
export function PendingBar({ datasetId, pending, onSaved, onConflicts }: PendingBarProps) {
  const [isSaving, setSaving] = useState(false);
  const [description, setDescription] = useState('');
  const change = useChange([]);
  if (pending.steps.length === 0) return null;
  const save = () => {
    let conflicts: readonly Conflict[] = [];
    void change.run(
      async () => {
        const { saveDatasetExamples } = await send(saveExamples, {
          input: toInput(datasetId, pending.collected, description),
        });
        conflicts = saveDatasetExamples.conflicts;
      },
      () => {
        setSaving(false);
        if (conflicts.length > 0) return onConflicts(conflicts);
        setDescription('');
        pending.discard();
        toast('Saved as a new version.');
        onSaved();
      },
    );
  };
  const text = summary(countChanges(pending.collected));
  return (
    <div className="selection-bar pending-bar" role="region" aria-label="Unsaved changes">
      <span>
        <strong>Unsaved changes:</strong> {text === '' ? 'none' : text}
      </span>
      <button type="button" className="button" onClick={pending.undo}>
        Undo
      </button>
      <button type="button" className="button" onClick={pending.discard}>
        Discard all
      </button>
      <button type="button" className="button primary" disabled={text === ''} onClick={() => setSaving(true)}>
        Save…
      </button>
      {isSaving && (
        <FormDialog
          title="Save as a new version"
          change={change}
          action="Save version"
          onSubmit={save}
          onClose={() => setSaving(false)}
        >
          <p>{text}. Everyone sees the new version; earlier versions stay as they are.</p>
          <label className="field">
            <span>Description</span>
            <input
              className="input"
              value={description}
              // biome-ignore lint/a11y/noAutofocus: first field of a dialog
              autoFocus
              placeholder="What changed, and why"
              onChange={(event) => setDescription(event.target.value)}
            />
          </label>
        </FormDialog>
      )}
    </div>
  );
}
