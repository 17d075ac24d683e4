import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { DownloadItems } from '../../components/dataset-files/DownloadItems.tsx';
import { FileImportDialog } from '../../components/dataset-files/FileImportDialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { setDatasetLabels } from '../../components/labels/generated/labels.ts';
import { LabelDialog } from '../../components/labels/LabelMenu.tsx';
import { DATASET_LABELS, labelDataset } from '../../components/labels/label-kinds.ts';
import { Menu, MenuItem, MenuLine } from '../../components/Menu.tsx';
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
      <Menu
        label={`Actions for ${name}`}
        button={
          <button type="button" className="button bare small icon-only">
            <Icon name="more" />
          </button>
        }
      >
        {may('member') && (
          <MenuItem onSelect={() => navigate(playgroundPath({ datasetId: id }))}>
            <Icon name="playground" size={14} /> Run a prompt over it
          </MenuItem>
        )}
        {may(patchDataset) && (
          <MenuItem onSelect={() => setOpenDialog('edit')}>
            <Icon name="edit" size={14} /> Edit
          </MenuItem>
        )}
        {may(setDatasetLabels) && (
          <MenuItem onSelect={() => setOpenDialog('labels')}>
            <Icon name="bookmark" size={14} /> Labels
          </MenuItem>
        )}
        {may('member') && (
          <MenuItem onSelect={() => setOpenDialog('file')}>
            <Icon name="upload" size={14} /> Update from a file
          </MenuItem>
        )}
        <MenuItem onSelect={() => void copyWithToast(id, 'ID copied.')}>
          <Icon name="copy" size={14} /> Copy ID
        </MenuItem>
        <MenuLine />
        <DownloadItems datasetId={id} name={name} />
        {may(deleteDataset) && (
          <>
            <MenuLine />
            <MenuItem isDanger onSelect={() => setOpenDialog('delete')}>
              <Icon name="trash" size={14} /> Delete dataset
            </MenuItem>
          </>
        )}
      </Menu>
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
