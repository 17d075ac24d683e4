import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../components/Menu.tsx';
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
      <Menu
        label={`Actions for all uses of ${name}`}
        button={
          <button type="button" className="button bare small icon-only">
            <Icon name="more" />
          </button>
        }
      >
        <MenuItem onSelect={() => void copyWithToast(id, 'ID copied.')}>
          <Icon name="copy" size={14} /> Copy ID
        </MenuItem>
        {may(deleteEvaluators) && (
          <>
            <MenuLine />
            <MenuItem isDanger onSelect={() => setDeleting(true)}>
              <Icon name="trash" size={14} /> Delete everywhere
            </MenuItem>
          </>
        )}
      </Menu>
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
