import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { copyWithToast } from '../../components/CopyButton.tsx';
import { ConfirmDialog } from '../../components/Dialog.tsx';
import { FormDialog } from '../../components/FormDialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../components/Menu.tsx';
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
      <Menu
        label={`Actions for ${name}`}
        button={
          <button type="button" className="button bare small icon-only">
            <Icon name="more" />
          </button>
        }
      >
        <MenuItem onSelect={() => void copyWithToast(name, 'Name copied.')}>
          <Icon name="copy" size={14} /> Copy name
        </MenuItem>
        {canEdit && (
          <MenuItem onSelect={open('edit')}>
            <Icon name="edit" size={14} /> Edit description
          </MenuItem>
        )}
        {(canClear || canDelete) && <MenuLine />}
        {canClear && (
          <MenuItem isDanger onSelect={open('clear')}>
            <Icon name="trash" size={14} /> Delete traces
          </MenuItem>
        )}
        {canDelete && name !== 'default' && (
          <MenuItem isDanger onSelect={open('delete')}>
            <Icon name="trash" size={14} /> Delete project
          </MenuItem>
        )}
      </Menu>
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
          <label className="field">
            <span>Description</span>
            <textarea
              dir="auto"
              className="input"
              rows={3}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          </label>
        </FormDialog>
      )}
    </>
  );
}
