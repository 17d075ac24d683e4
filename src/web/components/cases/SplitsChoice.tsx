import { LabelChips } from '../labels/LabelChips.tsx';
import { LabelMenu } from '../labels/LabelMenu.tsx';
import { SPLITS } from '../labels/label-kinds.ts';

interface SplitsChoiceProps {
  /** IDs of the chosen splits. */
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** Chooses or creates the splits of the added examples. */
export function SplitsChoice({ value, onChange }: SplitsChoiceProps) {
  const { items } = SPLITS.useAll();
  const chosen = (items ?? []).filter(({ id }) => value.includes(id));
  return (
    <div className="row splits-choice">
      <span className="label">Splits</span>
      <LabelChips labels={chosen} />
      <LabelMenu
        kind={SPLITS}
        label="Choose splits"
        button={
          <button type="button" className="button small">
            Choose
          </button>
        }
        chosen={{ all: new Set(value) }}
        onApply={async ({ ids }) => onChange(ids)}
      />
    </div>
  );
}
