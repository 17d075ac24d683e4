import { type FormEvent, useState } from 'react';
import { copyText } from '../../components/CopyButton.tsx';
import { ConfirmDialog, Dialog } from '../../components/Dialog.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../components/Menu.tsx';
import { tell } from '../../components/toasts.tsx';
import { send } from '../../data/request.ts';
import { forgetAnswers, toFailure } from '../../data/use-query.ts';
import { forgetRows } from '../../data/use-rows.ts';
import { ClearProject } from './ClearProject.tsx';
import { clearProject, deleteProject, patchProject } from './generated/projects.ts';
import type { ProjectRow } from './project-row.ts';

interface ProjectMenuProps {
  readonly project: ProjectRow;
  readonly onChanged: () => void;
}

/** What can be done to a project. The one named `default` stays, as the server has it. */
export function ProjectMenu({ project, onChanged }: ProjectMenuProps) {
  const [asks, setAsks] = useState<'delete' | 'edit' | 'clear'>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [description, setDescription] = useState('');
  const { id, name } = project;
  const run = async (change: () => Promise<unknown>, done: string) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await change();
      forgetAnswers();
      forgetRows();
      setAsks(undefined);
      tell(done);
      onChanged();
    } catch (error) {
      setProblem(toFailure(error).message);
    } finally {
      setBusy(false);
    }
  };
  const open = (what: 'delete' | 'edit' | 'clear') => () => {
    setProblem(undefined);
    setDescription(project.description ?? '');
    setAsks(what);
  };
  return (
    <>
      <Menu
        label={`Menu of ${name}`}
        button={
          <button type="button" className="button bare small icon-only">
            <Icon name="more" />
          </button>
        }
      >
        <MenuItem onSelect={() => void copyText(name).then(() => tell('Name copied.'))}>
          <Icon name="copy" size={14} /> Copy name
        </MenuItem>
        <MenuItem onSelect={open('edit')}>
          <Icon name="edit" size={14} /> Edit description
        </MenuItem>
        <MenuLine />
        <MenuItem isDanger onSelect={open('clear')}>
          <Icon name="trash" size={14} /> Remove traces
        </MenuItem>
        {name !== 'default' && (
          <MenuItem isDanger onSelect={open('delete')}>
            <Icon name="trash" size={14} /> Delete project
          </MenuItem>
        )}
      </Menu>
      <ConfirmDialog
        title={`Delete ${name}?`}
        isOpen={asks === 'delete'}
        onClose={() => setAsks(undefined)}
        consequence="All of its traces, sessions and annotations go with it. This cannot be undone."
        action="Delete project"
        isBusy={isBusy}
        problem={problem}
        onConfirm={() => void run(() => send(deleteProject, { id }), `${name} deleted.`)}
      />
      {asks === 'clear' && (
        <ClearProject
          name={name}
          isBusy={isBusy}
          problem={problem}
          onClose={() => setAsks(undefined)}
          onClear={(endTime) =>
            void run(
              () => send(clearProject, { input: { id, endTime: endTime ?? null } }),
              `Traces of ${name} removed.`,
            )
          }
        />
      )}
      <Dialog title={`Describe ${name}`} isOpen={asks === 'edit'} onClose={() => setAsks(undefined)}>
        <form
          className="project-form"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            void run(() => send(patchProject, { input: { id, description } }), 'Description saved.');
          }}
        >
          <label className="field">
            <span>Description</span>
            <textarea
              className="input"
              rows={3}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          </label>
          {problem && (
            <p className="error-text" role="alert">
              {problem}
            </p>
          )}
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setAsks(undefined)}>
              Cancel
            </button>
            <button type="submit" className="button primary" disabled={isBusy}>
              Save
            </button>
          </div>
        </form>
      </Dialog>
    </>
  );
}
