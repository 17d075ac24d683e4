import { useId } from 'react';
import { Icon } from '../Icon.tsx';
import {
  type MappedField,
  type PreviewedExample,
  SIDES,
  type Side,
  type SpanMapping,
  suggestPaths,
  toFields,
} from './span-mapping.ts';

interface MappingEditorProps {
  readonly mapping: SpanMapping;
  readonly onChange: (mapping: SpanMapping) => void;
  /** The shown example, from which paths are suggested. */
  readonly example: PreviewedExample | undefined;
}

const TITLES: Readonly<Record<Side, string>> = { input: 'Input', output: 'Output', metadata: 'Metadata' };

/** Chooses for each side of an example the default, or fields by paths into the span. */
export function MappingEditor({ mapping, onChange, example }: MappingEditorProps) {
  const listId = useId();
  const set = (side: Side, fields: readonly MappedField[] | null) => onChange({ ...mapping, [side]: fields });
  return (
    <div className="mapping">
      <datalist id={listId}>
        {suggestPaths(example).map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
      {SIDES.map((side) => {
        const fields = mapping[side];
        return (
          <fieldset key={side}>
            <legend className="row">
              <strong>{TITLES[side]}</strong>
              <span className="segments" role="group" aria-label={`Rule for the ${side}`}>
                <button type="button" aria-pressed={fields === null} onClick={() => set(side, null)}>
                  Default
                </button>
                <button
                  type="button"
                  aria-pressed={fields !== null}
                  onClick={() => fields === null && set(side, toFields(side, example))}
                >
                  By path
                </button>
              </span>
            </legend>
            {fields?.map((field, index) => (
              <FieldRow
                // biome-ignore lint/suspicious/noArrayIndexKey: rows are edited in place and have no identity
                key={index}
                side={side}
                number={index + 1}
                field={field}
                listId={listId}
                isMissing={example?.missingPaths.includes(field.path.trim()) ?? false}
                onChange={(next) => set(side, fields.with(index, next))}
                onRemove={() => set(side, fields.toSpliced(index, 1))}
              />
            ))}
            {fields !== null && (
              <button
                type="button"
                className="button bare small"
                onClick={() => set(side, [...fields, { name: '', path: '' }])}
              >
                <Icon name="plus" size={12} /> Add field
              </button>
            )}
          </fieldset>
        );
      })}
    </div>
  );
}

interface FieldRowProps {
  readonly side: Side;
  readonly number: number;
  readonly field: MappedField;
  readonly listId: string;
  readonly isMissing: boolean;
  readonly onChange: (field: MappedField) => void;
  readonly onRemove: () => void;
}

function FieldRow({ side, number, field, listId, isMissing, onChange, onRemove }: FieldRowProps) {
  const noun = `${side} field ${number}`;
  return (
    <div className="mapping-row">
      <input
        className="input"
        aria-label={`Name of ${noun}`}
        placeholder="all members"
        value={field.name}
        onChange={(event) => onChange({ ...field, name: event.target.value })}
      />
      <input
        className="input mono"
        aria-label={`Path of ${noun}`}
        placeholder="attributes.llm.model_name"
        list={listId}
        spellCheck={false}
        value={field.path}
        onChange={(event) => onChange({ ...field, path: event.target.value })}
      />
      <button
        type="button"
        className="button bare small icon-only"
        aria-label={`Remove ${noun}`}
        title="Remove the field"
        onClick={onRemove}
      >
        <Icon name="close" size={12} />
      </button>
      {isMissing && <span className="muted mapping-note">No value in this span; the field is left out.</span>}
    </div>
  );
}
