import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { formatCount } from '../../format/numbers.ts';
import { deleteEvaluators } from './generated/evaluators.ts';

interface AuthoredMenuProps {
  readonly evaluator: { readonly id: string; readonly name: string; readonly datasetEvaluators: readonly unknown[] };
}

/** Actions on an LLM or code evaluator as a whole, with all of its uses. */
export function AuthoredMenu({ evaluator: { id, name, datasetEvaluators } }: AuthoredMenuProps) {
  const [isDeleting, setDeleting] = useState(false);
  const { may } = useAccess();
  const change = useChange();
  const count = datasetEvaluators.length;
  return (
    <>
      <ActionMenu
        label={`Actions for all uses of ${name}`}
        actions={[
          { icon: 'copy', label: 'Copy ID', onSelect: () => void copyWithToast(id, 'ID copied.') },
          'line',
          may(deleteEvaluators) && {
            icon: 'trash',
            label: 'Delete everywhere',
            isDanger: true,
            onSelect: () => setDeleting(true),
          },
        ]}
      />
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${name} everywhere?`}
          isOpen
          onClose={() => setDeleting(false)}
          consequence={`This removes the evaluator from ${formatCount(count)} ${count === 1 ? 'dataset' : 'datasets'} and deletes the traces of its runs. Scores that are stored with experiments stay, and so does its prompt. You cannot undo it.`}
          action="Delete evaluator"
          isBusy={change.isBusy}
          problem={change.problem}
          onConfirm={() =>
            void change.run(
              () => send(deleteEvaluators, { input: { evaluatorIds: [id] } }),
              () => {
                setDeleting(false);
                toast(`${name} deleted.`);
              },
            )
          }
        />
      )}
    </>
  );
}
