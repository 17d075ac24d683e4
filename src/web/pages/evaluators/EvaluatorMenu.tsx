import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../components/Menu.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { navigate } from '../../router/location.ts';
import { type DatasetEvaluator, evaluatorPath } from './evaluator-row.ts';
import { calibrationPath, editEvaluatorPath } from './forms/form-paths.ts';
import { updateLlmEvaluator } from './forms/generated/forms.ts';
import { deleteDatasetEvaluators } from './generated/evaluators.ts';

interface EvaluatorMenuProps {
  readonly evaluator: DatasetEvaluator;
  readonly onDeleted?: () => void;
}

/** Actions on an evaluator of a dataset. */
export function EvaluatorMenu({ evaluator, onDeleted = () => {} }: EvaluatorMenuProps) {
  const [asks, setAsks] = useState<'delete'>();
  const { may } = useAccess();
  const { id, name, project } = evaluator;
  const close = () => setAsks(undefined);
  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        button={
          <button type="button" className="button bare small icon-only">
            <Icon name="more" />
          </button>
        }
      >
        <MenuItem onSelect={() => navigate(evaluatorPath(evaluator))}>
          <Icon name="panelRight" size={14} /> Show details
        </MenuItem>
        <MenuItem onSelect={() => navigate(`/projects/${encodeURIComponent(project.id)}/spans`)}>
          <Icon name="tracing" size={14} /> Show spans of its runs
        </MenuItem>
        <MenuItem onSelect={() => void copyWithToast(id, 'ID copied.')}>
          <Icon name="copy" size={14} /> Copy ID
        </MenuItem>
        <MenuItem onSelect={() => navigate(calibrationPath(evaluator.dataset.id, id))}>
          <Icon name="compare" size={14} /> Calibration
        </MenuItem>
        {may(updateLlmEvaluator) && (
          <MenuItem onSelect={() => navigate(editEvaluatorPath(evaluator.dataset.id, id))}>
            <Icon name="edit" size={14} /> Edit evaluator
          </MenuItem>
        )}
        {may(deleteDatasetEvaluators) && (
          <>
            <MenuLine />
            <MenuItem isDanger onSelect={() => setAsks('delete')}>
              <Icon name="trash" size={14} /> Delete evaluator
            </MenuItem>
          </>
        )}
      </Menu>
      {asks === 'delete' && <DeleteEvaluator evaluator={evaluator} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}

interface DeleteEvaluatorProps {
  readonly evaluator: DatasetEvaluator;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before an evaluator is deleted, and whether its prompt is deleted too. */
function DeleteEvaluator({ evaluator: { id, name, evaluator }, onClose, onDeleted }: DeleteEvaluatorProps) {
  const [withPrompt, setWithPrompt] = useState(false);
  const change = useChange();
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      isOpen
      onClose={onClose}
      consequence={
        <>
          This removes the evaluator from the dataset and deletes the traces of its runs. Scores that are stored with
          experiments stay. You cannot undo it.
          {evaluator.__typename === 'LLMEvaluator' && (
            <label className="row evaluator-with-prompt">
              <input type="checkbox" checked={withPrompt} onChange={() => setWithPrompt(!withPrompt)} />
              Also delete the prompt {evaluator.prompt.name}, unless another evaluator uses it
            </label>
          )}
        </>
      }
      action="Delete evaluator"
      isBusy={change.isBusy}
      problem={change.problem}
      onConfirm={() =>
        void change.run(
          () =>
            send(deleteDatasetEvaluators, {
              input: { datasetEvaluatorIds: [id], deleteAssociatedPrompt: withPrompt },
            }),
          () => {
            onClose();
            toast(`${name} deleted.`);
            onDeleted();
          },
        )
      }
    />
  );
}
