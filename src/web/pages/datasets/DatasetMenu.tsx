import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { downloadActions } from '../../components/dataset-files/download-actions.ts';
import { FileImportDialog } from '../../components/dataset-files/FileImportDialog.tsx';
import { setDatasetLabels } from '../../components/labels/generated/labels.ts';
import { LabelDialog } from '../../components/labels/LabelMenu.tsx';
import { DATASET_LABELS, labelDataset } from '../../components/labels/label-kinds.ts';
import { invalidate } from '../../data/query-client.ts';
import { navigate } from '../../router/location.ts';
import { playgroundPath } from '../playground/state/paths.ts';
import { DatasetForm } from './DatasetForm.tsx';
import { DeleteDataset } from './DeleteDataset.tsx';
import type { DatasetRow } from './dataset-row.ts';
import { deleteDataset, patchDataset } from './generated/datasets.ts';

interface DatasetMenuProps {
  readonly dataset: Pick<DatasetRow, 'id' | 'name' | 'description' | 'metadata'> & {
    readonly labels: readonly { readonly id: string }[];
  };
  readonly onChanged: () => void;
  /** Called after the dataset was deleted. Default `onChanged`. */
  readonly onDeleted?: () => void;
}

/** Actions on a dataset, in the list and on its page. */
export function DatasetMenu({ dataset, onChanged, onDeleted = onChanged }: DatasetMenuProps) {
  const [openDialog, setOpenDialog] = useState<'edit' | 'labels' | 'file' | 'delete'>();
  const { may } = useAccess();
  const { id, name } = dataset;
  const close = () => setOpenDialog(undefined);
  return (
    // A click in the menu or a dialog does not open the row.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps clicks from the row
    <span onClick={(event) => event.stopPropagation()} onKeyDown={(event) => event.stopPropagation()}>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          may('member') && {
            icon: 'playground',
            label: 'Run a prompt over it',
            onSelect: () => navigate(playgroundPath({ datasetId: id })),
          },
          may(patchDataset) && { icon: 'edit', label: 'Edit', onSelect: () => setOpenDialog('edit') },
          may(setDatasetLabels) && { icon: 'bookmark', label: 'Labels', onSelect: () => setOpenDialog('labels') },
          may('member') && { icon: 'upload', label: 'Update from a file', onSelect: () => setOpenDialog('file') },
          { icon: 'copy', label: 'Copy ID', onSelect: () => void copyWithToast(id, 'ID copied.') },
          'line',
          ...downloadActions(id, name),
          'line',
          may(deleteDataset) && {
            icon: 'trash',
            label: 'Delete dataset',
            isDanger: true,
            onSelect: () => setOpenDialog('delete'),
          },
        ]}
      />
      {openDialog === 'edit' && <DatasetForm dataset={dataset} onClose={close} onSaved={onChanged} />}
      {openDialog === 'labels' && (
        <LabelDialog
          title={`Labels of ${name}`}
          kind={DATASET_LABELS}
          chosen={{ all: new Set(dataset.labels.map((label) => label.id)) }}
          onApply={async (change) => {
            await labelDataset(id, change);
            await invalidate();
          }}
          onDone={() => {
            close();
            onChanged();
          }}
          onClose={close}
        />
      )}
      {openDialog === 'file' && <FileImportDialog dataset={dataset} onClose={close} onDone={onChanged} />}
      {openDialog === 'delete' && <DeleteDataset dataset={dataset} onClose={close} onDeleted={onDeleted} />}
    </span>
  );
}
