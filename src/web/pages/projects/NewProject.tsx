import { type FormEvent, useState } from 'react';
import { Dialog } from '../../components/Dialog.tsx';
import { send } from '../../data/request.ts';
import { toFailure } from '../../data/use-query.ts';
import { forgetRows } from '../../data/use-rows.ts';
import { navigate } from '../../router/location.ts';
import { createProject } from './generated/projects.ts';

/** Start and end of a project's colours. */
const GRADIENTS = [
  ['#5bdbff', '#1c76fc'],
  ['#8bd4a8', '#1f7a5c'],
  ['#ffd07a', '#d9730d'],
  ['#ff9f8f', '#c93a4b'],
  ['#f2a8dc', '#a3388f'],
  ['#b9a6ff', '#5a3fd1'],
  ['#8fd8d2', '#17736f'],
  ['#e6c58f', '#8f5a17'],
  ['#b8c1cc', '#4c5866'],
  ['#c9dd7d', '#6b8a12'],
  ['#9cc3f7', '#33539e'],
  ['#f4b6a0', '#9c4a2a'],
] as const;

const NAME = /^[A-Za-z0-9._-]{1,100}$/;

export function NewProject({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [gradient, setGradient] = useState(0);
  const [hasTried, setTried] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isNameWrong = !NAME.test(name);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isNameWrong) return;
    const [gradientStartColor, gradientEndColor] = GRADIENTS[gradient]!;
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
        <fieldset className="gradients">
          <legend>Colour</legend>
          {GRADIENTS.map(([start, end], index) => (
            <label key={start} style={{ backgroundImage: `linear-gradient(135deg, ${start}, ${end})` }}>
              <input
                type="radio"
                name="gradient"
                className="visually-hidden"
                aria-label={`Colour ${index + 1}`}
                checked={gradient === index}
                onChange={() => setGradient(index)}
              />
            </label>
          ))}
        </fieldset>
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
