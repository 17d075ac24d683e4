import { useState } from 'react';
import { useChange } from '../../data/use-change.ts';
import { FormDialog } from '../FormDialog.tsx';
import { InputField, TextAreaField } from '../fields.tsx';
import type { Label } from './label.ts';
import { LABEL_COLORS, labelColor, unusedColor } from './label-color.ts';
import type { LabelKind } from './label-kinds.ts';
import './labels.css';

interface LabelFormProps {
  readonly kind: LabelKind;
  /** Existing labels, so that a new one gets another color. */
  readonly labels: readonly Label[];
  /** The label to change. Absent for a new one. */
  readonly label?: Label;
  /** Initial name of a new label. */
  readonly firstName?: string;
  readonly onClose: () => void;
  readonly onSaved: (id: string) => void;
}

/** Creates or changes a label: its name, color and description. */
export function LabelForm({ kind, labels, label, firstName = '', onClose, onSaved }: LabelFormProps) {
  const [name, setName] = useState(label?.name ?? firstName);
  const [description, setDescription] = useState(label?.description ?? '');
  const [color, setColor] = useState(() => (label ? labelColor(label.color).toLowerCase() : unusedColor(labels)));
  const change = useChange();
  const submit = () => {
    const fields = { name: name.trim(), description: description.trim() || null, color };
    let id = label?.id ?? '';
    void change.run(
      async () => {
        if (label) await kind.update(label.id, fields);
        else id = await kind.create(fields);
      },
      () => {
        onSaved(id);
        onClose();
      },
    );
  };
  return (
    <FormDialog
      title={label ? `Edit ${label.name}` : `New ${kind.noun}`}
      change={change}
      action={label ? 'Save' : `Create ${kind.noun}`}
      isReady={name.trim() !== ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <InputField label="Name" dir="auto" value={name} onChange={setName} />
      <fieldset className="label-colors">
        <legend>Color</legend>
        {LABEL_COLORS.map((each, index) => (
          <label key={each} style={{ background: each }}>
            <input
              type="radio"
              name="label-color"
              className="visually-hidden"
              aria-label={`Color ${index + 1}`}
              checked={color === each}
              onChange={() => setColor(each)}
            />
          </label>
        ))}
        <label className="label-color-other" data-checked={!LABEL_COLORS.includes(color)}>
          <input
            type="color"
            aria-label="Another color"
            title="Another color"
            value={color}
            onChange={(event) => setColor(event.target.value)}
          />
        </label>
      </fieldset>
      <TextAreaField label="Description" dir="auto" rows={2} value={description} onChange={setDescription} />
    </FormDialog>
  );
}
