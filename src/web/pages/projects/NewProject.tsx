import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/Dialog.tsx';
import { send } from '../../data/request.ts';
import { toFailure } from '../../data/use-query.ts';
import { forgetRows } from '../../data/use-rows.ts';
import { navigate } from '../../router/location.ts';
import { GRADIENTS, GradientField } from './GradientField.tsx';
import { createProject } from './generated/projects.ts';

const NAME = /^[A-Za-z0-9._-]{1,100}$/;

export function NewProject({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [gradient, setGradient] = useState(GRADIENTS[0]!);
  const [hasTried, setTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isNameWrong = !NAME.test(name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isNameWrong) return;
    const [gradientStartColor, gradientEndColor] = gradient;
    try {
      const { createProject: made } = await send(createProject, {
        input: { name, description: description || null, gradientStartColor, gradientEndColor },
      });
      forgetRows();
      onClose();
      navigate(`/projects/${encodeURIComponent(made.project.id)}`);
    } catch (error) {
      setProblem(toFailure(error).message);
    }
  };
  return (
    <Dialog title="New project" isOpen={isOpen} onClose={onClose}>
      <form className="project-form" onSubmit={submit}>
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
        <label className="field">
          <span>Description</span>
          <textarea
            className="input"
            rows={2}
            value={description}
            onChange={(event) => setDescription(event.target.value)}
          />
        </label>
        <GradientField value={gradient} onChange={setGradient} />
        {problem && (
          <p className="error-text" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary">
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
