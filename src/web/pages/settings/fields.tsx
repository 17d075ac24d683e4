import { type ReactNode, useState } from 'react';
import { InputField } from '../../components/fields.tsx';
import { useLongList } from '../../components/long-list.tsx';
import { formatCount } from '../../format/numbers.ts';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly isMono?: boolean;
  readonly placeholder?: string;
  /** Whether a dialog opens with the focus here, instead of in its first field. Default false. */
  readonly hasFocusAtFirst?: boolean;
}

export const TextField = ({ hasFocusAtFirst = false, ...props }: TextFieldProps) => (
  <InputField {...props} data-autofocus={hasFocusAtFirst || undefined} spellCheck={false} />
);

/** Selection of entries, with the changes since it was loaded. */
export interface Choice {
  /** Selection before the first change. */
  readonly had: (id: string) => boolean;
  readonly has: (id: string) => boolean;
  readonly toggle: (id: string) => void;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The previous selection may load in pages, so the changes of the user are stored separately. */
export function useChoice(before: ReadonlySet<string>): Choice {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  return {
    had: (id) => before.has(id),
    has: (id) => before.has(id) !== toggled.has(id),
    toggle(id) {
      const next = new Set(toggled);
      if (!next.delete(id)) next.add(id);
      setToggled(next);
    },
    added: [...toggled].filter((id) => !before.has(id)),
    removed: [...toggled].filter((id) => before.has(id)),
  };
}

interface ProjectsFieldProps {
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly choice: Choice;
}

/** Chooses projects. */
export function ProjectsField({ projects, choice }: ProjectsFieldProps) {
  // Projects that were selected before come first.
  const ordered = [...projects].sort((a, b) => Number(choice.had(b.id)) - Number(choice.had(a.id)));
  const { shown, search, rest } = useLongList(ordered, 'projects', ({ name }) => name);
  return (
    <fieldset className="settings-projects">
      <legend>Projects</legend>
      {search}
      <div className="settings-choices">
        {shown.map(({ id, name }) => (
          <label key={id}>
            <input type="checkbox" checked={choice.has(id)} onChange={() => choice.toggle(id)} />
            <span className="clip">{name}</span>
          </label>
        ))}
        {rest}
      </div>
    </fieldset>
  );
}

/** Short enough for a row. */
export const projectNames = (names: readonly string[] = []): string =>
  names.length > 2 ? `${formatCount(names.length)} projects` : names.join(', ') || 'no projects';

/** Parses an optional number. NaN for text that is not a number. */
export const toNumber = (text: string): number | null => (text.trim() === '' ? null : Number(text));
