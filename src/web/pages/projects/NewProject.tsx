import { useState } from 'react';
import { useAccess } from '../../access/use-access.ts';
import { FormDialog } from '../../components/FormDialog.tsx';
import { TextAreaField } from '../../components/fields.tsx';
import { send } from '../../data/request.ts';
import { useChange } from '../../data/use-change.ts';
import { navigate } from '../../router/location.ts';
import { GRADIENTS, GradientField } from './GradientField.tsx';
import { createProject } from './generated/projects.ts';

const NAME = /^[A-Za-z0-9._-]{1,100}$/;

export function NewProject({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [gradient, setGradient] = useState(GRADIENTS[0]!);
  const [isPrivate, setPrivate] = useState(false);
  const [hasTried, setTried] = useState(false);
  const change = useChange();
  const { hasSignIn } = useAccess();
  const isNameWrong = !NAME.test(name);
  const submit = () => {
    setTried(true);
    if (isNameWrong) return;
    const [gradientStartColor, gradientEndColor] = gradient;
    const input = { name, description: description || null, gradientStartColor, gradientEndColor, isPrivate };
    let id = '';
    void change.run(
      async () => {
        id = (await send(createProject, { input })).createProject.project.id;
      },
      () => {
        onClose();
        navigate(`/projects/${encodeURIComponent(id)}`);
      },
    );
  };
  return (
    <FormDialog title="New project" change={change} action="Create" onSubmit={submit} onClose={onClose}>
      <label className="field">
        <span>Name</span>
        <input
          className="input"
          value={name}
          maxLength={100}
          aria-invalid={hasTried && isNameWrong}
          aria-describedby="name-rule"
          onChange={(event) => setName(event.target.value)}
        />
        <span id="name-rule" className={hasTried && isNameWrong ? 'error-text' : 'muted'}>
          Up to 100 letters, digits, dots, dashes and underscores
        </span>
      </label>
      <TextAreaField label="Description" rows={2} value={description} onChange={setDescription} />
      {hasSignIn && (
        <label className="row">
          <input type="checkbox" checked={isPrivate} onChange={(event) => setPrivate(event.target.checked)} />
          Private: only its members and administrators find it
        </label>
      )}
      <GradientField value={gradient} onChange={setGradient} />
    </FormDialog>
  );
}
