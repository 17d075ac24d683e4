import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
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
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          { icon: 'panelRight', label: 'Show details', onSelect: () => navigate(evaluatorPath(evaluator)) },
          {
            icon: 'tracing',
            label: 'Show spans of its runs',
            onSelect: () => navigate(`/projects/${encodeURIComponent(project.id)}/spans`),
          },
          { icon: 'copy', label: 'Copy ID', onSelect: () => void copyWithToast(id, 'ID copied.') },
          {
            icon: 'compare',
            label: 'Calibration',
            onSelect: () => navigate(calibrationPath(evaluator.dataset.id, id)),
          },
          may(updateLlmEvaluator) && {
            icon: 'edit',
            label: 'Edit evaluator',
            onSelect: () => navigate(editEvaluatorPath(evaluator.dataset.id, id)),
          },
          'line',
          may(deleteDatasetEvaluators) && {
            icon: 'trash',
            label: 'Delete evaluator',
            isDanger: true,
            onSelect: () => setAsks('delete'),
          },
        ]}
      />
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
