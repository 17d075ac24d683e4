import * as ariakit from '@ariakit/react';
import { type ReactNode, useState } from 'react';
import { Problem } from './Problem.tsx';

interface DialogProps {
  readonly title: string;
  /** Uses columns if the window is wide enough. */
  readonly isWide?: boolean;
  readonly isOpen: boolean;
  /** Whether only an action of the dialog closes it. Default false. */
  readonly isRequired?: boolean;
  /** Whether the dialog asks before Escape or a click outside of it discards what the user has entered. Default false. */
  readonly asksBeforeLoss?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const { title, isWide = false, isOpen, isRequired = false, asksBeforeLoss = false, onClose, children } = props;
  const [hasInput, setInput] = useState(false);
  const [isAsking, setAsking] = useState(false);
  return (
    <ariakit.Dialog
      className={isWide ? 'dialog wide' : 'dialog'}
      open={isOpen}
      onInput={() => setInput(true)}
      onClose={(event) => {
        if (!asksBeforeLoss || !hasInput) return onClose();
        event.preventDefault();
        setAsking(true);
      }}
      hideOnEscape={!isRequired}
      hideOnInteractOutside={!isRequired}
      backdrop={<div className="backdrop" />}
      unmountOnHide
    >
      <ariakit.DialogHeading className="dialog-title">{title}</ariakit.DialogHeading>
      {children}
      {isAsking && (
        <ConfirmDialog
          title="Discard your input?"
          isOpen
          consequence="What you entered in this dialog is not saved."
          action="Discard"
          isBusy={false}
          onConfirm={onClose}
          onClose={() => setAsking(false)}
        />
      )}
    </ariakit.Dialog>
  );
}

interface ConfirmProps extends Omit<DialogProps, 'children'> {
  /** Describes what the action deletes and its consequences. */
  readonly consequence: ReactNode;
  readonly action: string;
  readonly isBusy: boolean;
  readonly problem?: string | undefined;
  readonly onConfirm: () => void;
}

/** Asks the user to confirm an action that cannot be undone. */
export function ConfirmDialog({ consequence, action, isBusy, problem, onConfirm, ...dialog }: ConfirmProps) {
  return (
    <Dialog {...dialog}>
      <p>{consequence}</p>
      <Problem text={problem} />
      <div className="dialog-actions">
        <ariakit.DialogDismiss className="button">Cancel</ariakit.DialogDismiss>
        <button type="button" className="button danger" disabled={isBusy} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
