import { useState } from 'react';
import type {
  ContentFunction,
  ContentSchema,
  ContentTool,
  ContentTools,
} from '../../../components/prompt/version-content.ts';
import { Card, Switch } from '../../../components/values/Card.tsx';
import { JsonView } from '../../../components/values/JsonView.tsx';
import { SchemaTable } from './SchemaTable.tsx';

type Form = 'form' | 'json';
const FORMS = [
  ['form', 'Form'],
  ['json', 'JSON'],
] as const;

const CHOICES: ReadonlyMap<string, string> = new Map([
  ['none', 'The model must not call a tool.'],
  ['zero_or_more', 'The model chooses whether it calls tools.'],
  ['one_or_more', 'The model must call at least one tool.'],
]);

/** Tools of a version as a readable form, or as JSON. */
export function ToolsView({ tools }: { readonly tools: ContentTools }) {
  const [form, setForm] = useState<Form>('form');
  const { tool_choice: choice, disable_parallel_tool_calls: isSerial } = tools;
  return (
    <Card
      title={`Tools (${tools.tools.length})`}
      copies={() => JSON.stringify(tools, null, 2)}
      actions={<Switch label="Form of the tools" values={FORMS} value={form} onChange={setForm} />}
    >
      {form === 'json' ? (
        <JsonView value={tools} openDepth={3} />
      ) : (
        <div className="prompt-tools">
          {choice && (
            <p>
              {choice.type === 'specific_function' ? (
                <>
                  The model must call <strong dir="auto">{choice.function_name}</strong>.
                </>
              ) : (
                CHOICES.get(choice.type)
              )}
            </p>
          )}
          {isSerial && <p>The model calls one tool at a time.</p>}
          {tools.tools.map((tool, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: several tools may have one name
            <Tool key={index} tool={tool} />
          ))}
        </div>
      )}
    </Card>
  );
}

function Tool({ tool }: { readonly tool: ContentTool }) {
  if (tool.type === 'raw') {
    return (
      <section className="prompt-tool">
        <h4>Tool of the vendor</h4>
        <JsonView value={tool.raw} />
      </section>
    );
  }
  return <Described of={tool.function} schema={tool.function.parameters} />;
}

/** Response format of a version as a readable form, or as JSON. */
export function ResponseFormatView({ format }: { readonly format: ContentSchema }) {
  const [form, setForm] = useState<Form>('form');
  return (
    <Card
      title="Response format"
      copies={() => JSON.stringify(format, null, 2)}
      actions={<Switch label="Form of the response format" values={FORMS} value={form} onChange={setForm} />}
    >
      {form === 'json' ? <JsonView value={format} openDepth={3} /> : <Described of={format} schema={format.schema} />}
    </Card>
  );
}

interface DescribedProps {
  readonly of: Pick<ContentFunction, 'name' | 'description' | 'strict'>;
  readonly schema: ContentFunction['parameters'];
}

function Described({ of: { name, description, strict }, schema }: DescribedProps) {
  return (
    <section className="prompt-tool">
      <h4>
        <span dir="auto">{name}</span> {strict && <span className="muted">strict</span>}
      </h4>
      {description && <p dir="auto">{description}</p>}
      {schema && <SchemaTable schema={schema} />}
    </section>
  );
}
