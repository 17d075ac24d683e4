import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import type { BulkDialogProps } from './bulk.ts';
import { deleteTraces } from './generated/bulk.ts';

export function DeleteTraces({ selected: { traceIds }, onClose, onDone }: BulkDialogProps) {
  const { isBusy, problem, run } = useChange();
  const count = `${formatCount(traceIds.length)} ${traceIds.length === 1 ? 'trace' : 'traces'}`;
  return (
    <ConfirmDialog
      title={`Delete ${count}?`}
      isOpen
      onClose={onClose}
      consequence="This deletes the traces with all of their spans and annotations. You cannot undo it."
      action={`Delete ${count}`}
      isBusy={isBusy}
      problem={problem}
      onConfirm={() =>
        void run(
          () => send(deleteTraces, { traceIds }),
          () => {
            toast(`Deleted ${count}.`);
            onDone();
          },
        )
      }
    />
  );
}
