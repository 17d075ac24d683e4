import { ConfirmDialog } from '../../../components/Dialog.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { formatCount } from '../../../format/numbers.ts';
import { deleteExperiments } from './generated/experiments.ts';

interface DeleteExperimentsProps {
  readonly experiments: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before experiments are deleted. */
export function DeleteExperiments({ experiments, onClose, onDeleted }: DeleteExperimentsProps) {
  const change = useChange();
  const [first] = experiments;
  const isOne = experiments.length === 1;
  const what = isOne ? (first?.name ?? '') : `${formatCount(experiments.length)} experiments`;
  return (
    <ConfirmDialog
      title={`Delete ${what}?`}
      isOpen
      onClose={onClose}
      consequence={`This deletes the ${isOne ? 'experiment' : 'experiments'} with all runs, evaluations, notes and traces. You cannot undo it.`}
      action={isOne ? 'Delete experiment' : 'Delete experiments'}
      isBusy={change.isBusy}
      problem={change.problem}
      onConfirm={() =>
        void change.run(
          () => send(deleteExperiments, { ids: experiments.map(({ id }) => id) }),
          () => {
            onClose();
            toast(`${what} deleted.`);
            onDeleted();
          },
        )
      }
    />
  );
}
