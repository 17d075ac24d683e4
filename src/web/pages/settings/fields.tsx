import type { ReactNode } from 'react';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly isMono?: boolean;
  readonly placeholder?: string;
}

export function TextField({ label, value, onChange, hint, isMono, placeholder }: TextFieldProps) {
  return (
    <label className="field">
      <span>{label}</span>
      <input
        className={isMono ? 'input mono' : 'input'}
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint && <span className="muted">{hint}</span>}
    </label>
  );
}

interface ProjectsFieldProps {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** Which projects something is for. */
export function ProjectsField({ projects, chosen, onChange }: ProjectsFieldProps) {
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <fieldset className="settings-projects">
      <legend>Projects</legend>
      {projects.map(({ id, name }) => (
        <label key={id}>
          <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
          <span className="clip">{name}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** A number that may be left out; NaN for what is none. */
export const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));
