import { type FormEvent, useState } from 'react';
import { useAccess } from '../../../access/use-access.ts';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { TextAreaField } from '../../../components/fields.tsx';
import { Problem } from '../../../components/Problem.tsx';
import { toast } from '../../../components/toasts.tsx';
import { send } from '../../../data/request.ts';
import { useChange } from '../../../data/use-change.ts';
import { shownName } from '../../../format/names.ts';
import { Disc, type Gradient } from '../../projects/Disc.tsx';
import { GradientField } from '../../projects/GradientField.tsx';
import type { ConfiguredProject } from './configured-project.ts';
import { describeProject } from './generated/config.ts';

interface IdentityProps {
  readonly project: ConfiguredProject;
  readonly onSaved: () => void;
}

/** Name and description of the project, and its ID for programs. */
export function Identity({ project, onSaved }: IdentityProps) {
  const { id, name } = project;
  const saved: Gradient = [project.gradientStartColor, project.gradientEndColor];
  const [description, setDescription] = useState(project.description ?? '');
  const [gradient, setGradient] = useState(saved);
  const change = useChange();
  const { may } = useAccess();
  const canEdit = may(describeProject);
  const [gradientStartColor, gradientEndColor] = gradient;
  const isChanged = description.trim() !== (project.description ?? '') || gradient.join() !== saved.join();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { id, description, gradientStartColor, gradientEndColor };
    void change.run(
      () => send(describeProject, { input }),
      () => {
        setDescription(description.trim());
        toast(`Saved ${name}.`);
        onSaved();
      },
    );
  };
  return (
    <section className="card" aria-label="Project">
      <h2 className="row">
        <Disc project={{ gradientStartColor, gradientEndColor }} />
        <span className="clip" dir="auto" title={name}>
          {shownName(name)}
        </span>
        <CopyButton text={name} label="Copy name" />
      </h2>
      <form className="dialog-form" onSubmit={submit}>
        <TextAreaField label="Description" rows={3} value={description} readOnly={!canEdit} onChange={setDescription} />
        {canEdit && <GradientField value={gradient} onChange={setGradient} />}
        <Problem text={change.problem} />
        <div className="row">
          {canEdit && (
            <button type="submit" className="button primary" disabled={!isChanged || change.isBusy}>
              Save
            </button>
          )}
          <span className="grow" />
          <span className="muted">ID for the API</span>
          <code className="clip">{id}</code>
          <CopyButton text={id} label="Copy ID" />
        </div>
      </form>
    </section>
  );
}
