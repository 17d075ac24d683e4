import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextAreaField } from '../../components/fields.tsx';
import { toast } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { ClearProject } from './ClearProject.tsx';
import { clearProject, deleteProject, patchProject } from './generated/projects.ts';
import type { ProjectRow } from './project-row.ts';

interface ProjectMenuProps {
  readonly project: ProjectRow;
  readonly onChanged: () => void;
}

/** Actions on a project. The project `default` cannot be deleted. */
export function ProjectMenu({ project, onChanged }: ProjectMenuProps) {
  const [openDialog, setOpenDialog] = useState<'delete' | 'edit' | 'clear'>();
  const [description, setDescription] = useState('');
  const change = useChange();
  const { id, name } = project;
  const { may } = useAccess();
  const [canEdit, canClear, canDelete] = [may(patchProject), may(clearProject), may(deleteProject)];
  const close = () => setOpenDialog(undefined);
  const run = (ask: () => Promise<unknown>, done: string) =>
    void change.run(ask, () => {
      close();
      toast(done);
      onChanged();
    });
  const open = (what: 'delete' | 'edit' | 'clear') => () => {
    change.say(undefined);
    setDescription(project.description ?? '');
    setOpenDialog(what);
  };
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          { icon: 'copy', label: 'Copy name', onSelect: () => void copyWithToast(name, 'Name copied.') },
          canEdit && { icon: 'edit', label: 'Edit description', onSelect: open('edit') },
          'line',
          canClear && { icon: 'trash', label: 'Delete traces', isDanger: true, onSelect: open('clear') },
          canDelete &&
            name !== 'default' && { icon: 'trash', label: 'Delete project', isDanger: true, onSelect: open('delete') },
        ]}
      />
      {openDialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          isOpen
          onClose={close}
          consequence="This deletes the project with all of its traces, sessions and annotations. You cannot undo it."
          action="Delete project"
          isBusy={change.isBusy}
          problem={change.problem}
          onConfirm={() => run(() => send(deleteProject, { id }), `${name} deleted.`)}
        />
      )}
      {openDialog === 'clear' && (
        <ClearProject
          name={name}
          change={change}
          onClose={close}
          onClear={(endTime) => run(() => send(clearProject, { input: { id, endTime } }), `Traces of ${name} deleted.`)}
        />
      )}
      {openDialog === 'edit' && (
        <FormDialog
          title={`Edit description of ${name}`}
          change={change}
          onSubmit={() => run(() => send(patchProject, { input: { id, description } }), 'Description saved.')}
          onClose={close}
        >
          <TextAreaField label="Description" dir="auto" rows={3} value={description} onChange={setDescription} />
        </FormDialog>
      )}
    </>
  );
}
