import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { Icon } from '../Icon.tsx';
import { lazy } from '../lazy.tsx';
import type { AddToDatasetProps } from './AddToDataset.tsx';
import { addSpanExample } from './generated/cases.ts';

const AddToDataset = lazy(async () => (await import('./AddToDataset.tsx')).AddToDataset);

interface AddToDatasetButtonProps extends Omit<AddToDatasetProps, 'onClose'> {
  /** Name for screen readers, and the tooltip. */
  readonly label: string;
  /** Shown text. Absent: an icon alone. */
  readonly text?: string;
  readonly isBare?: boolean;
}

/** Button that opens the dialog. Hidden from users who may not write. */
export function AddToDatasetButton({ label, text, isBare = false, ...dialog }: AddToDatasetButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const { may } = useAccess();
  if (!may(addSpanExample)) return null;
  const look = text === undefined ? (isBare ? 'button bare small icon-only' : 'button icon-only') : 'button';
  return (
    <>
      <button
        type="button"
        className={look}
        aria-label={text === undefined ? label : undefined}
        title={label}
        onClick={() => setOpen(true)}
      >
        <Icon name="dataset" size={isBare ? 13 : 14} /> {text}
      </button>
      {isOpen && <AddToDataset {...dialog} onClose={() => setOpen(false)} />}
    </>
  );
}
