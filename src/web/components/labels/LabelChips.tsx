import type { CSSProperties } from 'react';
import { shownName } from '../../format/names.ts';
import type { Label } from './label.ts';
import { labelColor } from './label-color.ts';
import './labels.css';

/** Name of a label, split or prompt label in its color. */
export function LabelChip({ label }: { readonly label: Pick<Label, 'name' | 'color'> & Partial<Label> }) {
  const { name, color, description } = label;
  return (
    <span
      className="label-chip"
      dir="auto"
      title={description ? `${name}: ${description}` : name}
      style={{ '--label': labelColor(color) } as CSSProperties}
    >
      {shownName(name)}
    </span>
  );
}

interface LabelChipsProps {
  readonly labels: readonly (Pick<Label, 'id' | 'name' | 'color'> & Partial<Label>)[];
  /** Whether the chips may use several lines. Default false. */
  readonly wraps?: boolean;
}

/** Number of chips that are rendered in one line. A narrow cell cuts them off. */
const SHOWN_COUNT = 6;

export function LabelChips({ labels, wraps = false }: LabelChipsProps) {
  if (labels.length === 0) return null;
  const shown = wraps ? labels : labels.slice(0, SHOWN_COUNT);
  return (
    <span className={wraps ? 'label-chips wraps' : 'label-chips'} title={wraps ? undefined : namesOf(labels)}>
      {shown.map((label) => (
        <LabelChip key={label.id} label={label} />
      ))}
      {labels.length > shown.length && <span className="muted">+{labels.length - shown.length}</span>}
    </span>
  );
}

const namesOf = (labels: readonly Pick<Label, 'name'>[]): string => labels.map(({ name }) => name).join(', ');
