import type { FormEvent, ReactNode } from 'react';
import type { Change } from '../data/use-change.ts';
import { Dialog } from './Dialog.tsx';
import { Problem } from './Problem.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly change: Change;
  /** What the button that submits says. Default `Save`. */
  readonly action?: string;
  /** Whether there is something to submit. Default true. */
  readonly isReady?: boolean;
  /** What it does cannot be undone. */
  readonly isDanger?: boolean;
  readonly className?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A form in a dialog, with what went wrong above its buttons. */
export function FormDialog(props: FormDialogProps) {
  const { title, change, action = 'Save', isReady = true, isDanger = false, className = '' } = props;
  const { onSubmit, onClose, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form className={`dialog-form ${className}`} onSubmit={submit}>
        {children}
        <Problem text={change.problem} />
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className={isDanger ? 'button danger' : 'button primary'}
            disabled={change.isBusy || !isReady}
          >
            {action}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
