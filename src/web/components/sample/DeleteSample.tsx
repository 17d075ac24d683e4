import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { navigate } from '../../router/location.ts';
import { ConfirmDialog } from '../Dialog.tsx';
import { toast } from '../toasts.tsx';
import { deleteSample } from './generated/sample.ts';

/** Asks before the sample is deleted. */
export function DeleteSample({ onClose }: { readonly onClose: () => void }) {
  const { isBusy, problem, run } = useChange();
  const remove = async () => {
    const { deleteSample: isDeleted } = await send(deleteSample, {});
    toast(isDeleted ? 'Deleted the sample.' : 'There is no sample to delete.');
    if (isDeleted) navigate('/datasets');
  };
  return (
    <ConfirmDialog
      title="Delete the sample?"
      isOpen
      onClose={onClose}
      consequence="This deletes the sample dataset with its experiments and traces, the sample prompt, and their changes by users. You cannot undo it."
      action="Delete sample"
      isBusy={isBusy}
      problem={problem}
      onConfirm={() => void run(remove, onClose)}
    />
  );
}
