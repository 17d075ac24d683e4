import type { FormEvent, ReactNode } from 'react';
import type { Change } from '../data/use-change.ts';
import { Dialog } from './Dialog.tsx';
import { Problem } from './Problem.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly change: Change;
  /** Label of the submit button. Default `Save`. */
  readonly action?: string;
  /** Whether the form can be submitted. Default true. */
  readonly isReady?: boolean;
  /** Whether the action cannot be undone. Default false. */
  readonly isDanger?: boolean;
  readonly className?: string;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Form in a dialog. The last error is shown above its buttons. */
export function FormDialog(props: FormDialogProps) {
  const { title, change, action = 'Save', isReady = true, isDanger = false, className = '' } = props;
  const { onSubmit, onClose, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} isOpen asksBeforeLoss onClose={onClose}>
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
