import { type FormEvent, useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { ActionMenu } from '../../../components/ActionMenu.tsx';
import { copyWithToast } from '../../../components/CopyButton.tsx';
import { Dialog } from '../../../components/Dialog.tsx';
import { FormDialog } from '../../../components/FormDialog.tsx';
import { InputField, TextAreaField } from '../../../components/fields.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast, toastFailure } from '../../../components/toasts.tsx';
import { download } from '../../../data/download.ts';
import { send, toFailure } from '../../../data/request.ts';
import { sendWhenAllowed } from '../../../data/send-when-allowed.ts';
import { useChange } from '../../../data/use-change.ts';
import { navigate } from '../../../router/location.ts';
import { experimentsPath } from '../../playground/state/address.ts';
import { tabPath } from '../dataset-tabs.ts';
import { DeleteExperiments } from './DeleteExperiments.tsx';
import type { Experiment } from './experiment-row.ts';
import {
  deleteExperiments,
  patchExperiment,
  resumeExperiment,
  setExperimentBaseline,
  stopExperiment,
  tagExperiment,
  untagExperiment,
} from './generated/experiments.ts';

export type MenuExperiment = Pick<
  Experiment,
  'id' | 'name' | 'description' | 'isBaseline' | 'project' | 'tags' | 'job'
>;

interface ExperimentMenuProps {
  readonly datasetId: string;
  readonly experiment: MenuExperiment;
  /** Called after the experiment was deleted. */
  readonly onDeleted?: () => void;
}

/** Actions on an experiment. */
export function ExperimentMenu({ datasetId, experiment, onDeleted = () => {} }: ExperimentMenuProps) {
  const [asks, setAsks] = useState<'delete' | 'edit' | 'tags'>();
  const { id, name, project, isBaseline, job } = experiment;
  const { may } = useAccess();
  const change = useChange();
  const close = () => setAsks(undefined);
  const run = (ask: () => Promise<unknown>, done: string) =>
    void change.run(
      async () => {
        try {
          await ask();
          toast(done);
        } catch (error) {
          toastFailure(toFailure(error).message);
        }
      },
      () => {},
    );
  return (
    <>
      <ActionMenu
        label={`Actions for ${name}`}
        actions={[
          {
            icon: 'panelRight',
            label: 'Show details',
            onSelect: () => navigate(tabPath(datasetId, 'experiments', id)),
          },
          job?.isEvaluationOnly === false && {
            icon: 'playground',
            label: 'Open in the playground',
            onSelect: () => navigate(experimentsPath([id])),
          },
          project && {
            icon: 'tracing',
            label: 'Show traces of the runs',
            onSelect: () => navigate(`/projects/${encodeURIComponent(project.id)}/traces`),
          },
          { icon: 'copy', label: 'Copy ID', onSelect: () => void copyWithToast(id, 'ID copied.') },
          'line',
          may(patchExperiment) && {
            icon: 'edit',
            label: 'Edit name and description',
            onSelect: () => setAsks('edit'),
          },
          may(tagExperiment) && { icon: 'bookmark', label: 'Edit tags', onSelect: () => setAsks('tags') },
          may(setExperimentBaseline) && {
            icon: 'flag',
            label: isBaseline ? 'Remove baseline' : 'Set as baseline',
            onSelect: () =>
              run(
                () => send(setExperimentBaseline, { id, baseline: !isBaseline }),
                isBaseline ? `${name} is not the baseline any more.` : `${name} is the baseline.`,
              ),
          },
          job?.status === 'RUNNING' &&
            may(stopExperiment) && {
              icon: 'pause',
              label: 'Stop',
              onSelect: () => run(() => sendWhenAllowed(() => send(stopExperiment, { id })), `${name} stops.`),
            },
          (job?.status === 'STOPPED' || job?.status === 'ERROR') &&
            may(resumeExperiment) && {
              icon: 'play',
              label: 'Resume',
              onSelect: () => run(() => sendWhenAllowed(() => send(resumeExperiment, { id })), `${name} runs again.`),
            },
          'line',
          { icon: 'download', label: 'Download CSV', onSelect: () => void save(id, 'CSV') },
          { icon: 'download', label: 'Download JSON', onSelect: () => void save(id, 'JSON') },
          'line',
          may(deleteExperiments) && {
            icon: 'trash',
            label: 'Delete experiment',
            isDanger: true,
            onSelect: () => setAsks('delete'),
          },
        ]}
      />
      {asks === 'edit' && <EditExperiment experiment={experiment} onClose={close} />}
      {asks === 'tags' && <EditTags experiment={experiment} onClose={close} />}
      {asks === 'delete' && <DeleteExperiments experiments={[experiment]} onClose={close} onDeleted={onDeleted} />}
    </>
  );
}

/** Nothing ends the download. */
const NEVER = new AbortController().signal;

async function save(id: string, format: 'CSV' | 'JSON'): Promise<void> {
  const extension = format.toLowerCase();
  const path = `v1/experiments/${encodeURIComponent(id)}/${extension}`;
  try {
    await download({ path }, `experiment.${extension}`, NEVER, () => {});
    toast(`${format} saved.`);
  } catch (error) {
    toastFailure(toFailure(error).message);
  }
}

interface EditProps {
  readonly experiment: MenuExperiment;
  readonly onClose: () => void;
}

function EditExperiment({ experiment, onClose }: EditProps) {
  const [name, setName] = useState(experiment.name);
  const [description, setDescription] = useState(experiment.description ?? '');
  const change = useChange();
  const submit = () => {
    const input = { experimentId: experiment.id, name: name.trim(), description: description.trim() || null };
    void change.run(
      () => send(patchExperiment, { input }),
      () => {
        onClose();
        toast('Experiment saved.');
      },
    );
  };
  return (
    <FormDialog
      title={`Edit ${experiment.name}`}
      change={change}
      action="Save experiment"
      isReady={name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <InputField label="Name" dir="auto" required value={name} onChange={setName} />
      <TextAreaField label="Description" dir="auto" rows={3} value={description} onChange={setDescription} />
    </FormDialog>
  );
}

/** A tag belongs to one experiment of a dataset, so adding one may take it from another. */
function EditTags({ experiment, onClose }: EditProps) {
  const { id, tags } = experiment;
  const [name, setName] = useState('');
  const { isBusy, problem, run } = useChange();
  const add = (event: FormEvent) => {
    event.preventDefault();
    void run(
      () => send(tagExperiment, { id, name: name.trim() }),
      () => setName(''),
    );
  };
  return (
    <Dialog title={`Tags of ${experiment.name}`} isOpen onClose={onClose}>
      <p className="muted">
        A tag belongs to one experiment of the dataset. If another experiment has it, it is moved here.
      </p>
      {tags.length === 0 ? (
        <p className="muted">This experiment has no tags.</p>
      ) : (
        <ul className="tag-list">
          {tags.map((tag) => (
            <li key={tag.id} className="row">
              <span className="grow clip">{tag.name}</span>
              <button
                type="button"
                className="button bare small icon-only"
                aria-label={`Remove tag ${tag.name}`}
                disabled={isBusy}
                onClick={() =>
                  void run(
                    () => send(untagExperiment, { id, name: tag.name }),
                    () => {},
                  )
                }
              >
                <Icon name="close" size={13} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="row" onSubmit={add}>
        <input
          className="input grow"
          aria-label="New tag"
          placeholder="Lowercase letters, digits, dashes and underscores"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <button type="submit" className="button" disabled={isBusy || name.trim() === ''}>
          Add tag
        </button>
      </form>
      <Problem text={problem} />
      <div className="dialog-actions">
        <button type="button" className="button primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
