import { useId } from 'react';
import {
  CONTEXT_NAMES,
  findPathOf,
  type InputDraft,
  type InputField,
  type InputSource,
  suggestSource,
} from './input-draft.ts';

interface InputFieldsProps {
  readonly fields: readonly InputField[];
  readonly draft: InputDraft;
  /** Suggested paths. Default: the values at the top. */
  readonly paths?: readonly string[];
  readonly onChange: (draft: InputDraft) => void;
}

/** The source of each input: a path into the example and its output, or a fixed value. */
export function InputFields({ fields, draft, paths = CONTEXT_NAMES, onChange }: InputFieldsProps) {
  const listId = useId();
  return (
    <fieldset className="evaluator-inputs">
      <legend>Inputs</legend>
      {fields.map((field) => {
        const source = draft.get(field.name) ?? suggestSource(field);
        const set = (changed: Partial<InputSource>) =>
          onChange(new Map(draft).set(field.name, { ...source, ...changed }));
        const found = source.kind === 'path' && source.text === '' ? findPathOf(field.name, paths) : undefined;
        return <Field key={field.name} field={field} source={source} found={found} listId={listId} onChange={set} />;
      })}
      <datalist id={listId}>
        {paths.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </fieldset>
  );
}

interface FieldProps {
  readonly field: InputField;
  readonly source: InputSource;
  /** A path that leads to a value with the name of the input. Undefined when it has a source. */
  readonly found: string | undefined;
  readonly listId: string;
  readonly onChange: (changed: Partial<InputSource>) => void;
}

function Field({ field, source, found, listId, onChange }: FieldProps) {
  const { name, description, isRequired, isFlag, isJson = false } = field;
  if (isFlag) {
    return (
      <label className="row">
        <input
          type="checkbox"
          checked={source.text === 'true'}
          onChange={({ target }) => onChange({ text: String(target.checked) })}
        />
        {description}
      </label>
    );
  }
  const isPath = source.kind === 'path';
  return (
    <div className="evaluator-input">
      <span>
        <strong>{name}</strong> <span className="muted">{description}</span>
      </span>
      <div className="row">
        <span className="segments" role="group" aria-label={`Source of ${name}`}>
          <button type="button" aria-pressed={isPath} onClick={() => onChange({ kind: 'path', text: '' })}>
            Path
          </button>
          <button type="button" aria-pressed={!isPath} onClick={() => onChange({ kind: 'literal', text: '' })}>
            Fixed
          </button>
        </span>
        <input
          className="input grow"
          dir="auto"
          aria-label={isPath ? `Path of ${name}` : `Value of ${name}`}
          placeholder={
            isPath
              ? 'output, reference.answer, input.messages[0].content'
              : isJson
                ? 'JSON or text, the same for every example'
                : 'The same each time'
          }
          required={isRequired}
          {...(isPath ? { list: listId } : {})}
          value={source.text}
          onChange={({ target }) => onChange({ text: target.value })}
        />
        {found !== undefined && (
          <button type="button" className="button small" onClick={() => onChange({ text: found })}>
            Use {found}
          </button>
        )}
      </div>
    </div>
  );
}
