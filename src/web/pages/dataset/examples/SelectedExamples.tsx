import { useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { Icon } from '../../../components/Icon.tsx';
import { LabelMenu } from '../../../components/labels/LabelMenu.tsx';
import type { LabelChange } from '../../../components/labels/label.ts';
import { SPLITS } from '../../../components/labels/label-kinds.ts';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { formatCount } from '../../../format/numbers.ts';
import { EditSelected } from './EditSelected.tsx';
import type { ExampleRow } from './example-list.ts';
import { changeExampleSplits } from './generated/examples.ts';
import type { PendingChanges } from './pending-store.ts';
import '../../project/bulk/bulk.css';

interface SelectedExamplesProps {
  readonly datasetId: string;
  readonly ids: ReadonlySet<string>;
  /** A loaded row. */
  readonly rowOf: (id: string) => ExampleRow | undefined;
  readonly pending: PendingChanges;
  readonly onChanged: () => void;
  readonly onClear: () => void;
}

/** Actions on the selected examples. */
export function SelectedExamples({ datasetId, ids, rowOf, pending, onChanged, onClear }: SelectedExamplesProps) {
  const [isEditing, setEditing] = useState(false);
  const { may } = useAccess();
  const noun = ids.size === 1 ? 'example' : 'examples';
  const assign = async ({ added, removed }: LabelChange) => {
    await send(changeExampleSplits, {
      input: { datasetId, exampleIds: [...ids], addedSplitIds: added, removedSplitIds: removed },
    });
  };
  return (
    <div className="selection-bar" role="region" aria-label="Selected examples">
      <span>
        {formatCount(ids.size)} {noun} selected
      </span>
      {may(changeExampleSplits) && (
        <LabelMenu
          kind={SPLITS}
          label="Splits of the selected examples"
          button={
            <button type="button" className="button">
              Splits <Icon name="down" size={12} />
            </button>
          }
          chosen={chosenSplits([...ids].map(rowOf))}
          onApply={assign}
          onDone={() => {
            toast(`Splits of ${formatCount(ids.size)} ${noun} changed.`);
            onChanged();
          }}
        />
      )}
      <button type="button" className="button" onClick={() => setEditing(true)}>
        <Icon name="edit" size={13} /> Set a value
      </button>
      <button
        type="button"
        className="button danger"
        title="Deleted when you save; you can undo it until then"
        onClick={() => {
          pending.add({ kind: 'delete', exampleIds: [...ids] });
          onClear();
        }}
      >
        <Icon name="trash" size={13} /> Delete
      </button>
      <button type="button" className="button bare" onClick={onClear}>
        Clear
      </button>
      {isEditing && (
        <EditSelected datasetId={datasetId} exampleIds={[...ids]} pending={pending} onClose={() => setEditing(false)} />
      )}
    </div>
  );
}

/** Splits of all and of some of the rows. If rows are not loaded, no split is certain to belong to all. */
function chosenSplits(rows: readonly (ExampleRow | undefined)[]) {
  const counts = new Map<string, number>();
  for (const { id } of rows.flatMap((row) => row?.splits ?? [])) counts.set(id, (counts.get(id) ?? 0) + 1);
  const all = new Set([...counts].filter(([, count]) => count === rows.length).map(([id]) => id));
  return { all, some: new Set([...counts.keys()].filter((id) => !all.has(id))) };
}
