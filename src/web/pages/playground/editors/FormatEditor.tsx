import { useState } from 'react';
import { isObject, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import { Editor } from '../../../components/editor/Editor.tsx';
import { Icon } from '../../../components/Icon.tsx';
import { FORMAT_SHAPE } from '../../../components/prompt/variant/tool-shapes.ts';
import { toText } from '../../../components/prompt/variant/tools.ts';
import { parseJson } from '../../../components/prompt/variant/variant.ts';
import { Switch } from '../../../components/values/Card.tsx';
import { SchemaForm } from './SchemaForm.tsx';

interface FormatEditorProps {
  /** JSON text of a named schema, or null for free text. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

const FORMS = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const;

const FIRST = {
  name: 'response',
  schema: {
    type: 'object',
    properties: { answer: { type: 'string' } },
    required: ['answer'],
    additionalProperties: false,
  },
  strict: true,
};

/** JSON schema that responses must match, as a form or as JSON. */
export function FormatEditor({ value, onChange }: FormatEditorProps) {
  const [form, setForm] = useState<'form' | 'json'>('form');
  if (value === null) {
    return (
      <button type="button" className="button small" onClick={() => onChange(toText(FIRST))}>
        <Icon name="plus" size={12} /> Require JSON of a schema
      </button>
    );
  }
  const read = parseJson(value);
  const format = isObject(read) ? read : undefined;
  const set = (changes: JsonObject) => onChange(toText({ ...format, ...changes }));
  return (
    <section className="tool-card" aria-label="Response format">
      <header className="row">
        <strong className="grow">JSON schema</strong>
        {format && <Switch label="Form of the response format" values={FORMS} value={form} onChange={setForm} />}
        <button
          type="button"
          className="button bare small icon-only"
          aria-label="Remove the response format"
          onClick={() => onChange(null)}
        >
          <Icon name="trash" size={13} />
        </button>
      </header>
      {format && form === 'form' ? (
        <>
          <input
            className="input mono"
            aria-label="Name of the response format"
            value={typeof format.name === 'string' ? format.name : ''}
            onChange={({ target }) => set({ name: target.value })}
          />
          <SchemaForm
            schema={isObject(format.schema) ? format.schema : {}}
            noun="property"
            onChange={(schema) => set({ schema })}
          />
          <label className="row">
            <input
              type="checkbox"
              checked={format.strict === true}
              onChange={({ target }) => set({ strict: target.checked })}
            />
            Strict
          </label>
        </>
      ) : (
        <Editor
          label="JSON of the response format"
          language="json"
          shape={FORMAT_SHAPE}
          value={value}
          onChange={onChange}
        />
      )}
    </section>
  );
}
