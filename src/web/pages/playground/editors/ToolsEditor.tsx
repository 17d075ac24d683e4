import { useState } from 'react';
import type { JsonObject } from '../../../../semconv/read-open-inference.ts';
import { Editor } from '../../../components/editor/Editor.tsx';
import type { JsonShape } from '../../../components/editor/json-shape.ts';
import { Icon } from '../../../components/Icon.tsx';
import { TOOL_SHAPES } from '../../../components/prompt/variant/tool-shapes.ts';
import { newTool, printTool, readTool, toText } from '../../../components/prompt/variant/tools.ts';
import {
  type EditedTool,
  familyOf,
  parseJson,
  type ToolChoice,
  type Variant,
} from '../../../components/prompt/variant/variant.ts';
import type { ContentFunction } from '../../../components/prompt/version-content.ts';
import { Switch } from '../../../components/values/Card.tsx';
import { SchemaForm } from './SchemaForm.tsx';

interface ToolsEditorProps {
  readonly variant: Variant;
  readonly onChange: (variant: Variant) => void;
}

/** Tools in the form of the vendor, as a form or as JSON, and when the model calls them. */
export function ToolsEditor({ variant, onChange }: ToolsEditorProps) {
  const { tools, toolChoice, isSerial, model } = variant;
  const family = familyOf(model.provider);
  const names = tools.flatMap(({ text }) => readTool(parseJson(text))?.name ?? []);
  const setTools = (next: readonly EditedTool[]) => onChange({ ...variant, tools: next });
  return (
    <>
      {tools.map((tool, index) => (
        <ToolCard
          key={tool.id}
          tool={tool}
          shape={TOOL_SHAPES[family]}
          index={index}
          onChange={(text) => setTools(tools.map((each) => (each.id === tool.id ? { ...tool, text } : each)))}
          onWrite={(value) =>
            setTools(
              tools.map((each) => (each.id === tool.id ? { ...tool, text: toText(printTool(value, family)) } : each)),
            )
          }
          onRemove={() => setTools(tools.filter(({ id }) => id !== tool.id))}
        />
      ))}
      <div className="row wraps">
        <button
          type="button"
          className="button small"
          onClick={() => setTools([...tools, newTool(family, tools.length)])}
        >
          <Icon name="plus" size={12} /> Add tool
        </button>
        {tools.length > 0 && (
          <>
            <label className="row">
              <span className="muted">Choice</span>
              <select
                className="input"
                value={toolChoice.type === 'specific_function' ? `function:${toolChoice.name}` : toolChoice.type}
                onChange={({ target }) => onChange({ ...variant, toolChoice: readChoice(target.value) })}
              >
                <option value="default">Default of the vendor</option>
                <option value="zero_or_more">Auto</option>
                <option value="one_or_more">Required</option>
                <option value="none">None</option>
                {toolChoice.type === 'specific_function' && !names.includes(toolChoice.name) && (
                  <option value={`function:${toolChoice.name}`}>{toolChoice.name} (missing)</option>
                )}
                {[...new Set(names)].map((name) => (
                  <option key={name} value={`function:${name}`}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label className="row">
              <input
                type="checkbox"
                checked={isSerial}
                onChange={({ target }) => onChange({ ...variant, isSerial: target.checked })}
              />
              One at a time
            </label>
          </>
        )}
      </div>
    </>
  );
}

const readChoice = (value: string): ToolChoice =>
  value.startsWith('function:')
    ? { type: 'specific_function', name: value.slice('function:'.length) }
    : { type: value as 'default' | 'none' | 'zero_or_more' | 'one_or_more' };

const FORMS = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const;

interface ToolCardProps {
  readonly tool: EditedTool;
  /** Form of a tool of the vendor. */
  readonly shape: JsonShape;
  readonly index: number;
  readonly onChange: (text: string) => void;
  /** Writes a function in the form of the vendor. */
  readonly onWrite: (value: ContentFunction) => void;
  readonly onRemove: () => void;
}

function ToolCard({ tool, shape, index, onChange, onWrite, onRemove }: ToolCardProps) {
  const [form, setForm] = useState<'form' | 'json'>('form');
  const read = readTool(parseJson(tool.text));
  const name = read?.name ?? `Tool ${index + 1}`;
  return (
    <section className="tool-card" aria-label={name}>
      <header className="row">
        <strong className="grow clip" dir="auto">
          {name}
        </strong>
        {read && <Switch label={`Form of ${name}`} values={FORMS} value={form} onChange={setForm} />}
        <button type="button" className="button bare small icon-only" aria-label={`Delete ${name}`} onClick={onRemove}>
          <Icon name="trash" size={13} />
        </button>
      </header>
      {read && form === 'form' ? (
        <>
          <input
            className="input mono"
            aria-label={`Name of tool ${index + 1}`}
            value={read.name}
            onChange={({ target }) => target.value !== '' && onWrite({ ...read, name: target.value })}
          />
          <input
            className="input"
            aria-label={`Description of ${name}`}
            placeholder="Description for the model"
            value={read.description ?? ''}
            onChange={({ target }) => onWrite({ ...read, description: target.value })}
          />
          <SchemaForm
            schema={read.parameters ?? EMPTY}
            noun="parameter"
            onChange={(parameters) => onWrite({ ...read, parameters })}
          />
        </>
      ) : (
        <Editor label={`JSON of ${name}`} language="json" shape={shape} value={tool.text} onChange={onChange} />
      )}
    </section>
  );
}

const EMPTY: JsonObject = { type: 'object', properties: {} };
