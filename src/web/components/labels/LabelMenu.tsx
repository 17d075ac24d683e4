import * as ariakit from '@ariakit/react';
import type { ReactElement } from 'react';
import { Dialog } from '../Dialog.tsx';
import { LabelChoice, type LabelChoiceProps } from './LabelChoice.tsx';

interface LabelMenuProps extends Omit<LabelChoiceProps, 'onDone'> {
  readonly button: ReactElement;
  readonly label: string;
  readonly onDone?: () => void;
}

/** Button that opens the choice of labels beside it. */
export function LabelMenu({ button, label, onDone, ...choice }: LabelMenuProps) {
  const store = ariakit.usePopoverStore({ placement: 'bottom-start' });
  return (
    <>
      <ariakit.PopoverDisclosure store={store} render={button} aria-label={label} />
      <ariakit.Popover store={store} className="popover" gutter={4} unmountOnHide portal aria-label={label}>
        <LabelChoice
          {...choice}
          onDone={() => {
            store.hide();
            onDone?.();
          }}
        />
      </ariakit.Popover>
    </>
  );
}

interface LabelDialogProps extends LabelChoiceProps {
  readonly title: string;
  readonly onClose: () => void;
}

/** The choice of labels as a dialog, for an item of a menu. */
export function LabelDialog({ title, onClose, ...choice }: LabelDialogProps) {
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <LabelChoice {...choice} />
    </Dialog>
  );
}
